package io.millrace.cli.schedules;

import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes a job of a schedule at once. */
@Command(
    name = "run",
    description = {
      "Makes a job of a schedule at once, paused or not; its instants stay as they are."
    })
final class SchedulesRunCommand extends MillraceCommand {

  @Mixin private ScheduleChange change = new ScheduleChange();

  @Override
  public Integer call() {
    return change.apply(
        (target, name) ->
            target
                .runNow(name)
                .map(
                    job ->
                        new ScheduleChange.Outcome(
                            "made job " + job + " of",
                            json -> json.writeStringField("job", job.toString()))));
  }
}
