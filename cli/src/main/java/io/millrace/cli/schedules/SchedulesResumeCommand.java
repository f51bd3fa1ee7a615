package io.millrace.cli.schedules;

import io.millrace.cli.command.MillraceCommand;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets a paused schedule go on. */
@Command(
    name = "resume",
    description = {"Lets a paused schedule go on with the first instant that is still to come."})
final class SchedulesResumeCommand extends MillraceCommand {

  @Mixin private ScheduleChange change = new ScheduleChange();

  @Override
  public Integer call() {
    return change.apply(
        (target, name) ->
            target.resume(name)
                ? Optional.of(
                    new ScheduleChange.Outcome(
                        "resumed", json -> json.writeBooleanField("paused", false)))
                : Optional.empty());
  }
}
