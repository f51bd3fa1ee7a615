package io.millrace.internal.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.BatchId;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.QueueName;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.TallyKeys;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The conditions of a filter on jobs: first those that a job's own record answers. */
final class JobMatch {

  private final JobFilter filter;
  private final long sinceMs;
  private final long beforeMs;
  private final @Nullable String error;
  private final @Nullable String type;
  private final @Nullable String uniqueKey;
  private final byte @Nullable [] concurrencyKey;
  private final @Nullable BatchId batch;
  private final @Nullable Long stuckBeforeMs;
  private final Map<String, String> headers;
  private final long headersBytes;

  JobMatch(JobFilter filter) {
    this.filter = filter;
    this.sinceMs = filter.enqueuedSince().map(JobMatch::ceilingMs).orElse(0L);
    this.beforeMs = filter.enqueuedBefore().map(JobMatch::ceilingMs).orElse(Long.MAX_VALUE);
    this.error = filter.errorContains().orElse(null);
    this.type = filter.type().orElse(null);
    this.uniqueKey = filter.uniqueKey().orElse(null);
    this.batch = filter.batch().orElse(null);
    this.stuckBeforeMs = filter.stuckBefore().map(JobMatch::ceilingMs).orElse(null);
    this.headers = filter.headers();
    this.headersBytes = new Payload.Inline(new byte[0], headers).contentBytes();
    this.concurrencyKey = filter.concurrencyKey().map(key -> key.getBytes(UTF_8)).orElse(null);
  }

  /**
   * Tells whether the job, of the queue with this name, meets all conditions but {@link
   * #hasHeaders}.
   */
  boolean test(QueueName queue, StoredJob job) {
    int priority = job.record().priority();
    int attempts = job.attempts();
    long enqueuedAtMs = job.record().enqueuedAtMs();
    return priority >= filter.priorityLeast()
        && priority <= filter.priorityMost()
        && attempts >= filter.attemptsLeast()
        && attempts <= filter.attemptsMost()
        && enqueuedAtMs >= sinceMs
        && enqueuedAtMs < beforeMs
        && (type == null || type.equals(job.type(queue)))
        && (uniqueKey == null || uniqueKey.equals(job.uniqueKey()))
        && (concurrencyKey == null || Arrays.equals(concurrencyKey, job.record().concurrencyKey()))
        && (batch == null || batch.value() == job.record().tally())
        && (error == null || hasError(job, error))
        && (stuckBeforeMs == null || isStuck(job.record(), stuckBeforeMs))
        && (headers.isEmpty() || mayHaveHeaders(job.record().payload()));
  }

  /**
   * Tells whether the job may have the headers that are asked for. Headers beside a long payload
   * are not in the record, which may tell that they are too short.
   */
  private boolean mayHaveHeaders(Payload payload) {
    if (payload instanceof Payload.Inline inline) {
      return hasAll(inline.headers(), headers);
    }
    int storedBytes = ((Payload.InBlob) payload).headersBytes();
    return storedBytes == 0 || storedBytes >= headersBytes;
  }

  /** Tells whether the job, whose payload was read, has all headers that are asked for. */
  boolean hasHeaders(Job job) {
    return headers.isEmpty() || hasAll(job.headers(), headers);
  }

  private static boolean hasAll(Map<String, String> headers, Map<String, String> wanted) {
    return headers.entrySet().containsAll(wanted.entrySet());
  }

  private static boolean isStuck(JobRecord job, long beforeMs) {
    byte[] signal = job.signal();
    return !(signal != null && TallyKeys.isSignal(signal))
        && job.waitSinceMs() != 0
        && job.waitTimerMs() == 0
        && job.waitSinceMs() < beforeMs;
  }

  /** Tells whether the error of the last counted attempt contains this text. */
  static boolean hasError(StoredJob job, String part) {
    String last = job.record().lastError();
    return last != null && last.contains(part);
  }

  /**
   * Rounds an instant up to milliseconds. Stored times are whole milliseconds: one is at or after
   * the instant if it is at or after this.
   */
  static long ceilingMs(Instant instant) {
    return instant.plusNanos(999_999).toEpochMilli();
  }
}
