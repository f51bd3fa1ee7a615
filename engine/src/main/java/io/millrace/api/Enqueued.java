package io.millrace.api;

import java.util.Objects;

/**
 * A job is in the queue.
 *
 * @param jobId its id, for as long as it lives
 */
public record Enqueued(JobId jobId) implements EnqueueResult {

  public Enqueued {
    Objects.requireNonNull(jobId, "jobId");
  }

  @Override
  public Enqueued orThrow() {
    return this;
  }
}
