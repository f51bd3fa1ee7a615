package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a job is not running, or that it is. Immutable.
 *
 * @param jobId the job
 * @param queue where it is
 * @param state in which state it is; leased also if its lease is not stored yet
 * @param reasons all reasons there are, what holds it longest first
 * @param earliest before which instant it will not run unless somebody intervenes: reschedules it,
 *     changes a rate limit, or hands a lease back and its token with it; empty if no time holds it,
 *     or if it is running or has ended
 */
public record Explanation(
    JobId jobId,
    QueueName queue,
    JobState state,
    List<Reason> reasons,
    Optional<Instant> earliest) {

  /** Most jobs of a line that are counted to tell a job's place in it. */
  public static final int PLACE_MAX = 1_000;

  /** Most holders of a concurrency key that are named. */
  public static final int HOLDER_COUNT_MAX = 100;

  public Explanation {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(earliest, "earliest");
    reasons = List.copyOf(reasons);
  }

  /**
   * One reason. More kinds may be added: whoever tells them apart should be ready for others, and
   * show their {@link #sentence}.
   */
  public sealed interface Reason {

    /**
     * For people, in one line, what there is to say of the job: {@code waits until
     * 2026-11-23T14:05:00Z (in 3 min): attempt 2 of 20 failed of java.io.IOException: refused}.
     * Errors of users are cut to their first line.
     */
    String sentence();

    /** What kind of reason it is, for programs: the simple name of its class. */
    default String kind() {
      return getClass().getSimpleName();
    }
  }

  /** Why a job is delayed. */
  public enum Delay {
    /** Whoever enqueued, rescheduled or snoozed it named the time. */
    ASKED,
    /** It waits after a failed attempt, or a lease that ran out. */
    BACKOFF,
    /** Its worker handed it back for a while. */
    SNOOZED
  }

  /**
   * A job that holds a slot of a concurrency key: it runs, or is ready; or it is delayed or waits
   * for a signal, and keeps the slot since the order of the key is strict.
   */
  public record Holder(JobId jobId, QueueName queue, JobState state) {}

  /** It died. */
  public record Dead(Instant since, int attempts, Optional<String> error, String sentence)
      implements Reason {}

  /** It was completed, and is kept for its result. */
  public record Done(Instant since, Optional<Instant> until, String sentence) implements Reason {}

  /**
   * Somebody works on it.
   *
   * @param until when the lease ends if nobody extends it; empty if only the engine knows, and it
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
   * It waits for a signal.
   *
   * @param name of the signal
   * @param deadline when it goes on without it; empty if never
   */
  public record WaitsForSignal(
      String name, Instant since, Optional<Instant> deadline, String sentence) implements Reason {}

  /** As the clocks are now, its time to live ends before its wait does: it will be removed. */
  public record NeverStarts(Instant at, String sentence) implements Reason {}

  /** The engine takes no changes, or none that add to its store. */
  public record EngineRefuses(EngineHealth.Status status, Instant since, String sentence)
      implements Reason {}

  /** The engine did not answer in time: what it alone knows is not told. */
  public record EngineSilent(Duration waited, String sentence) implements Reason {}

  /** The store was looked at without an engine: what engines alone know is not told. */
  public record NoEngine(String sentence) implements Reason {}

  /**
   * Workers that met jobs of its type lately have handed them back, for they have no handler for
   * it.
   */
  public record NoHandler(String type, String sentence) implements Reason {}

  /** Claims of its queue are not served. */
  public record Paused(String sentence) implements Reason {}

  /**
   * Claims wait, and it is too heavy for each of them.
   *
   * @param capacity the most that any of their workers could ever take at a time
   * @param free the most that any of those has free now whose capacity it fits; 0 if it fits none
   */
  public record TooHeavy(int weight, int capacity, int free, String sentence) implements Reason {}

  /**
   * As many jobs of its concurrency key hold a slot as may; or, of a key of the engine, fewer, but
   * those before it in the line of the key may not go on yet.
   *
   * @param key its text
   * @param isOfEngine whether it is a key of the whole engine, and not of the job's queue
   * @param limit how many may; of a key of the engine the number that the job was enqueued with
   * @param holderCount how many do, of a key of the engine in all queues
   * @param holders those of them that were found among the first {@value #PLACE_MAX} leased, as
   *     many ready ones, delayed ones and ones that wait for a signal, of its own queue; at most
   *     {@value #HOLDER_COUNT_MAX}
   * @param ahead how many blocked jobs of the key go first
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
   * How many jobs go first.
   *
   * @param count how many there are at least
   * @param isExact whether there are no more; beyond {@value #PLACE_MAX} nobody counts
   */
  public record Ahead(long count, boolean isExact) {}

  /** Its time has not come; or has, and the engine is about to see to it. */
  public record Delayed(Instant until, Delay why, Optional<String> error, String sentence)
      implements Reason {}

  /** A worker has the whole queue. */
  public record QueueLeased(String worker, Instant until, String sentence) implements Reason {}

  /**
   * As many jobs were started as a rate limit allows. If neither its queue nor its key has a token,
   * the limit that holds it longer is told.
   *
   * @param until when the next may be
   * @param isOfKey whether it is the limit of the job's concurrency key, and not its queue's
   */
  public record RateLimited(Instant until, boolean isOfKey, String sentence) implements Reason {}

  /**
   * As many jobs were started, in all queues, as the rate limit over all queues allows that it
   * names. If this holds it longer than limits of its queue and its concurrency key, it is told in
   * place of them.
   *
   * @param until when the next may be
   * @param key whose starts count together
   */
  public record EngineRateLimited(Instant until, String key, String sentence) implements Reason {}

  /** The engine holds as many leases as it may. */
  public record LeasesUsedUp(int limit, String sentence) implements Reason {}

  /** Others of its queue are served first. */
  public record Behind(Ahead ahead, String sentence) implements Reason {}

  /**
   * No claim waits for jobs of its queue, nor for those of all tenants of its name, and no worker
   * serves them.
   *
   * @param lastClaim when somebody last claimed from it; empty if the engine does not remember
   */
  public record NoClaims(Optional<Instant> lastClaim, String sentence) implements Reason {}

  /**
   * Workers serve its queue, or all tenants of its name, and none of them has room for more.
   *
   * @param lastClaim when somebody last claimed from it; empty if the engine does not remember
   */
  public record WorkersBusy(Optional<Instant> lastClaim, String sentence) implements Reason {}

  /** Claims wait that may have it: it goes with the engine's next step. */
  public record ServedNext(String sentence) implements Reason {}

  /** Not what holds it, but what threatens: its time to live ends unless it is started before. */
  public record Expires(Instant at, String sentence) implements Reason {}
}
