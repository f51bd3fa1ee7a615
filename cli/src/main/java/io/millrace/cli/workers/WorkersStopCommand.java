package io.millrace.cli.workers;

import io.millrace.cli.command.MillraceCommand;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.DescribedJson;
import io.millrace.worker.StopReport;
import io.millrace.worker.WorkerDescriptions;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Stops a worker. */
@Command(
    name = "stop",
    description = {
      "Stops a worker for good, but not its process: it claims no more, and waits for the jobs that"
          + " it runs.",
      "Those that take longer than the grace are interrupted, and handed back if they do not end."
          + " Their attempts are not counted."
    })
final class WorkersStopCommand extends MillraceCommand {

  private static final long GRACE_SECONDS_MAX = 86_400;

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long to wait for running jobs (default: ${DEFAULT-VALUE}).")
  private long graceSeconds;

  @Mixin private WorkerChange change = new WorkerChange();

  @Override
  public Integer call() {
    if (graceSeconds < 0 || graceSeconds > GRACE_SECONDS_MAX) {
      throw new ParameterException(
          command(),
          "--grace is from 0 to %d seconds: %d".formatted(GRACE_SECONDS_MAX, graceSeconds));
    }
    return change.apply(
        worker -> {
          StopReport report = worker.stop(Duration.ofSeconds(graceSeconds));
          return new WorkerChange.Outcome(
              text(report),
              json -> DescribedJson.writeAttributes(WorkerDescriptions.STOP_REPORT, report, json));
        });
  }

  private static String text(StopReport report) {
    return "stopped %s: "
        + Amounts.count(report.finished(), "job")
        + " finished, "
        + Amounts.count(report.interrupted())
        + " interrupted, "
        + Amounts.count(report.released())
        + " handed back";
  }
}
