package io.millrace.cli.workers;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JobIdConverter;
import io.millrace.cli.place.LiveWorker;
import io.millrace.cli.place.WorkerProcess;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Cancels jobs that workers run. */
@Command(
    name = "cancel",
    description = {
      "Cancels jobs that workers of the process run: interrupts their handlers at once.",
      "Needs --job. Jobs that wait are cancelled by 'millrace job cancel'."
    })
final class WorkersCancelCommand extends MillraceCommand {

  @Mixin private WorkerChange change = new WorkerChange();

  @Option(
      names = "--job",
      paramLabel = "ID",
      required = true,
      converter = JobIdConverter.class,
      description = "This job; may be given several times.")
  private Set<JobId> jobIds = new LinkedHashSet<>();

  @Override
  public Integer call() {
    List<String> refused = new ArrayList<>();
    try (WorkerProcess process = change.attach()) {
      List<LiveWorker> workers = process.workers(change.workers().choice());
      for (JobId id : jobIds) {
        boolean isDone =
            workers.stream()
                .filter(worker -> worker.isRunning(id))
                .anyMatch(worker -> isCancelled(worker, id));
        if (!isDone) {
          refused.add(id.toString());
        }
      }
    }
    if (!refused.isEmpty()) {
      throw new CannotException("no worker that is meant runs it: " + String.join(", ", refused));
    }
    return ExitCode.OK;
  }

  private boolean isCancelled(LiveWorker worker, JobId id) {
    CancelResult result = worker.cancel(id);
    if (result.isDone()) {
      change.print(
          worker,
          new WorkerChange.Outcome(
              id + " " + result.name() + " at %s",
              json -> {
                json.writeStringField("job", id.toString());
                json.writeStringField("outcome", result.name());
              }));
    }
    return result.isDone();
  }
}
