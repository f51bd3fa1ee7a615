package io.millrace.internal.explain;

import io.millrace.api.BatchId;
import io.millrace.api.Explanation.Ahead;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a job, and about what holds it, that the store has, as of one commit. Times are
 * engine time, epoch ms.
 *
 * @param commit the newest batch that was seen
 * @param birth the job's birth sequence
 * @param attempts how many starts have counted, and how the last one ended
 * @param lease its lease, if that is stored
 * @param sinceMs when it died or was completed; 0 for other states
 * @param expireAtMs when it is removed: its time to live or its retention; 0 for never
 * @param waiting if it is delayed, until when and why
 * @param key if it is blocked, the key that blocks it
 * @param line if it is in a line, its place there
 * @param isPaused whether its queue is paused
 * @param signal if it waits for a signal, which one
 * @param batch if it waits for a batch, which one
 */
public record JobFacts(
    JobId jobId,
    QueueName queue,
    JobState state,
    long commit,
    long birth,
    int weight,
    Attempts attempts,
    @Nullable Held lease,
    long sinceMs,
    long expireAtMs,
    @Nullable Wait waiting,
    @Nullable Key key,
    @Nullable Line line,
    boolean isPaused,
    @Nullable Signal signal,
    @Nullable AwaitedBatch batch) {

  /**
   * A signal that a job waits for.
   *
   * @param sinceMs when the wait began
   * @param untilMs its deadline; 0 if it has none
   */
  public record Signal(String name, long sinceMs, long untilMs) {}

  /**
   * A batch that a job waits for.
   *
   * @param isKnown whether it could be read; if not, nothing but its id is known
   * @param left how many of its jobs have not ended
   * @param dead how many of its jobs are dead letters
   * @param deadJobs dead letters that were found
   */
  public record AwaitedBatch(
      BatchId id,
      boolean isKnown,
      String name,
      long left,
      long dead,
      List<JobId> deadJobs,
      boolean isSealed) {

    /** Returns a batch that could not be read. */
    public static AwaitedBatch unknown(BatchId id) {
      return new AwaitedBatch(id, false, "", 0, 0, List.of(), false);
    }
  }

  /**
   * Counted starts.
   *
   * @param count how many there were
   * @param max how many there may be
   * @param error the error of the last one; null for none
   */
  public record Attempts(int count, int max, @Nullable String error) {}

  /**
   * A lease.
   *
   * @param untilMs when it ends; 0 if that is not known
   */
  public record Held(
      long token,
      String worker,
      int attempt,
      long sinceMs,
      long untilMs,
      boolean isCancelRequested) {}

  /**
   * A wait for a time.
   *
   * @param isLength whether it waits for a length of time and not until an instant
   * @param why what happened before it
   */
  public record Wait(long untilMs, boolean isLength, Before why) {}

  /** An event in a job's life before it was delayed, as far as its record tells. */
  public enum Before {
    ENQUEUED,
    FAILED,
    SNOOZED
  }

  /**
   * A concurrency key without a slot for the job.
   *
   * @param isOfEngine whether it belongs to the whole engine
   * @param limit how many may hold a slot; of a key of the engine the number that the job brings
   * @param holderCount how many hold one
   * @param holders those that were found
   * @param ahead blocked jobs of the key that go first
   */
  public record Key(
      String name,
      boolean isOfEngine,
      int limit,
      long holderCount,
      List<KeyHolder> holders,
      Ahead ahead) {}

  /**
   * A job that holds a slot of a key.
   *
   * @param birth its birth sequence
   * @param state its state as the store has it
   */
  public record KeyHolder(JobId jobId, QueueName queue, long birth, JobState state) {}

  /**
   * A rate limit over all queues.
   *
   * @param key the rate key, whose starts count together
   */
  public record EngineLimit(String key, RateLimit limit) {}

  /**
   * A place in a line.
   *
   * @param sequence the job's ready sequence
   * @param higher jobs of higher priorities that are ready
   * @param births birth sequences of those that were found before it in its own line
   * @param isWhole whether these are all
   * @param slotKey the key of the row that counts the job's concurrency key; null if it has none
   * @param engineLimit the rate limit over all queues that it names; null if it names none
   * @param settings the settings that hold for the queue
   */
  public record Line(
      int priority,
      long sequence,
      long higher,
      List<Long> births,
      boolean isWhole,
      byte @Nullable [] slotKey,
      @Nullable EngineLimit engineLimit,
      QueueSettings settings) {

    /**
     * Returns how many jobs go first.
     *
     * @param higherNow jobs of higher priorities that are ready now
     * @param leasedCount how many of those before it in its own line are leased by now
     */
    Ahead ahead(long higherNow, int leasedCount) {
      return new Ahead(higherNow + births.size() - leasedCount, isWhole);
    }
  }
}
