package io.millrace.cli.schedules;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.pages.Pages;
import io.millrace.cli.place.ScheduleTarget;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.DescribedJson;
import io.millrace.console.text.Printable;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.WorkerDescriptions;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows schedules. */
@Command(
    name = "schedules",
    description = {
      "Shows the schedules of STORE, or those that a worker of the process --pid knows.",
      "Its commands show the next instants of one, pause and resume it, and make a job at once."
    },
    subcommands = {
      SchedulesNextCommand.class,
      SchedulesPauseCommand.class,
      SchedulesResumeCommand.class,
      SchedulesRunCommand.class
    })
public final class SchedulesCommand extends MillraceCommand {

  @Mixin private ScheduleOptions store = new ScheduleOptions();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    CommandLine command = command();
    List<ScheduleStatus> all = new ArrayList<>();
    try (ScheduleTarget target = store.toRead(command)) {
      new Pages<>(target::schedules).forEachRemaining(all::add);
    }
    PrintWriter out = out();
    if (json.isJson()) {
      all.forEach(
          schedule ->
              JsonLines.print(
                  out,
                  generator ->
                      DescribedJson.write(WorkerDescriptions.SCHEDULE, schedule, generator)));
    } else if (all.isEmpty()) {
      out.println("no schedules");
    } else {
      printTable(out, all);
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void printTable(PrintWriter out, List<ScheduleStatus> all) {
    TextTable table =
        new TextTable()
            .column("SCHEDULE", Align.LEFT)
            .column("TIMES", Align.LEFT)
            .column("QUEUE", Align.LEFT)
            .column("NEXT", Align.LEFT)
            .column("LAST", Align.LEFT)
            .column("OWNER", Align.LEFT);
    for (ScheduleStatus schedule : all) {
      table.row(
          List.of(
              Printable.text(schedule.name()),
              Printable.text(schedule.times()),
              Printable.text(schedule.queue().toString()),
              next(schedule),
              schedule.last().map(Instant::toString).orElse("-"),
              schedule.owner().map(Printable::text).orElse("-")));
    }
    table.print(out);
    for (ScheduleStatus schedule : all) {
      schedule
          .unreadable()
          .ifPresent(
              why ->
                  out.printf(
                      "%s cannot be carried out: %s%n",
                      Printable.text(schedule.name()), Printable.text(why)));
    }
  }

  private static String next(ScheduleStatus schedule) {
    String waiting = schedule.unreadable().isPresent() ? "unreadable" : "paused";
    return schedule.next().map(Instant::toString).orElse(waiting);
  }
}
