package io.millrace.cli.workers;

import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets a worker claim no more jobs. */
@Command(
    name = "pause",
    description = {
      "Has a worker claim no more jobs.",
      "Those that it runs go on. It holds until the worker is resumed or its process ends."
    })
final class WorkersPauseCommand extends MillraceCommand {

  @Mixin private WorkerChange change = new WorkerChange();

  @Override
  public Integer call() {
    return change.apply(
        worker -> {
          worker.pause();
          return new WorkerChange.Outcome(
              "paused %s", json -> json.writeBooleanField("paused", true));
        });
  }
}
