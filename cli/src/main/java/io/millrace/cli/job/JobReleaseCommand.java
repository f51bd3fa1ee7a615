package io.millrace.cli.job;

import io.millrace.api.JobReleaseResult;
import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Takes the leases on jobs away. */
@Command(
    name = "release",
    description = {
      "Takes running jobs from workers that hang or are gone; they are ready again, uncounted.",
      "Needs --job or --where."
    })
final class JobReleaseCommand extends MillraceCommand {

  @Mixin private JobChange change = new JobChange();

  @Override
  public Integer call() {
    return change.apply(
        (target, id) -> {
          JobReleaseResult result = target.release(id);
          return new JobChange.Outcome(result.name(), result.isDone());
        });
  }
}
