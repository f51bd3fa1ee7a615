package io.millrace.cli.schedules;

import io.millrace.cli.place.ScheduleTarget;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Makes a job of a schedule at once. */
@Command(
    name = "run",
    description = {
      "Makes a job of a schedule at once, paused or not; its instants stay as they are."
    })
final class SchedulesRunCommand extends ScheduleChange {

  @Override
  Optional<Outcome> change(ScheduleTarget target, String name) {
    return target
        .runNow(name)
        .map(
            job ->
                new Outcome(
                    "made job " + job + " of",
                    json -> json.writeStringField("job", job.toString())));
  }
}
