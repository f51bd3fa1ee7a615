package io.millrace.cli.batch;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.option.BatchIdConverter;
import io.millrace.cli.place.Target;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names one batch. */
final class BatchOption {

  @Option(
      names = "--batch",
      paramLabel = "ID",
      required = true,
      converter = BatchIdConverter.class,
      description = "The batch.")
  private @Nullable BatchId id;

  BatchId id() {
    return Optional.ofNullable(id).orElseThrow();
  }

  /**
   * Returns the batch as it is now.
   *
   * @throws CannotException the store does not have it
   */
  BatchStats in(Target target) {
    return target
        .batch(id())
        .orElseThrow(
            () ->
                new CannotException(
                    "no such batch, it never was, or its retention has passed: batch=" + id));
  }
}
