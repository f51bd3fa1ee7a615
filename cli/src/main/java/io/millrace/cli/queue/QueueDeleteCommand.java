package io.millrace.cli.queue;

import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Deletes a queue with its settings and all of its jobs, leased ones too. */
@Command(
    name = "delete",
    description = {"Deletes a queue with its settings and all of its jobs, leased ones too."})
final class QueueDeleteCommand extends MillraceCommand {

  @Mixin private QueueChange change = new QueueChange();

  @Override
  public Integer call() {
    return change.apply(
        (target, queue) ->
            new QueueChange.Outcome("deleted", "deleted", target.deleteQueue(queue)));
  }
}
