package io.millrace.cli.batch;

import io.millrace.api.BatchStats;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.LiveTarget;
import io.millrace.cli.place.Target;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** Waits until a batch is over. */
@Command(
    name = "await",
    description = {
      "Waits until a batch of a running engine is over, and shows it.",
      "Ends with 0 if all of its jobs were completed, else with 1."
    })
final class BatchAwaitCommand extends MillraceCommand {

  private static final Duration INTERVAL = Duration.ofMillis(200);

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private BatchOption batch = new BatchOption();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    BatchStats over;
    try (LiveTarget target = store.live(command()).orElseThrow(this::noEngine)) {
      over = over(target);
    }
    new BatchListing(out(), json.isJson()).printOne(over);
    out().flush();
    return over.hasSucceeded() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private ParameterException noEngine() {
    return new ParameterException(
        command(), "say which process has the store open: --pid, or which server");
  }

  private BatchStats over(Target target) {
    BatchStats now = batch.in(target);
    while (!now.isOver()) {
      LockSupport.parkNanos(INTERVAL.toNanos());
      if (Thread.currentThread().isInterrupted()) {
        throw new CannotException("interrupted before the batch was over: batch=" + batch.id());
      }
      now = batch.in(target);
    }
    return now;
  }
}
