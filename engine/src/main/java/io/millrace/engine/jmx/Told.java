package io.millrace.engine.jmx;

import io.millrace.MillraceException;
import java.util.function.Supplier;

/** What a bean answers to a tool. */
public final class Told {

  private Told() {}

  /**
   * The answer. What a tool cannot load is not told to it: exceptions of ours become {@link
   * IllegalStateException}, whose message begins with the simple name of the class.
   */
  public static <T> T tell(Supplier<T> question) {
    try {
      return question.get();
    } catch (MillraceException e) {
      throw new IllegalStateException(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }
}
