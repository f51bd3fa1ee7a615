package io.millrace.api;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A job that is in the queue, with a future of its end.
 *
 * @param jobId the job's id, which never changes
 * @param end the job's end, as {@link JobQueues#await} gives it
 * @param <R> the type of the job's result
 */
public record Submitted<R>(JobId jobId, CompletableFuture<JobEnd<R>> end) {
  public Submitted {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(end, "end");
  }

  /**
   * Returns the submitted job with a result that the codec decodes. Cancelling its future cancels
   * the original one.
   */
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
