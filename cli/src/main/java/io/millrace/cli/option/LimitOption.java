package io.millrace.cli.option;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that limits how many rows of a list are shown. */
public final class LimitOption {

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many lines; 0 for all (default: ${DEFAULT-VALUE}).")
  private long limit;

  /**
   * Returns the limit, very large if there is none.
   *
   * @throws ParameterException it is negative
   */
  public long limit(CommandLine command) {
    if (limit < 0) {
      throw new ParameterException(command, "--limit is 0 for all, or a number of lines: " + limit);
    }
    return limit == 0 ? Long.MAX_VALUE : limit;
  }
}
