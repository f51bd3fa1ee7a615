package io.millrace.api;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A time-limited sole right to claim from one queue. While it lasts, claims of others find nothing
 * there: one that names further queues is served from those, and one that waits is served in the
 * very moment in which this ends.
 *
 * <p>It is about claims alone. Enqueues go on, and jobs that were claimed before, by anybody, stay
 * with their holders. Jobs claimed through it have leases of their own, which go on when it ends.
 *
 * <p>It is in memory: nothing of it is stored, and none is left when the engine is closed or its
 * process dies. {@code reopen()} gives it its full duration again, unless another owner had the
 * store meanwhile. It belongs to the name: the queue need not exist, may be paused, and may be
 * deleted and come to be again. Any thread may use it.
 */
public interface QueueLease extends AutoCloseable {

  /** How long one lasts unless something else is said. */
  Duration DURATION_DEFAULT = Duration.ofSeconds(5);

  QueueName queue();

  /** To whom it was given. */
  String worker();

  /** Rises with every lease of jobs and queues that the store grants, also over restarts. */
  long token();

  /** How long it still lasts; zero when it is over. Runs on the monotonic clock, as job leases. */
  Duration remaining();

  /**
   * Takes leases on the next jobs of the queue, for the worker that the options name. If there are
   * none it waits for as long as the options say, but not beyond the end of this lease: then the
   * answer is that it is stale.
   */
  @CheckReturnValue
  QueueClaimResult claim(ClaimOptions options);

  /** As the other, for this lease's worker. */
  @CheckReturnValue
  default QueueClaimResult claim(int max, Duration waiting) {
    return claim(ClaimOptions.by(worker()).max(max).waiting(waiting));
  }

  /**
   * As {@link #claim(ClaimOptions)}; cancelling the future gives up, and a job granted meanwhile is
   * released at once, uncounted.
   */
  @CheckReturnValue
  CompletableFuture<QueueClaimResult> claimAsync(ClaimOptions options);

  /**
   * Lengthens it to {@code now + duration}, if that is later than its end.
   *
   * @param duration 100 ms to 7 days
   */
  @CheckReturnValue
  QueueExtendResult extend(Duration duration);

  /**
   * Ends it: those who wait for the queue are served at once. Claims that wait through it are
   * answered that it is stale. Idempotent. Throws neither if it has ended by itself nor if the
   * engine cannot end it now: then it ends with its time.
   */
  @Override
  void close();
}
