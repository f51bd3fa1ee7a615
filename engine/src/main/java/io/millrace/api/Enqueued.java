package io.millrace.api;

import java.util.Objects;
import java.util.Optional;

/**
 * A job that is in the queue: a new one, or one that already holds the {@link UniqueKey} of the job
 * offered.
 *
 * @param jobId the job's id, which never changes. For a duplicate it is the id of the job that
 *     holds the key, which may have ended if it holds the key {@link UniqueKey.Scope#FOR} a time
 * @param kind whether the job is new
 * @param replaced the job that was cancelled in favour of this one, if the kind is {@link
 *     Kind#REPLACED}
 */
public record Enqueued(JobId jobId, Kind kind, Optional<JobId> replaced) implements EnqueueResult {

  /** The ways in which a job came to be in the queue. */
  public enum Kind {
    /** The job was enqueued. */
    NEW,
    /** Another job holds the unique key: nothing was changed. */
    DUPLICATE,
    /** The job was enqueued, and the job that held its key was cancelled. */
    REPLACED
  }

  public Enqueued {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(replaced, "replaced");
  }

  /** Creates the result for a new job. */
  public Enqueued(JobId jobId) {
    this(jobId, Kind.NEW, Optional.empty());
  }

  /** Returns the result for a job that was not enqueued because another job holds its key. */
  public static Enqueued duplicateOf(JobId holder) {
    return new Enqueued(holder, Kind.DUPLICATE, Optional.empty());
  }

  /** Returns the result for a new job that replaced another one. */
  public static Enqueued inPlaceOf(JobId replaced, JobId jobId) {
    return new Enqueued(jobId, Kind.REPLACED, Optional.of(replaced));
  }

  /** Tells whether nothing was enqueued because another job holds the key. */
  public boolean isDuplicate() {
    return kind == Kind.DUPLICATE;
  }

  @Override
  public Enqueued orThrow() {
    return this;
  }
}
