package io.millrace.worker;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is kept of an exception: what it says and where it was thrown, the same of its causes. */
final class ErrorText {

  private static final int FRAMES_MAX = 8;
  private static final int CAUSES_MAX = 4;
  private static final int SENTENCE_LENGTH_MAX = 8_192;
  private static final String UNTOLD = "what was thrown cannot be told";

  private ErrorText() {}

  /**
   * The first line is the exception's own text, by which people group errors. Whatever the
   * exception does when it is asked, there is a text.
   */
  static String of(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    try {
      describe(thrown, text);
    } catch (Throwable e) { // what was told until then tells something
      return text.length() == 0 ? UNTOLD : text.toString();
    }
    return text.toString();
  }

  private static void describe(Throwable thrown, StringBuilder text) {
    Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());
    @Nullable Throwable next = thrown;
    while (next != null && told.size() <= CAUSES_MAX && told.add(next)) {
      text.append(told.size() > 1 ? "\ncaused by " : "").append(sentence(next));
      StackTraceElement @Nullable [] frames = next.getStackTrace();
      for (int i = 0; frames != null && i < Math.min(frames.length, FRAMES_MAX); i++) {
        text.append("\n  at ").append(frames[i]);
      }
      next = next.getCause();
    }
  }

  /** What it says of itself; its class if it cannot even do that. */
  private static String sentence(Throwable thrown) {
    try {
      @Nullable String said = thrown.toString();
      if (said != null) {
        return said.length() > SENTENCE_LENGTH_MAX ? said.substring(0, SENTENCE_LENGTH_MAX) : said;
      }
    } catch (Throwable unprintable) {
      // As if it said nothing.
    }
    return thrown.getClass().getName();
  }
}
