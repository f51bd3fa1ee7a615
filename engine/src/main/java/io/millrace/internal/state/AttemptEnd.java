package io.millrace.internal.state;

import io.millrace.api.JobState;
import io.millrace.internal.format.StateTraits;
import org.jspecify.annotations.Nullable;

/** The outcome of an attempt that ended. Outcomes with neither an error nor a result are shared. */
public final class AttemptEnd {

  /** The end of an attempt whose job is gone. */
  public static final AttemptEnd GONE = new AttemptEnd(null, null, null);

  private static final AttemptEnd[] PLAIN = plain();

  private final @Nullable JobState next;
  private final @Nullable String error;
  private final byte @Nullable [] result;

  private AttemptEnd(@Nullable JobState next, @Nullable String error, byte @Nullable [] result) {
    this.next = next;
    this.error = error;
    this.result = result;
  }

  private static AttemptEnd[] plain() {
    JobState[] states = JobState.values();
    AttemptEnd[] ends = new AttemptEnd[states.length];
    for (JobState state : states) {
      ends[state.ordinal()] = new AttemptEnd(state, null, null);
    }
    return ends;
  }

  /** Returns the end of an attempt that did not fail, after which the job has the given state. */
  public static AttemptEnd to(JobState next) {
    return PLAIN[next.ordinal()];
  }

  /**
   * Returns the outcome of an attempt.
   *
   * @param next the job's state from now on; null if the job is gone
   * @param error the error that the attempt failed with; null if it did not fail
   * @param result the result that the job was completed with; null if it was not completed, or
   *     without a result
   */
  public static AttemptEnd of(
      @Nullable JobState next, @Nullable String error, byte @Nullable [] result) {
    if (error != null || result != null) {
      return new AttemptEnd(next, error, result);
    }
    return next == null ? GONE : to(next);
  }

  /** Returns the job's state from now on; null if the job is gone. */
  @Nullable JobState next() {
    return next;
  }

  /** Returns the error that the attempt failed with; null if it did not fail. */
  @Nullable String error() {
    return error;
  }

  /**
   * Returns the result that the job was completed with; null if it was not completed, or without a
   * result.
   */
  byte @Nullable [] result() {
    return result;
  }

  /** Tells whether the job has ended with the attempt: it is done, dead or gone. */
  boolean isLast() {
    return next == null || StateTraits.of(next).isEnd();
  }
}
