package io.millrace.worker;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is kept of an exception: what it says and where it was thrown, the same of its causes. */
final class ErrorText {

  private static final int FRAMES_MAX = 8;
  private static final int CAUSES_MAX = 4;

  private ErrorText() {}

  /** The first line is the exception's own text, by which people group errors. */
  static String of(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());
    @Nullable Throwable next = thrown;
    while (next != null && told.size() <= CAUSES_MAX && told.add(next)) {
      text.append(told.size() > 1 ? "\ncaused by " : "").append(sentence(next));
      StackTraceElement[] frames = next.getStackTrace();
      for (int i = 0; i < Math.min(frames.length, FRAMES_MAX); i++) {
        text.append("\n  at ").append(frames[i]);
      }
      next = next.getCause();
    }
    return text.toString();
  }

  /** What it says of itself; its class if it cannot even do that. */
  private static String sentence(Throwable thrown) {
    try {
      return thrown.toString();
    } catch (Throwable unprintable) {
      return thrown.getClass().getName();
    }
  }
}
