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
 * The plan of a schedule: which jobs it makes, and when. Immutable.
 *
 * @param times the times; a period has its beginning here
 * @param jitterMs the longest delay that is drawn
 * @param queue the queue that the jobs go to
 * @param job the jobs themselves
 */
record SchedulePlan(
    Recurrence times, Missed missed, Overlap overlap, long jitterMs, QueueName queue, NewJob job) {

  /**
   * The most bytes of payloads in one transaction that makes several jobs: others wait while it is
   * written.
   */
  private static final int STEP_BYTES_MAX = 2 << 20;

  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** Returns the same plan at other times. */
  SchedulePlan at(Recurrence other) {
    return new SchedulePlan(other, missed, overlap, jitterMs, queue, job);
  }

  /** Tells whether nothing would change if this were stored in place of the other. */
  boolean isSameAs(SchedulePlan other) {
    return Arrays.equals(ScheduleCodec.planBytes(this), ScheduleCodec.planBytes(other));
  }

  /**
   * Returns the instants among these for which jobs are made, if nothing overlaps.
   *
   * @param come the newest instants that have come, oldest first
   */
  List<Long> dueOf(List<Long> come, long nowMs) {
    if (come.isEmpty() || !(missed instanceof Missed.Skip)) {
      return come;
    }
    long newest = come.get(come.size() - 1);
    boolean isMissed = nowMs - newest > Schedule.LATE_MOST.toMillis();
    return isMissed ? List.of() : List.of(newest);
  }

  /** Returns how many of the newest instants that have come are of interest. */
  int dueMost() {
    return missed instanceof Missed.All all ? all.most() : 1;
  }

  /**
   * Returns for how many instants one transaction makes jobs at most, given the bytes of their
   * payloads.
   */
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

  /** Enqueues a job at once that is for no instant. */
  JobId enqueueNow(Transaction tx) {
    return tx.enqueue(queue, job.payload(), job.options().delay(Duration.ZERO));
  }

  /** Returns the delay for an instant, which is the same whenever and wherever it is computed. */
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
