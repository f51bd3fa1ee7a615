package io.millrace.cli.schedules;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.place.ScheduleTarget;
import io.millrace.cli.text.JsonLines;
import io.millrace.worker.Schedules;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Shows the next instants of a schedule. */
@Command(
    name = "next",
    description = {"Shows the next instants of a schedule, a line each. Changes nothing."})
final class SchedulesNextCommand extends MillraceCommand {

  @Mixin private ScheduleOptions store = new ScheduleOptions();
  @Mixin private ScheduleOption schedule = new ScheduleOption();

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many, 1 to " + Schedules.NEXT_COUNT_MAX + " (default: ${DEFAULT-VALUE}).")
  private int count;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    CommandLine command = command();
    if (count < 1 || count > Schedules.NEXT_COUNT_MAX) {
      throw new ParameterException(
          command, "--count is 1 to " + Schedules.NEXT_COUNT_MAX + ": " + count);
    }
    String name = schedule.name(command);
    try (ScheduleTarget target = store.toRead(command)) {
      print(out(), schedule.there(name, () -> target.next(name, count)));
    }
    return ExitCode.OK;
  }

  private void print(PrintWriter out, List<Instant> next) {
    if (next.isEmpty() && !json.isJson()) {
      out.println("paused");
    }
    for (Instant instant : next) {
      if (json.isJson()) {
        JsonLines.printObject(out, it -> it.writeStringField("at", instant.toString()));
      } else {
        out.println(instant);
      }
    }
    out.flush();
  }
}
