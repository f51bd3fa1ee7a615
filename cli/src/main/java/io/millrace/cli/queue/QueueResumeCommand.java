package io.millrace.cli.queue;

import io.millrace.cli.command.CommonOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Serves claims of a queue again. */
@Command(
    name = "resume",
    description = {"Serves claims of a queue again."})
final class QueueResumeCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
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
