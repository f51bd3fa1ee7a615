package io.millrace.cli.queue;

import io.millrace.api.DrainResult;
import io.millrace.api.Limits;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.option.AgeConverter;
import io.millrace.console.text.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Refuses new jobs of a queue until the drain is ended. */
@Command(
    name = "drain",
    description = {
      "Refuses new jobs of a queue until the drain is ended.",
      "Jobs that are there are served. It holds over restarts."
    })
final class QueueDrainCommand extends QueueChange {

  @Option(
      names = "--wait",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "Wait so long until nothing is left to be worked on: 90s, 15m, 12h.")
  private @Nullable Duration wait;

  @Option(names = "--end", description = "Take new jobs again.")
  private boolean isEnded;

  @Override
  Action action() {
    if (isEnded && wait != null) {
      throw new ParameterException(command(), "--end goes without --wait");
    }
    if (wait != null && wait.compareTo(Limits.DELAY_MAX) > 0) {
      throw new ParameterException(command(), "--wait is at most 3650d");
    }
    return (target, queue) -> {
      if (isEnded) {
        target.endDrain(queue);
        return new Outcome("takes new jobs again:", "drain", "ENDED");
      }
      DrainResult result = target.drain(queue, wait == null ? Duration.ZERO : wait);
      if (wait != null && !result.isDone()) {
        throw new CannotException(
            "queue is not empty yet, and goes on refusing new jobs: "
                + Printable.text(queue.toString()));
      }
      return new Outcome(
          result.isDone() ? "drained, nothing is left:" : "draining, jobs are left:",
          "drain",
          result.name());
    };
  }
}
