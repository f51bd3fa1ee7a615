package io.millrace.cli.job;

import io.millrace.api.RescheduleResult;
import io.millrace.cli.command.Checked;
import io.millrace.cli.option.AgeConverter;
import io.millrace.cli.option.InstantConverter;
import io.millrace.cli.place.JobAction;
import io.millrace.options.Checks;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Makes jobs wait for another time. */
@Command(
    name = "reschedule",
    description = {
      "Makes jobs that wait become ready at another time; if it has passed, at once.",
      "Needs --job or --where, and --at or --in."
    })
final class JobRescheduleCommand extends JobChange {

  @Option(
      names = "--at",
      paramLabel = "INSTANT",
      converter = InstantConverter.class,
      description = "At this time, such as 2030-01-31T12:00:00Z.")
  private @Nullable Instant at;

  @Option(
      names = "--in",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "After this time: 90s, 15m, 12h, 7d; 0s is at once.")
  private @Nullable Duration delay;

  @Override
  JobAction<Outcome> action() {
    if ((at == null) == (delay == null)) {
      throw new ParameterException(command(), "say when: --at or --in, one of them");
    }
    Instant asked = at == null ? Instant.now().plus(delay) : at;
    Instant visibleAt = Checked.value(command(), () -> Checks.instant("--at", asked));
    return named(
        RescheduleResult.class,
        (engine, id) -> engine.reschedule(id, visibleAt),
        (engine, id) -> engine.reschedule(id, visibleAt.toEpochMilli()));
  }
}
