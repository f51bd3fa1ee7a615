package io.millrace.jmh.load;

import io.millrace.api.Durability;
import io.millrace.api.Limits;
import io.millrace.options.Checks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * Options of one run of the load tool.
 *
 * @param workload the work that the callers do
 * @param store the kind of store, as in the first part of a store's location
 * @param durability the durability that a call waits for
 * @param callers the callers, and how they call
 * @param payloadBytes length of each job's payload
 * @param backlogCount jobs that are in the queue before the measurement
 * @param queues the number of queues, and which of them have the load
 * @param timing the length and rate of the run
 * @param folder the folder for files; a run removes at its end what it wrote there
 */
public record LoadOptions(
    Workload workload,
    String store,
    Durability durability,
    Callers callers,
    int payloadBytes,
    int backlogCount,
    Queues queues,
    Timing timing,
    Path folder) {

  /** The shortest payload: it holds the job's number and the instant at which the job is due. */
  public static final int PAYLOAD_BYTES_LEAST = 16;

  public static final int CALLER_COUNT_MAX = 10_000;
  public static final int IN_FLIGHT_COUNT_MAX = 10_000;
  public static final int BACKLOG_COUNT_MAX = 100_000_000;
  public static final int QUEUE_COUNT_MAX = 10_000_000;
  public static final int KEY_COUNT_MAX = 10_000_000;
  public static final int ROUND_COUNT_MAX = 10_000;
  public static final Duration MEASURED_MAX = Duration.ofDays(7);

  private static final Duration WARM_UP_MAX = Duration.ofSeconds(5);

  /** Kind of the threads that callers run on. */
  public enum ThreadKind {
    PLATFORM,
    /** Virtual threads. Need Java 21. */
    VIRTUAL
  }

  /**
   * Callers of a run.
   *
   * @param producerCount threads that enqueue
   * @param consumerCount threads that claim and complete
   * @param batchCount jobs in each call
   * @param inFlightCount calls by future that each caller has under way; 0 for blocking calls
   * @param isRemote whether they call the engine through a server on this machine
   * @param threads the threads that they run on
   */
  public record Callers(
      int producerCount,
      int consumerCount,
      int batchCount,
      int inFlightCount,
      boolean isRemote,
      ThreadKind threads) {

    /** Creates callers of the engine itself. */
    public Callers(int producerCount, int consumerCount, int batchCount, int inFlightCount) {
      this(producerCount, consumerCount, batchCount, inFlightCount, false);
    }

    /** Creates callers on platform threads. */
    public Callers(
        int producerCount, int consumerCount, int batchCount, int inFlightCount, boolean isRemote) {
      this(producerCount, consumerCount, batchCount, inFlightCount, isRemote, ThreadKind.PLATFORM);
    }

    public Callers {
      Checks.inRange("--producers", producerCount, 1, CALLER_COUNT_MAX);
      Checks.inRange("--consumers", consumerCount, 1, CALLER_COUNT_MAX);
      Checks.inRange("--batch", batchCount, 1, Limits.CALL_JOB_COUNT_MAX);
      Checks.inRange("--in-flight", inFlightCount, 0, IN_FLIGHT_COUNT_MAX);
      Objects.requireNonNull(threads, "threads");
    }

    /** Returns as many callers on threads of this kind. */
    public Callers on(ThreadKind kind) {
      return new Callers(producerCount, consumerCount, batchCount, inFlightCount, isRemote, kind);
    }

    /** Returns how many jobs can be under way at once. */
    long underWayCountMax() {
      return (long) (producerCount + consumerCount) * batchCount * Math.max(1, inFlightCount);
    }
  }

  /** Choice of the queues that have the load. */
  public enum LoadOn {
    /** A single queue; the others hold one job each, which nobody claims. */
    ONE,
    /** All queues, evenly. */
    ALL,
    /** All tenants of a name, evenly; each claim is across them. */
    TENANTS
  }

  /**
   * The queues of the store, and the keys in them.
   *
   * @param count the number of queues
   * @param loadOn the queues that have the load
   * @param keyCount concurrency keys that jobs have where the workload gives them some
   */
  public record Queues(int count, LoadOn loadOn, int keyCount) {

    private static final int USUAL_KEY_COUNT = 10_000;

    /** The usual case: one queue. */
    public static final Queues SINGLE = new Queues(1, LoadOn.ONE);

    /** Creates queues with as many keys as usual. */
    public Queues(int count, LoadOn loadOn) {
      this(count, loadOn, USUAL_KEY_COUNT);
    }

    public Queues {
      Checks.inRange("--queues", count, 1, QUEUE_COUNT_MAX);
      Objects.requireNonNull(loadOn, "loadOn");
      Checks.inRange("concurrency keys", keyCount, 1, KEY_COUNT_MAX);
    }

    /** Returns one queue whose jobs have so many concurrency keys. */
    public static Queues withKeys(int keyCount) {
      return new Queues(1, LoadOn.ONE, keyCount);
    }

    boolean isSpread() {
      return count > 1 && loadOn != LoadOn.ONE;
    }

    boolean areTenants() {
      return isSpread() && loadOn == LoadOn.TENANTS;
    }
  }

  /**
   * Length and rate of a run.
   *
   * @param measured how long the engine is measured in all rounds together
   * @param roundCount how many rounds the engine, the bare store and the plain log take turns in
   * @param jobsPerSecond the rate that all producers together keep; 0 for as fast as it goes
   */
  public record Timing(Duration measured, int roundCount, int jobsPerSecond) {

    public Timing {
      Objects.requireNonNull(measured, "measured");
      Checks.inRange("--rounds", roundCount, 1, ROUND_COUNT_MAX);
      Checks.inRange("--rate", jobsPerSecond, 0, 100_000_000);
      Checks.inRange("--seconds", measured, Duration.ofMillis(roundCount), MEASURED_MAX);
    }

    Duration round() {
      return measured.dividedBy(roundCount);
    }

    /**
     * Returns the length of the time before the first round, in which the compiler does its work.
     */
    Duration warmUp() {
      Duration half = measured.dividedBy(2);
      return half.compareTo(WARM_UP_MAX) < 0 ? half : WARM_UP_MAX;
    }
  }

  public LoadOptions {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(callers, "callers");
    Objects.requireNonNull(queues, "queues");
    Objects.requireNonNull(timing, "timing");
    Objects.requireNonNull(folder, "folder");
    Checks.inRange("--payload", payloadBytes, PAYLOAD_BYTES_LEAST, Limits.PAYLOAD_BYTES_MAX);
    Checks.inRange("--backlog", backlogCount, 0, BACKLOG_COUNT_MAX);
    Checks.inRange(
        "bytes in one call (--batch x --payload)",
        (long) callers.batchCount() * payloadBytes,
        0,
        Limits.CALL_BYTES_MAX);
    if (workload.isBlockingOnly() && callers.inFlightCount() > 0) {
      throw new IllegalArgumentException(
          "callers of the workload "
              + workload.label()
              + " block: --in-flight="
              + callers.inFlightCount()
              + "; leave it out");
    }
    if (queues.isSpread() && (backlogCount > 0 || workload != Workload.CYCLE)) {
      throw new IllegalArgumentException(
          "--load-on all and tenants are for the workload cycle without a backlog: workload="
              + workload.label()
              + ", backlog="
              + backlogCount);
    }
  }

  /** Returns the same load for another time. */
  public LoadOptions with(Timing other) {
    return new LoadOptions(
        workload, store, durability, callers, payloadBytes, backlogCount, queues, other, folder);
  }

  /** Returns the same load behind another backlog. */
  LoadOptions withBacklog(int jobCount) {
    return new LoadOptions(
        workload, store, durability, callers, payloadBytes, jobCount, queues, timing, folder);
  }
}
