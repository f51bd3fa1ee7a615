package io.millrace.api;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A job is in the queue, and its end is waited for.
 *
 * @param jobId its id, for as long as it lives
 * @param end how it ends, as {@link JobQueues#await} tells it
 * @param <R> what it is completed with
 */
public record Submitted<R>(JobId jobId, CompletableFuture<JobEnd<R>> end) {
  public Submitted {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(end, "end");
  }

  /** As it was submitted, with the result that the codec reads. Whoever cancels waits no more. */
  static <R> Submitted<R> of(Submitted<byte[]> submitted, Codec<R> results) {
    CompletableFuture<JobEnd<byte[]>> bytes = submitted.end();
    CompletableFuture<JobEnd<R>> end = bytes.thenApply(it -> it.map(results::decode));
    end.whenComplete(
        (ended, thrown) -> {
          if (end.isCancelled()) {
            bytes.cancel(false);
          }
        });
    return new Submitted<>(submitted.jobId(), end);
  }
}
