package io.millrace.internal.transition;

import io.millrace.api.Limits;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.HistoryRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;
import org.jspecify.annotations.Nullable;

/**
 * The finished attempts of a job. They are numbered over its whole life, without gaps, so the keys
 * of those that are kept follow from how many there were, and nothing has to be looked for.
 */
final class History {

  private History() {}

  /** Adds the leased attempt, which ends now and counts; the oldest goes if there are too many. */
  static void add(Change change, JobRecord job, LeaseEntry lease, @Nullable String error) {
    int number = job.earlierAttempts() + lease.attempt();
    byte[] key = HistoryKeys.key(lease.queue(), lease.birth(), number);
    HistoryRecord attempt =
        new HistoryRecord(
            lease.attempt(), lease.startedAtMs(), change.nowMs(), lease.worker(), error);
    change.put(key, attempt.encode(key));
    if (number > Limits.HISTORY_COUNT_MAX) {
      change.delete(
          HistoryKeys.key(lease.queue(), lease.birth(), number - Limits.HISTORY_COUNT_MAX));
    }
  }

  /** Deletes what is kept of a job that has finished so many attempts over its life. */
  static void forget(Change change, int queue, long birth, int finishedAttempts) {
    int oldest = Math.max(1, finishedAttempts - Limits.HISTORY_COUNT_MAX + 1);
    for (int number = oldest; number <= finishedAttempts; number++) {
      change.delete(HistoryKeys.key(queue, birth, number));
    }
  }
}
