package io.millrace.cli.queue;

import picocli.CommandLine.Command;

/** Serves claims of a queue again. */
@Command(
    name = "resume",
    description = {"Serves claims of a queue again."})
final class QueueResumeCommand extends QueueChange {

  @Override
  Action action() {
    return (target, queue) -> {
      target.resume(queue);
      return new Outcome("resumed", "paused", false);
    };
  }
}
