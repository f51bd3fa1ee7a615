package io.millrace.cli.job;

import io.millrace.api.CancelResult;
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
  Action action() {
    return (target, id) -> {
      CancelResult result = isIfWaiting ? target.cancelIfWaiting(id) : target.cancel(id);
      return new Outcome(result.name(), result.isDone());
    };
  }
}
