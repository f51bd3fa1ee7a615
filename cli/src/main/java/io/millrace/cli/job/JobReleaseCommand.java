package io.millrace.cli.job;

import io.millrace.api.JobReleaseResult;
import io.millrace.cli.place.JobAction;
import io.millrace.management.JobEngineMBean;
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
  JobAction<Outcome> action() {
    return named(
        JobReleaseResult.class,
        (engine, id) -> engine.admin().release(id),
        JobEngineMBean::release);
  }
}
