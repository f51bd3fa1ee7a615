package io.millrace.api;

import java.util.Objects;
import java.util.Optional;

/**
 * A job is in the queue: a new one, or one that holds the {@link UniqueKey} which the new one asked
 * for.
 *
 * @param jobId its id, for as long as it lives; of a duplicate that of the job that holds the key,
 *     which may have ended if it holds it {@link UniqueKey.Scope#FOR} a time
 * @param kind whether it is new
 * @param replaced the job that was cancelled for it, if it is {@link Kind#REPLACED}
 */
public record Enqueued(JobId jobId, Kind kind, Optional<JobId> replaced) implements EnqueueResult {

  /** Whether a job is new. */
  public enum Kind {
    /** It was enqueued. */
    NEW,
    /** Another job holds its key: nothing was changed. */
    DUPLICATE,
    /** It was enqueued, and the job that held its key was cancelled. */
    REPLACED
  }

  public Enqueued {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(replaced, "replaced");
  }

  /** A new job. */
  public Enqueued(JobId jobId) {
    this(jobId, Kind.NEW, Optional.empty());
  }

  /** The job that holds the key. */
  public static Enqueued duplicateOf(JobId holder) {
    return new Enqueued(holder, Kind.DUPLICATE, Optional.empty());
  }

  /** A new job in place of another one. */
  public static Enqueued inPlaceOf(JobId replaced, JobId jobId) {
    return new Enqueued(jobId, Kind.REPLACED, Optional.of(replaced));
  }

  /** Whether nothing was enqueued, for another job holds the key. */
  public boolean isDuplicate() {
    return kind == Kind.DUPLICATE;
  }

  @Override
  public Enqueued orThrow() {
    return this;
  }
}
