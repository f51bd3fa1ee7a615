package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The failed tries of a step that is not done. They are kept behind all entries, and go when the
 * step is done, or another is tried: so they bind no later program to that step.
 *
 * @param name the name of the step; empty for none
 * @param error the error of the last try
 */
record Tries(String name, int count, String error) {

  static final Tries NONE = new Tries("", 0, "");

  private static final int ERROR_LENGTH_MAX = 1_000;

  /** Returns the tries that the last entry holds, if it is of their kind. */
  static Tries atEndOf(FlowState state) {
    int last = state.entries().size() - 1;
    return last < 0 || state.entries().get(last).kind() != Entry.Kind.TRIED
        ? NONE
        : of(state.entries().get(last));
  }

  static Tries of(Entry entry) {
    ByteBuffer content = ByteBuffer.wrap(entry.content());
    int count = content.getInt();
    return new Tries(entry.name(), count, UTF_8.decode(content).toString());
  }

  /** Adds a try of the step that failed with this exception. */
  Tries oneMore(String step, Throwable e) {
    return new Tries(step, name.equals(step) ? count + 1 : 1, text(e));
  }

  /**
   * Returns the exception's own text, or the name of its class if its methods fail: they may be the
   * user's.
   */
  private static String text(Throwable e) {
    String name = e.getClass().getName();
    String text;
    try {
      text = Objects.requireNonNullElse(e.toString(), name);
    } catch (Throwable thrown) {
      text = name;
    }
    int end = Math.min(text.length(), ERROR_LENGTH_MAX);
    boolean isCutInTwo = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, isCutInTwo ? end - 1 : end);
  }

  Entry entry() {
    byte[] text = error.getBytes(UTF_8);
    ByteBuffer content = ByteBuffer.allocate(Integer.BYTES + text.length);
    return new Entry(Entry.Kind.TRIED, name, content.putInt(count).put(text).array());
  }

  /** Returns the reason for which the step is given up. */
  String reason() {
    return name + ": given up after " + count + (count == 1 ? " try: " : " tries: ") + error;
  }
}
