package io.millrace.engine.jmx;

import io.millrace.MillraceException;
import java.util.function.Supplier;

/** Answers of beans to tools. */
public final class ToolAnswers {

  private ToolAnswers() {}

  /**
   * Returns the answer to a tool's question. Exceptions of ours, which a tool cannot load, become
   * {@link IllegalStateException}, whose message begins with the simple name of the class.
   */
  public static <T> T tell(Supplier<T> question) {
    try {
      return question.get();
    } catch (MillraceException e) {
      throw new IllegalStateException(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }
}
