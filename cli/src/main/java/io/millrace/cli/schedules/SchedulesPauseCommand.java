package io.millrace.cli.schedules;

import io.millrace.cli.place.ScheduleTarget;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Lets a schedule make no more jobs. */
@Command(
    name = "pause",
    description = {
      "Lets a schedule make no more jobs until it is resumed. What it has made stays."
    })
final class SchedulesPauseCommand extends ScheduleChange {

  @Override
  Optional<Outcome> change(ScheduleTarget target, String name) {
    return target.pause(name)
        ? Optional.of(new Outcome("paused", json -> json.writeBooleanField("paused", true)))
        : Optional.empty();
  }
}
