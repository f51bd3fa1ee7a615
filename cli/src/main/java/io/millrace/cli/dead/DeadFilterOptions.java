package io.millrace.cli.dead;

import io.millrace.api.DeadFilter;
import io.millrace.cli.option.AgeConverter;
import io.millrace.cli.option.FilledConverter;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select dead letters in the queues of a command. */
final class DeadFilterOptions {

  @Option(
      names = "--error",
      paramLabel = "TEXT",
      converter = FilledConverter.class,
      description = "Only those whose last error contains this, in the same case.")
  private @Nullable String error;

  @Option(
      names = "--older-than",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "Only those that died longer ago than this: 90s, 15m, 12h, 7d.")
  private @Nullable Duration age;

  boolean isGiven() {
    return error != null || age != null;
  }

  DeadFilter filter(Instant now) {
    DeadFilter filter = DeadFilter.ALL;
    if (error != null) {
      filter = filter.errorContains(error);
    }
    if (age != null) {
      Instant before = now.minus(age);
      filter = filter.diedBefore(before.isBefore(Instant.EPOCH) ? Instant.EPOCH : before);
    }
    return filter;
  }
}
