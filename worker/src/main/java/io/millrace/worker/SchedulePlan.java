package io.millrace.worker;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.Transaction;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * When a schedule makes which jobs. Immutable.
 *
 * @param times when; a period has its beginning here
 * @param jitterMs the longest delay that is drawn
 * @param queue where the jobs go
 * @param job what they are
 */
record SchedulePlan(
    Recurrence times, Missed missed, Overlap overlap, long jitterMs, QueueName queue, NewJob job) {

  /**
   * Payloads of one transaction, if there are several: others wait for as long as it is written.
   */
  private static final int STEP_BYTES_MAX = 2 << 20;

  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** The same at other times. */
  SchedulePlan at(Recurrence other) {
    return new SchedulePlan(other, missed, overlap, jitterMs, queue, job);
  }

  /** Whether nothing would change if this were stored in place of the other. */
  boolean isSameAs(SchedulePlan other) {
    return Arrays.equals(ScheduleCodec.planBytes(this), ScheduleCodec.planBytes(other));
  }

  /**
   * For which of these instants jobs are made, if nothing overlaps.
   *
   * @param come the newest that have come, oldest first
   */
  List<Long> dueOf(List<Long> come, long nowMs) {
    if (come.isEmpty() || !(missed instanceof Missed.Skip)) {
      return come;
    }
    long newest = come.get(come.size() - 1);
    boolean isMissed = nowMs - newest > Schedule.LATE_MOST.toMillis();
    return isMissed ? List.of() : List.of(newest);
  }

  /** Of how many of the instants that have come it matters when they were. */
  int dueMost() {
    return missed instanceof Missed.All all ? all.most() : 1;
  }

  /** Of how many instants a transaction makes the jobs at most: for bytes of theirs. */
  int stepCountMax() {
    return Math.max(1, STEP_BYTES_MAX / Math.max(1, job.payload().length));
  }

  /** Enqueues the job for an instant. */
  JobId enqueueFor(Transaction tx, String name, long instantMs) {
    String instant = Instant.ofEpochMilli(instantMs).toString();
    EnqueueOptions options = job.options().header(Schedule.SCHEDULED_FOR, instant);
    long delayMs = jitterOf(name, instantMs) + options.delay().toMillis();
    if (delayMs > 0) {
      options = options.visibleAt(Instant.ofEpochMilli(instantMs + delayMs));
    }
    return tx.enqueue(queue, job.payload(), options);
  }

  /** Enqueues a job for no instant, at once. */
  JobId enqueueNow(Transaction tx) {
    return tx.enqueue(queue, job.payload(), job.options().delay(Duration.ZERO));
  }

  /** The same whenever and by whomever it is asked. */
  long jitterOf(String name, long instantMs) {
    long hash = FNV_BASIS;
    for (byte part : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (part & 0xff)) * FNV_PRIME;
    }
    // Neighbouring instants must not have neighbouring delays: the finisher of SplitMix64.
    hash ^= instantMs;
    hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
    return Long.remainderUnsigned(hash ^ hash >>> 31, jitterMs + 1);
  }
}
