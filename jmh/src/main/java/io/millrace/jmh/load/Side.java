package io.millrace.jmh.load;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A target under load, and the counts of its callers over all rounds. */
final class Side {

  /** The payload bytes that one round may add to a queue that nobody empties. */
  static final long ROUND_BYTES_MAX = 256L << 20;

  /**
   * The payload bytes waiting at a round's end beyond which the queue is emptied before the next.
   */
  private static final long KEPT_BYTES_MAX = 512L << 20;

  private static final int OUTSTANDING_LEAST = 1_024;
  private static final int DELAYED_OUTSTANDING = 100_000;
  private static final int DRAIN_IN_FLIGHT = 16;
  private static final int DRAIN_BATCH = 1_000;

  private final String name;
  private final LoadOptions options;
  private final Target target;
  private final Progress progress;
  private final Traffic traffic;

  /** Creates a side whose callers have not begun. The name is for the display of progress. */
  Side(String name, LoadOptions options, Target target, Progress progress) {
    this(name, options, target, progress, traffic(options));
  }

  /** Creates a side whose callers go on with what they have counted so far. */
  Side(String name, LoadOptions options, Target target, Progress progress, Traffic traffic) {
    this.name = name;
    this.options = options;
    this.target = target;
    this.progress = progress;
    this.traffic = traffic;
  }

  /** Returns the counts of callers that have not begun. */
  static Traffic traffic(LoadOptions options) {
    // One more than there are producers: the backlog is enqueued in its name.
    return new Traffic(options.callers().producerCount() + 1);
  }

  Target target() {
    return target;
  }

  Traffic traffic() {
    return traffic;
  }

  /** Lets the callers run for {@code length}. */
  Round round(Duration length, int number) {
    traffic.start(outstandingLeast(), outstandingMost());
    long startNs = System.nanoTime();
    Round round =
        Round.run(
            options,
            target,
            traffic,
            length,
            jobs -> progress.stage(name, number, jobs * 1e9 / (System.nanoTime() - startNs)));
    requireNoFailure();
    return round;
  }

  /**
   * Returns the number of waiting jobs at which no more are claimed, so that the backlog is there
   * for the whole of the round.
   */
  private long outstandingLeast() {
    return options.workload() == Workload.BACKLOG ? options.backlogCount() : 0;
  }

  private long outstandingMost() {
    if (!options.workload().hasConsumers()) {
      return traffic.outstandingCount() + Math.max(1, ROUND_BYTES_MAX / options.payloadBytes());
    }
    if (options.workload() == Workload.SLOW) {
      // As many again wait as are held, when the queue is at its shortest.
      return Math.max(OUTSTANDING_LEAST, 4L * options.callers().consumerCount());
    }
    long underWay = Math.max(OUTSTANDING_LEAST, 4 * options.callers().underWayCountMax());
    return underWay
        + switch (options.workload()) {
          case ENQUEUE,
              CYCLE,
              UNIQUE,
              KEYED,
              BLOCKED,
              LIMITED,
              ENGINE_KEYED,
              ENGINE_BLOCKED,
              WORKER,
              VIRTUAL,
              OWN_BATCHES,
              BACKLOG ->
              options.backlogCount();
          case DELAYED -> DELAYED_OUTSTANDING;
          case TABLES, ONE_BATCH, SLOW -> 0;
          case SOAK -> options.backlogCount() + DELAYED_OUTSTANDING;
        };
  }

  /** Empties a queue that has become so long that the next round would be a different load. */
  void drainIfLong(Duration stall) {
    if (traffic.outstandingCount() * options.payloadBytes() > KEPT_BYTES_MAX
        && options.backlogCount() == 0) {
      drain(stall);
    }
  }

  /**
   * Completes all waiting jobs. Gives up when nothing more has come for as long as {@code stall}.
   */
  void drain(Duration stall) {
    InFlight inFlight = new InFlight(DRAIN_IN_FLIGHT);
    long lastNs = System.nanoTime();
    for (long left = traffic.outstandingCount();
        left > 0 && traffic.failure() == null && System.nanoTime() - lastNs < stall.toNanos(); ) {
      inFlight.enter();
      drainOnce(inFlight);
      long before = left;
      left = traffic.outstandingCount();
      lastNs = left < before ? System.nanoTime() : lastNs;
    }
    inFlight.awaitNone();
    requireNoFailure();
  }

  private void drainOnce(InFlight inFlight) {
    target
        .claimAsync(DRAIN_BATCH)
        .thenCompose(claimed -> claimed.completeAsync(traffic::completed))
        .whenComplete(
            (done, thrown) -> {
              if (thrown != null) {
                traffic.fail(thrown);
              }
              inFlight.leave();
            });
  }

  private void requireNoFailure() {
    @Nullable Throwable failure = traffic.failure();
    if (failure != null) {
      throw Waiting.unchecked(failure);
    }
  }
}
