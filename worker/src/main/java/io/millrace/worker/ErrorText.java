package io.millrace.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text that is kept of an exception: its message, the calls nearest to where it was thrown and
 * those nearest to the handler, and the same of its causes and suppressed exceptions, with as many
 * calls as there is room for.
 */
final class ErrorText {

  /**
   * The most bytes of a text; the rest of an error's bytes are for words that stand before the
   * text.
   */
  private static final int BYTES_MAX = Limits.ERROR_BYTES_MAX - 128;

  /** The most calls that are told from each end of a stack. */
  private static final int FRAMES_MAX = 8;

  private static final int TOLD_MAX = 10;
  private static final int FIRST_LENGTH_MAX = 1_024;
  private static final int OTHER_LENGTH_MAX = 256;
  private static final StackTraceElement[] NONE = {};
  private static final String UNTOLD = "what was thrown cannot be told";

  /** Classes whose frames lie between a handler and its thread. */
  private static final List<Class<?>> CALLERS = List.of(JobRun.class, WorkerSetup.class);

  private ErrorText() {}

  /**
   * An exception as the text tells it.
   *
   * @param frames its stack
   * @param end how many of the frames are told: not those that another exception tells
   */
  private record ToldException(String sentence, StackTraceElement[] frames, int end) {}

  /**
   * Returns the text of an exception. Its first line is the exception's own text, by which people
   * group errors. There is a text whatever the exception's methods do.
   */
  static String of(Throwable thrown) {
    try {
      List<ToldException> all = new ArrayList<>();
      find(thrown, all);
      String text = text(all, FRAMES_MAX);
      for (int most = FRAMES_MAX - 1; most > 0 && text.getBytes(UTF_8).length > BYTES_MAX; most--) {
        text = text(all, most);
      }
      return text;
    } catch (Throwable e) { // for want of memory, say
      return UNTOLD;
    }
  }

  /** Returns the first line of the exception's own text, whatever its methods do. */
  static String line(Throwable thrown) {
    return line(sentence(thrown, FIRST_LENGTH_MAX));
  }

  /** Returns the first line of a text. */
  static String line(String text) {
    return text.lines().findFirst().orElse("");
  }

  private static void find(Throwable thrown, List<ToldException> all) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    try {
      chain(thrown, "", NONE, seen, all);
    } catch (Throwable e) { // what was found until then tells something
      if (all.isEmpty()) {
        throw e;
      }
    }
  }

  /**
   * Adds an exception, its causes, and then the exceptions that these have suppressed.
   *
   * @param label stands before the first
   * @param outer the frames of the exception that suppressed the first; empty if none did
   */
  private static void chain(
      Throwable first,
      String label,
      StackTraceElement[] outer,
      Set<Throwable> seen,
      List<ToldException> all) {
    List<Throwable> chain = new ArrayList<>();
    List<StackTraceElement[]> stacks = new ArrayList<>();
    @Nullable Throwable next = first;
    while (next != null && all.size() < TOLD_MAX && seen.add(next)) {
      boolean isFirst = all.isEmpty();
      String before = chain.isEmpty() ? label : "\ncaused by ";
      StackTraceElement[] around = stacks.isEmpty() ? outer : stacks.get(stacks.size() - 1);
      String sentence = before + sentence(next, isFirst ? FIRST_LENGTH_MAX : OTHER_LENGTH_MAX);
      all.add(new ToldException(sentence, NONE, 0)); // should it refuse to tell its calls
      StackTraceElement[] frames = frames(next);
      all.set(all.size() - 1, new ToldException(sentence, frames, end(frames, around)));
      chain.add(next);
      stacks.add(frames);
      next = next.getCause();
    }
    for (int i = 0; i < chain.size(); i++) {
      for (Throwable suppressed : chain.get(i).getSuppressed()) {
        chain(suppressed, "\nsuppressed ", stacks.get(i), seen, all);
      }
    }
  }

  private static StackTraceElement[] frames(Throwable thrown) {
    StackTraceElement @Nullable [] frames = thrown.getStackTrace();
    return frames == null ? NONE : frames;
  }

  /**
   * Returns how many frames are told: those before the worker's own, and before the last ones that
   * are the same as in the exception around this one.
   */
  private static int end(StackTraceElement[] frames, StackTraceElement[] around) {
    int end = frames.length;
    for (int at = around.length; at > 0 && end > 1; at--) {
      if (!frames[end - 1].equals(around[at - 1])) {
        break;
      }
      end--;
    }
    for (int i = 1; i < end; i++) {
      if (isCaller(frames[i].getClassName())) {
        return i;
      }
    }
    return end;
  }

  private static boolean isCaller(String name) {
    return CALLERS.stream()
        .anyMatch(it -> name.equals(it.getName()) || name.startsWith(it.getName() + "$"));
  }

  private static String text(List<ToldException> all, int framesMax) {
    StringBuilder text = new StringBuilder();
    for (ToldException told : all) {
      text.append(told.sentence);
      int skipped = told.end - 2 * framesMax;
      for (int i = 0; i < told.end; i++) {
        if (skipped > 0 && i == framesMax) {
          text.append("\n  ... ").append(skipped).append(" more");
          i += skipped;
        }
        text.append("\n  at ").append(told.frames[i]);
      }
    }
    return text.toString();
  }

  /** Returns the exception's own text; the name of its class if even asking for the text fails. */
  private static String sentence(Throwable thrown, int lengthMax) {
    try {
      @Nullable String said = thrown.toString();
      if (said != null) {
        return said.length() > lengthMax ? said.substring(0, lengthMax) + "..." : said;
      }
    } catch (Throwable unprintable) {
      // As if it said nothing.
    }
    return thrown.getClass().getName();
  }
}
