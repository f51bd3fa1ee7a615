package io.millrace.model.linear;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import java.util.Map;

/** Answers that are more than a text. */
final class Seen {

  /** The answer of what has none. */
  static final String DONE = "done";

  /** The answer of a look at something that does not exist. */
  static final String NONE = "none";

  /**
   * The answer of a look that was ended by its limit of time, for the clock was moved meanwhile.
   */
  static final String CUT_SHORT = "cut short";

  private Seen() {}

  /** A lease as its claimer got it. */
  record Grant(int queue, int job, long token, int attempt, int priority, int version) {}

  /**
   * A job as it was found.
   *
   * @param token that of its lease, 0 if it has none
   * @param cancel whether the lease's holder is asked to stop
   */
  record JobSeen(
      JobState state, int priority, int attempts, int version, long token, Cancel cancel) {}

  /** Whether somebody asked for a leased job to be cancelled. */
  enum Cancel {
    ASKED,
    NOT_ASKED
  }

  /** A queue's counts, without the zeros. */
  record StatsSeen(Map<JobState, Long> counts, Map<Total, Long> totals, Call.Serving serving) {}
}
