package io.millrace.cli.queue;

import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Serves claims of a queue again. */
@Command(
    name = "resume",
    description = {"Serves claims of a queue again."})
final class QueueResumeCommand extends MillraceCommand {

  @Mixin private QueueChange change = new QueueChange();

  @Override
  public Integer call() {
    return change.apply(
        (target, queue) -> {
          target.resume(queue);
          return new QueueChange.Outcome("resumed", "paused", false);
        });
  }
}
