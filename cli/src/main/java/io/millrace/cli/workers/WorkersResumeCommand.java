package io.millrace.cli.workers;

import io.millrace.cli.command.MillraceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets a worker claim jobs again. */
@Command(name = "resume", description = "Has a worker that was paused claim jobs again.")
final class WorkersResumeCommand extends MillraceCommand {

  @Mixin private WorkerChange change = new WorkerChange();

  @Override
  public Integer call() {
    return change.apply(
        worker -> {
          worker.resume();
          return new WorkerChange.Outcome(
              "resumed %s", json -> json.writeBooleanField("paused", false));
        });
  }
}
