package io.millrace.api;

import io.millrace.MillraceException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The sole right to claim from one queue for a limited time. While it lasts, other claims find
 * nothing in the queue: a claim that names further queues is served from those, and a claim that
 * waits is served at the very moment when this lease ends.
 *
 * <p>It restricts claims alone. Enqueues go on, and jobs that were claimed before, by anybody, stay
 * with their holders. Jobs claimed through this lease have leases of their own, which go on when it
 * ends.
 *
 * <p>It is kept in memory: nothing of it is stored, and it is gone when the engine is closed or its
 * process dies. {@code reopen()} gives it its full duration again, unless another owner had the
 * store meanwhile. It belongs to the queue's name: the queue need not exist, may be paused, and may
 * be deleted and created again. Any thread may use it.
 */
public interface QueueLease extends AutoCloseable {

  /** The default duration of a lease on a queue. */
  Duration DURATION_DEFAULT = Duration.ofSeconds(5);

  QueueName queue();

  /** Returns the worker that the lease was granted to. */
  String worker();

  /**
   * Returns the lease's number, which rises with every lease on jobs and queues that the store
   * grants, even over restarts.
   */
  long token();

  /**
   * Returns how long the lease still lasts; zero when it is over. Like job leases, it runs on the
   * monotonic clock.
   */
  Duration remaining();

  /**
   * Takes leases on the next jobs of the queue, for the worker that the options name. If there are
   * none, the call waits for as long as the options say, but not beyond the end of this lease. If
   * that comes first, the result is {@link QueueClaimResult.StaleLease}.
   *
   * @throws CorruptDataException the payload or the state of each job that it took is damaged;
   *     these jobs are set aside
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  QueueClaimResult claim(ClaimOptions options);

  /**
   * Takes leases on the next jobs of the queue, for this lease's worker; see {@link
   * #claim(ClaimOptions)}.
   *
   * @throws IllegalArgumentException the number or the time is out of its range; see {@link
   *     ClaimOptions}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default QueueClaimResult claim(int max, Duration waiting) {
    return claim(ClaimOptions.by(worker()).max(max).waiting(waiting));
  }

  /**
   * Claims the next jobs of the queue and returns a future; see {@link #claim(ClaimOptions)}.
   * Cancelling the future ends the claim: a job granted meanwhile is released at once, and its
   * attempt does not count.
   *
   * @throws IllegalStateException at once, inside the function of a transaction; for errors of the
   *     future see {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<QueueClaimResult> claimAsync(ClaimOptions options);

  /**
   * Extends the lease to {@code now + duration}, if that is later than its end.
   *
   * @param duration 100 ms to 7 days
   * @throws IllegalArgumentException the duration is out of its range; nothing was changed
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  QueueExtendResult extend(Duration duration);

  /**
   * Ends the lease: claims of others that wait for the queue are served at once. Claims that wait
   * through this lease end with {@link QueueClaimResult.StaleLease}. Idempotent. Does not throw if
   * the lease has ended by itself, or if the engine cannot end it now: then it ends with its time.
   *
   * @throws IllegalStateException inside the function of a transaction; the lease goes on
   */
  @Override
  void close();
}
