package io.millrace.cli.schedules;

import io.millrace.cli.place.ScheduleTarget;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Lets a paused schedule go on. */
@Command(
    name = "resume",
    description = {"Lets a paused schedule go on with the first instant that is still to come."})
final class SchedulesResumeCommand extends ScheduleChange {

  @Override
  Optional<Outcome> change(ScheduleTarget target, String name) {
    return target.resume(name)
        ? Optional.of(new Outcome("resumed", json -> json.writeBooleanField("paused", false)))
        : Optional.empty();
  }
}
