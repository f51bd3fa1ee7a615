package io.millrace.cli.job;

import io.millrace.api.CancelResult;
import io.millrace.api.JobQueues;
import io.millrace.cli.place.JobAction;
import io.millrace.management.JobEngineMBean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Cancels jobs. */
@Command(
    name = "cancel",
    description = {
      "Removes jobs. The worker of a leased one is asked to let go of it, and then it is removed.",
      "Needs --job or --where."
    })
final class JobCancelCommand extends JobChange {

  @Option(names = "--if-waiting", description = "Leave jobs alone that are worked on.")
  private boolean isIfWaiting;

  @Override
  JobAction<Outcome> action() {
    return isIfWaiting
        ? named(CancelResult.class, JobQueues::cancelIfWaiting, JobEngineMBean::cancelIfWaiting)
        : named(CancelResult.class, JobQueues::cancel, JobEngineMBean::cancel);
  }
}
