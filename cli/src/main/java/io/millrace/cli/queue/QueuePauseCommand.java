package io.millrace.cli.queue;

import picocli.CommandLine.Command;

/** Stops serving claims of a queue. */
@Command(
    name = "pause",
    description = {
      "Stops serving claims of a queue.",
      "What is claimed goes on, and jobs can be enqueued. It holds over restarts."
    })
final class QueuePauseCommand extends QueueChange {

  @Override
  Action action() {
    return (target, queue) -> {
      target.pause(queue);
      return new Outcome("paused", "paused", true);
    };
  }
}
