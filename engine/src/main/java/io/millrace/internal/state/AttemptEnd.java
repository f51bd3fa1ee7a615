package io.millrace.internal.state;

import io.millrace.api.JobState;
import org.jspecify.annotations.Nullable;

/** What comes of an attempt that ended. One without an error and a result is made once. */
public final class AttemptEnd {

  /** The job is no more. */
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

  /** Nothing failed, and the job has this state from now on. */
  public static AttemptEnd to(JobState next) {
    return PLAIN[next.ordinal()];
  }

  /**
   * How it ended.
   *
   * @param next the job's state from now on; null if it is no more
   * @param error what the attempt failed of; null if it did not fail
   * @param result what the job was completed with; null if it was not, or with nothing
   */
  public static AttemptEnd of(
      @Nullable JobState next, @Nullable String error, byte @Nullable [] result) {
    if (error != null || result != null) {
      return new AttemptEnd(next, error, result);
    }
    return next == null ? GONE : to(next);
  }

  /** The job's state from now on; null if it is no more. */
  @Nullable JobState next() {
    return next;
  }

  /** What the attempt failed of; null if it did not fail. */
  @Nullable String error() {
    return error;
  }

  /** What the job was completed with; null if it was not, or with nothing. */
  byte @Nullable [] result() {
    return result;
  }

  /** Whether the job has ended with the attempt: it is done, dead, or no more. */
  boolean isLast() {
    return next == null || next == JobState.DONE || next == JobState.DEAD;
  }
}
