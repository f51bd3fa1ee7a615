package io.millrace.internal.transition.move;

import io.millrace.api.Backoff;
import io.millrace.api.Limits;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.HistoryRecord;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.transition.OpenBatch;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Rules for attempts: how one that has counted is recorded, and how long the job waits for the
 * next.
 */
public final class Attempts {

  private Attempts() {}

  /**
   * Returns the record after the leased attempt has ended and counted. That of a failed attempt
   * keeps the signal with which the attempt began, so that the next one is told it once more.
   *
   * @param error the reason for the failure; null if the attempt succeeded
   */
  public static JobRecord ended(
      OpenBatch batch, JobRecord job, LeaseEntry lease, @Nullable String error) {
    JobRecordBuilder ended = job.toBuilder();
    return (error == null
            ? ended.wake(job.wakeReason())
            : ended.set(JobField.WAKE_REASON, JobRecord.WAKE_RETRY))
        .set(JobField.EXPIRE_AT_MS, 0)
        .set(JobField.ATTEMPTS, lease.attempt())
        .set(JobField.LAST_ERROR, error)
        .set(JobField.LAST_WORKER, lease.worker())
        .set(
            JobField.FIRST_STARTED_AT_MS,
            job.firstStartedAtMs() == 0 ? lease.startedAtMs() : job.firstStartedAtMs())
        .set(JobField.LAST_STARTED_AT_MS, lease.startedAtMs())
        .set(JobField.LAST_ENDED_AT_MS, batch.nowMs())
        .build();
  }

  /**
   * Adds the leased attempt to the job's history, if the record says that it has counted. The
   * oldest goes if there are too many. Attempts are numbered over the job's whole life, without
   * gaps, so that the keys of those that are kept follow from how many there were.
   */
  static void addToHistory(OpenBatch batch, LeaseEntry lease, JobRecord ended) {
    if (ended.attempts() < lease.attempt()) {
      return;
    }
    int number = ended.earlierAttempts() + ended.attempts();
    byte[] key = HistoryKeys.key(lease.queue(), lease.birth(), number);
    HistoryRecord attempt =
        new HistoryRecord(
            ended.attempts(),
            lease.startedAtMs(),
            ended.lastEndedAtMs(),
            lease.worker(),
            ended.lastError());
    batch.put(key, attempt.encode(key));
    if (number > Limits.HISTORY_COUNT_MAX) {
      batch.delete(
          HistoryKeys.key(lease.queue(), lease.birth(), number - Limits.HISTORY_COUNT_MAX));
    }
  }

  /**
   * Returns the text, cut between characters to the {@link Limits#ERROR_BYTES_MAX} bytes that are
   * kept. Each character that UTF-8 cannot hold becomes a question mark.
   */
  public static String cut(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= Limits.ERROR_BYTES_MAX) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    int length = Limits.ERROR_BYTES_MAX;
    while ((bytes[length] & 0xC0) == 0x80) {
      length--;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  /**
   * Returns how many milliseconds the job waits after its newest attempt: from 0 to the backoff's
   * max, and never more.
   */
  public static long backoffMs(OpenBatch batch, JobRecord job, Backoff backoff) {
    long maxMs = backoff.max().toMillis();
    double waitMs = Math.min(plainMs(backoff, job.attempts()), maxMs);
    double spread = backoff.jitter() * (2 * batch.context().random().getAsDouble() - 1);
    return Math.max(0, Math.min(maxMs, Math.round(waitMs * (1 + spread))));
  }

  /**
   * Returns the wait before jitter and max, in floating point: that overflows to infinity and not
   * to a negative wait.
   */
  private static double plainMs(Backoff backoff, int attempt) {
    if (backoff instanceof Backoff.Exponential exponential) {
      return exponential.initial().toMillis() * Math.pow(exponential.multiplier(), attempt - 1);
    }
    if (backoff instanceof Backoff.Linear linear) {
      return linear.initial().toMillis() + (double) linear.step().toMillis() * (attempt - 1);
    }
    Backoff.Custom custom = (Backoff.Custom) backoff;
    int index = Math.min(attempt, custom.delays().size()) - 1;
    return custom.delays().get(index).toMillis();
  }
}
