package io.millrace.cli.schedules;

import io.millrace.cli.command.CommonOptions;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets a paused schedule go on. */
@Command(
    name = "resume",
    description = {"Lets a paused schedule go on with the first instant that is still to come."})
final class SchedulesResumeCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
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
