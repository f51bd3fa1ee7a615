package io.millrace.cli.schedules;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.place.ScheduleTarget;
import io.millrace.cli.text.JsonLines;
import io.millrace.console.text.Printable;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** A command that changes a schedule: it opens the store, changes the schedule, and reports. */
abstract class ScheduleChange extends MillraceCommand {

  @Mixin private ScheduleOptions store = new ScheduleOptions();
  @Mixin private ScheduleOption schedule = new ScheduleOption();
  @Mixin private JsonOption json = new JsonOption();

  /**
   * The outcome of a change, as it is reported.
   *
   * @param text the words before the schedule's name, for people
   * @param fields the fields beside the schedule's name, for programs
   */
  record Outcome(String text, JsonLines.Document fields) {}

  /** Changes the schedule, and returns the outcome; empty if it is not there. */
  abstract Optional<Outcome> change(ScheduleTarget target, String name);

  @Override
  public final Integer call() {
    String name = schedule.name(command());
    Outcome outcome;
    try (ScheduleTarget target = store.toChange(command())) {
      outcome = schedule.there(name, () -> change(target, name));
    }
    json.answer(
        out(),
        outcome.text() + " " + Printable.text(name),
        generator -> {
          generator.writeStringField("schedule", name);
          outcome.fields().writeTo(generator);
        });
    return ExitCode.OK;
  }
}
