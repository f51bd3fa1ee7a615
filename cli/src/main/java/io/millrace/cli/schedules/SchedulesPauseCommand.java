package io.millrace.cli.schedules;

import io.millrace.cli.command.MillraceCommand;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets a schedule make no more jobs. */
@Command(
    name = "pause",
    description = {
      "Lets a schedule make no more jobs until it is resumed. What it has made stays."
    })
final class SchedulesPauseCommand extends MillraceCommand {

  @Mixin private ScheduleChange change = new ScheduleChange();

  @Override
  public Integer call() {
    return change.apply(
        (target, name) ->
            target.pause(name)
                ? Optional.of(
                    new ScheduleChange.Outcome(
                        "paused", json -> json.writeBooleanField("paused", true)))
                : Optional.empty());
  }
}
