package io.millrace.cli.job;

import io.millrace.api.CancelResult;
import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Cancels jobs. */
@Command(
    name = "cancel",
    description = {
      "Removes jobs. The worker of a leased one is asked to let go of it, and then it is removed.",
      "Needs --job or --where."
    })
final class JobCancelCommand extends MillraceCommand {

  @Mixin private JobChange change = new JobChange();

  @Option(names = "--if-waiting", description = "Leave jobs alone that are worked on.")
  private boolean isIfWaiting;

  @Override
  public Integer call() {
    return change.apply(
        (target, id) -> {
          CancelResult result = isIfWaiting ? target.cancelIfWaiting(id) : target.cancel(id);
          return new JobChange.Outcome(result.name(), result.isDone());
        });
  }
}
