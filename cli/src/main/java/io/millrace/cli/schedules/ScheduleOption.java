package io.millrace.cli.schedules;

import io.millrace.api.Limits;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.Checked;
import io.millrace.cli.option.FilledConverter;
import io.millrace.console.text.Printable;
import io.millrace.options.Checks;
import java.util.Optional;
import java.util.function.Supplier;
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
   * Returns the name of the schedule.
   *
   * @throws ParameterException no schedule can have it
   */
  String name(CommandLine command) {
    return Checked.value(command, () -> Checks.text("--name", name, 1, Limits.NAME_BYTES_MAX));
  }

  /**
   * Returns the answer about the schedule of this name.
   *
   * @throws CannotException it is not there, or cannot be read here
   */
  <T> T there(String checked, Supplier<Optional<T>> question) {
    Optional<T> said;
    try {
      said = question.get();
    } catch (IllegalStateException e) {
      throw new CannotException(String.valueOf(e.getMessage()), e);
    }
    return said.orElseThrow(
        () -> new CannotException("no such schedule: " + Printable.text(checked)));
  }
}
