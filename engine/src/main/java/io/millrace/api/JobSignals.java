package io.millrace.api;

import io.millrace.MillraceException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The operations on signals, for which jobs wait without a worker ({@link Lease#waitFor}). Any
 * thread may use it.
 *
 * <p>Every operation that changes something throws what those of {@link JobQueue} throw, and {@link
 * IllegalArgumentException} for a name or a payload that is too long; then nothing happened.
 */
public interface JobSignals {

  /** The default time for which a broadcast is kept that found no job waiting: 7 days. */
  Duration BROADCAST_KEPT_DEFAULT = Duration.ofDays(7);

  /**
   * Sends a signal to one job. If the job waits for it ({@link Lease#waitFor}), the job becomes
   * ready, or blocked if its concurrency key has no slot, and its next lease gives the signal's
   * name and payload. In any other state, and while the job waits for another signal, the signal is
   * kept for the job until it waits for it; so a signal may come before the wait. At most {@value
   * Limits#INBOX_COUNT_MAX} signals are kept for a job in all, in the order in which they came.
   * Signals for a dead letter are kept, too, because it may be redriven. Kept signals are removed
   * with the job.
   *
   * @param signal the signal's name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @param payload at most {@value Limits#SIGNAL_BYTES_MAX} bytes
   * @throws IllegalArgumentException the name or the payload is too long; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  SignalResult signal(JobId job, String signal, byte[] payload);

  /**
   * Sends a signal to one job and returns a future; see {@link #signal(JobId, String, byte[])}.
   *
   * @throws IllegalArgumentException as {@link #signal}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<SignalResult> signalAsync(JobId job, String signal, byte[] payload);

  /**
   * Sends a signal to many jobs in one commit, and returns a result for each, in order. With each
   * signal that is kept for a job, the names and short payloads of all signals kept for it are
   * written again. So a call may be too large for one commit if much is kept for its jobs.
   *
   * @param jobs at most {@value Limits#CALL_JOB_COUNT_MAX}
   * @throws IllegalArgumentException the call is too large for one commit, or the name or the
   *     payload is too long; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<SignalResult> signalAll(List<JobId> jobs, String signal, byte[] payload);

  /**
   * Sends a signal to many jobs and returns a future of the results; see {@link #signalAll}.
   *
   * @throws IllegalArgumentException as {@link #signalAll}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<SignalResult>> signalAllAsync(
      List<JobId> jobs, String signal, byte[] payload);

  /**
   * Sends a signal to all jobs of a queue that wait for it at this moment. If no job waits, the
   * signal is kept for {@link #BROADCAST_KEPT_DEFAULT}, the last one of each name, and the first
   * job of the queue that waits for it receives it at once.
   *
   * <p>If many jobs wait, they are woken in steps, each with a commit of its own, and the call
   * returns after the last. A job whose step is still to come already counts as woken: anything
   * that comes for it later, its deadline or another signal, comes second, and no purge of waiting
   * jobs removes it. Only reads (listings, counts, {@code explain}) still show it as waiting. Once
   * the first step is stored the rest follows, whatever happens to the caller or to the engine,
   * even at the next opening; but it waits while the store is full. From then on {@link
   * OutcomeUnknownException} is the only exception that the call may end with. It means that the
   * number of woken jobs is unknown, and that the call must not be repeated.
   *
   * @param queue the queue; it is created if it does not exist yet
   * @param signal the signal's name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @param payload at most {@value Limits#SIGNAL_BYTES_MAX} bytes
   * @throws IllegalArgumentException the name or the payload is too long; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  default BroadcastReport broadcast(QueueName queue, String signal, byte[] payload) {
    return broadcast(queue, signal, payload, BROADCAST_KEPT_DEFAULT);
  }

  /**
   * Sends a signal to all jobs of a queue that wait for it, and sets how long it is kept if no job
   * waits; see {@link #broadcast(QueueName, String, byte[])}. A broadcast of the same name that was
   * kept before is no longer kept.
   *
   * @param kept up to 10 years; zero if the signal is not to be kept
   * @throws IllegalArgumentException the name or the payload is too long, or the time out of its
   *     range; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  BroadcastReport broadcast(QueueName queue, String signal, byte[] payload, Duration kept);
}
