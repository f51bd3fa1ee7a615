package io.millrace.cli.command;

import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The check of what was given on the command line, by the library. */
public final class Checked {

  private Checked() {}

  /**
   * Returns the answer to a question that names the option which it refuses.
   *
   * @throws ParameterException what was given is refused
   */
  public static <T> T value(CommandLine command, Supplier<T> question) {
    return value(command, "", question);
  }

  /**
   * Returns the answer to a question that does not know which option it is about.
   *
   * @param prefix what the message begins with: the option, and what it is not
   * @throws ParameterException what was given is refused
   */
  public static <T> T value(CommandLine command, String prefix, Supplier<T> question) {
    try {
      return question.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, prefix + e.getMessage(), e);
    }
  }
}
