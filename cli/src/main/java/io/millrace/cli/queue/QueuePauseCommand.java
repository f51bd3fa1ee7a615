package io.millrace.cli.queue;

import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops serving claims of a queue. */
@Command(
    name = "pause",
    description = {
      "Stops serving claims of a queue.",
      "What is claimed goes on, and jobs can be enqueued. It holds over restarts."
    })
final class QueuePauseCommand extends MillraceCommand {

  @Mixin private QueueChange change = new QueueChange();

  @Override
  public Integer call() {
    return change.apply(
        (target, queue) -> {
          target.pause(queue);
          return new QueueChange.Outcome("paused", "paused", true);
        });
  }
}
