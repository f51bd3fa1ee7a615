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
}
