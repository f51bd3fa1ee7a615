package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The reasons why a job is not running, or the fact that it is. Immutable.
 *
 * @param jobId the job
 * @param queue the job's queue
 * @param state the job's state; leased even if its lease is not stored yet
 * @param reasons all reasons that were found, the one that holds the job longest first
 * @param earliest the instant before which the job will not run unless somebody reschedules it,
 *     changes a rate limit, or releases a lease and its token with it; empty if the job does not
 *     wait for a time, is running, or has ended
 */
public record Explanation(
    JobId jobId,
    QueueName queue,
    JobState state,
    List<Reason> reasons,
    Optional<Instant> earliest) {

  /** The most jobs of a line that are counted to find a job's place in it. */
  public static final int PLACE_MAX = 1_000;

  /** The most holders of a concurrency key that are named. */
  public static final int HOLDER_COUNT_MAX = 100;

  /** The most dead jobs of a batch that are named. */
  public static final int DEAD_COUNT_MAX = 10;

  public Explanation {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(earliest, "earliest");
    reasons = List.copyOf(reasons);
  }

  /**
   * A reason why a job is not running. More kinds may be added: code that distinguishes them should
   * expect unknown ones, and show their {@link #sentence}.
   */
  public sealed interface Reason {

    /**
     * Returns the reason for people, in one line whose subject is the job: {@code waits until
     * 2026-11-23T14:05:00Z (in 3 min): attempt 2 of 20 failed of java.io.IOException: refused}.
     * Errors of users are cut to their first line.
     */
    String sentence();

    /** Returns the kind of reason for programs: the simple name of its class. */
    default String kind() {
      return getClass().getSimpleName();
    }
  }

  /** The causes of a job's delay. */
  public enum Delay {
    /** A time that was asked for when the job was enqueued, rescheduled or snoozed. */
    ASKED,
    /** The wait after a failed attempt, or after a lease that ran out. */
    BACKOFF,
    /** A time for which its worker snoozed the job. */
    SNOOZED
  }

  /**
   * A job that holds a slot of a concurrency key. It is leased or ready. If the order of the key is
   * strict, it may also be delayed, or wait for a signal or a batch.
   */
  public record Holder(JobId jobId, QueueName queue, JobState state) {}

  /** The job is dead. */
  public record Dead(Instant since, int attempts, Optional<String> error, String sentence)
      implements Reason {}

  /** The job was completed and is kept for its result. */
  public record Done(Instant since, Optional<Instant> until, String sentence) implements Reason {}

  /**
   * A worker holds a lease on the job.
   *
   * @param until when the lease ends if it is not extended; empty if only the engine knows, and it
   *     was not asked
   */
  public record Running(
      String worker,
      Instant since,
      Optional<Instant> until,
      boolean cancelRequested,
      String sentence)
      implements Reason {}

  /**
   * The job waits for a signal.
   *
   * @param name the name of the signal
   * @param deadline when the job goes on without the signal; empty if never
   */
  public record WaitsForSignal(
      String name, Instant since, Optional<Instant> deadline, String sentence) implements Reason {}

  /**
   * The job waits for a batch to be over, or for all jobs of one to be completed.
   *
   * @param name the name of the batch; empty if it has none, or if the batch cannot be read
   * @param left the number of its jobs that have not ended
   * @param dead the number of its dead letters
   * @param deadJobs some of these, at most {@value #DEAD_COUNT_MAX}: those found among the first
   *     {@value #PLACE_MAX} dead letters of each of its queues, unless it has more than 32 queues
   * @param isSealed false if more jobs may be added, so that it cannot be over
   */
  public record WaitsForBatch(
      BatchId id,
      String name,
      long left,
      long dead,
      List<JobId> deadJobs,
      boolean isSealed,
      String sentence)
      implements Reason {

    public WaitsForBatch {
      deadJobs = List.copyOf(deadJobs);
    }
  }

  /**
   * The job's time to live ends before its wait does, as the clocks are now: it will be removed.
   */
  public record NeverStarts(Instant at, String sentence) implements Reason {}

  /** The engine takes no changes, or none that add to its store. */
  public record EngineRefuses(EngineHealth.Status status, Instant since, String sentence)
      implements Reason {}

  /** The engine did not answer in time: facts that only the engine knows are missing. */
  public record EngineSilent(Duration waited, String sentence) implements Reason {}

  /** The store was read without an engine: facts that only an engine knows are missing. */
  public record NoEngine(String sentence) implements Reason {}

  /**
   * Workers that recently received jobs of this type handed them back because they have no handler
   * for it.
   */
  public record NoHandler(String type, String sentence) implements Reason {}

  /** The job's queue is paused: its claims are not served. */
  public record Paused(String sentence) implements Reason {}

  /**
   * Claims wait, but the job is too heavy for each of them.
   *
   * @param capacity the greatest capacity of the workers that made these claims
   * @param free the greatest free weight of those workers whose capacity the job fits; 0 if it fits
   *     none
   */
  public record TooHeavy(int weight, int capacity, int free, String sentence) implements Reason {}

  /**
   * The slots of the job's concurrency key are taken: as many jobs hold one as may. If it is a key
   * of the engine, fewer may hold one, while jobs before this one in the key's line may not go on
   * yet.
   *
   * @param key the text of the key
   * @param isOfEngine true if it is a key of the whole engine, and not of the job's queue
   * @param limit the most jobs that may hold a slot; for a key of the engine the number that the
   *     job was enqueued with
   * @param holderCount the number of jobs that hold a slot; for a key of the engine in all queues
   * @param holders some of these jobs, at most {@value #HOLDER_COUNT_MAX}: those found among the
   *     first {@value #PLACE_MAX} leased jobs of the job's own queue, and among as many ready ones,
   *     delayed ones and ones that wait for a signal or a batch; for a key of the engine also among
   *     as many leased jobs of all other queues, and as many ready ones of the first {@value
   *     #PLACE_MAX} queues. A server names none of a queue that its caller's token is not for
   * @param ahead the number of blocked jobs of the key that go first
   */
  public record KeyTaken(
      String key,
      boolean isOfEngine,
      int limit,
      long holderCount,
      List<Holder> holders,
      Ahead ahead,
      String sentence)
      implements Reason {

    public KeyTaken {
      holders = List.copyOf(holders);
    }
  }

  /**
   * The number of jobs that go first.
   *
   * @param count the number of jobs that were counted
   * @param isExact false if there may be more jobs: counting stops at {@value #PLACE_MAX}
   */
  public record Ahead(long count, boolean isExact) {}

  /**
   * The job is delayed: its time has not come, or has come and the engine is about to make it
   * ready.
   */
  public record Delayed(Instant until, Delay why, Optional<String> error, String sentence)
      implements Reason {}

  /** A worker has leased the whole queue. */
  public record QueueLeased(String worker, Instant until, String sentence) implements Reason {}

  /**
   * The job waits for a token of a rate limit: as many jobs were started as the limit allows. If
   * neither the job's queue nor its concurrency key has a token, this is the limit that holds the
   * job longer.
   *
   * @param until when the next job may start
   * @param isOfKey true if it is the limit of the job's concurrency key, and not of its queue
   */
  public record RateLimited(Instant until, boolean isOfKey, String sentence) implements Reason {}

  /**
   * The job waits for a token of its rate key: as many jobs with the key were started, in all
   * queues, as their common rate limit allows. If this limit holds the job longer than those of its
   * queue and its concurrency key, it is given in place of them.
   *
   * @param until when the next job may start
   * @param key the key whose starts count together
   */
  public record EngineRateLimited(Instant until, String key, String sentence) implements Reason {}

  /** The engine holds as many leases as it may. */
  public record LeasesUsedUp(int limit, String sentence) implements Reason {}

  /** Other jobs of the queue are served first. */
  public record Behind(Ahead ahead, String sentence) implements Reason {}

  /**
   * The job's queue is not served: no claim waits for its jobs, nor for jobs of all tenants of its
   * name, and no worker serves them.
   *
   * @param lastClaim when the queue was last claimed from; empty if the engine does not remember
   */
  public record NoClaims(Optional<Instant> lastClaim, String sentence) implements Reason {}

  /**
   * Workers serve the queue, or all tenants of its name, but none of them has room for more jobs.
   *
   * @param lastClaim when the queue was last claimed from; empty if the engine does not remember
   */
  public record WorkersBusy(Optional<Instant> lastClaim, String sentence) implements Reason {}

  /** A waiting claim may have the job: it is served with the engine's next step. */
  public record ServedNext(String sentence) implements Reason {}

  /**
   * The job's time to live will end unless it is started before. This does not hold the job back:
   * it is a warning.
   */
  public record Expires(Instant at, String sentence) implements Reason {}
}
