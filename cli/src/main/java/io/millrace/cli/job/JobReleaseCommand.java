package io.millrace.cli.job;

import io.millrace.api.JobReleaseResult;
import picocli.CommandLine.Command;

/** Takes the leases on jobs away. */
@Command(
    name = "release",
    description = {
      "Takes running jobs from workers that hang or are gone; they are ready again, uncounted.",
      "Needs --job or --where."
    })
final class JobReleaseCommand extends JobChange {

  @Override
  Action action() {
    return (target, id) -> {
      JobReleaseResult result = target.release(id);
      return new Outcome(result.name(), result.isDone());
    };
  }
}
