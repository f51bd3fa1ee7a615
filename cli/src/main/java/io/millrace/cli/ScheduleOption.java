package io.millrace.cli;

import io.millrace.api.Limits;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The schedule that a command is about. */
final class ScheduleOption {

  @Option(
      names = "--name",
      paramLabel = "NAME",
      required = true,
      converter = FilledConverter.class,
      description = "The schedule.")
  private String name = "";

  /**
   * The name of the schedule.
   *
   * @throws ParameterException no schedule can have it
   */
  String name(CommandLine command) {
    try {
      return Limits.text("--name", name, 1, Limits.NAME_BYTES_MAX);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
  }
}
