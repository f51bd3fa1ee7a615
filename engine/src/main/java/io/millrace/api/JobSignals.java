package io.millrace.api;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Signals: what jobs wait for without a worker ({@link Lease#waitFor}). Any thread.
 *
 * <p>Every operation that changes something throws what those of {@link JobQueue} throw, and {@link
 * IllegalArgumentException} for a name or a payload that is too long; then nothing happened.
 */
public interface JobSignals {

  /** How long a broadcast is kept that found nobody waiting, if nothing else is said: 7 days. */
  Duration BROADCAST_KEPT_DEFAULT = Duration.ofDays(7);

  /**
   * Sends a signal to one job. If the job waits for it ({@link Lease#waitFor}), it is ready, or
   * blocked as any job whose concurrency key has no slot; its next lease tells name and payload. In
   * any other state, and while it waits for another signal, the signal is kept for the job, at most
   * {@value Limits#INBOX_COUNT_MAX} in all, in the order in which they came, until it waits for
   * them; so a signal may come before the wait. Signals for a dead letter are kept, too, for it may
   * be redriven. They go with the job.
   *
   * @param signal its name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @param payload at most {@value Limits#SIGNAL_BYTES_MAX} bytes
   */
  @CheckReturnValue
  SignalResult signal(JobId job, String signal, byte[] payload);

  /** As {@link #signal(JobId, String, byte[])}, by future. */
  @CheckReturnValue
  CompletableFuture<SignalResult> signalAsync(JobId job, String signal, byte[] payload);

  /**
   * Sends a signal to many jobs in one commit, and answers for each in order. The names and short
   * payloads of what is kept for a job are written anew with each signal, so that a call for jobs
   * for which much is kept may be too large for one commit.
   *
   * @param jobs at most {@value Limits#CALL_JOB_COUNT_MAX}
   * @throws IllegalArgumentException that is so, or the name or the payload is too long; nothing
   *     happened
   */
  @CheckReturnValue
  List<SignalResult> signalAll(List<JobId> jobs, String signal, byte[] payload);

  /** As {@link #signalAll}, by future. */
  @CheckReturnValue
  CompletableFuture<List<SignalResult>> signalAllAsync(
      List<JobId> jobs, String signal, byte[] payload);

  /**
   * Sends a signal to all jobs of a queue that wait for it at this moment. If nobody does, it is
   * kept for {@link #BROADCAST_KEPT_DEFAULT}, the last one of each name, and the first job of the
   * queue that waits for it has it at once.
   *
   * <p>Many jobs go on in steps, each a commit of its own, and the call returns after the last. A
   * job that is still to come counts as woken: what comes for it later, its deadline or another
   * signal, is second, and no purge of waiting jobs takes it. Only to those who look (listings,
   * counts, {@code explain}) it still waits. Once the first step is stored the rest follows
   * whatever happens to the caller or to the engine, also at the next opening, but waits while the
   * store is full. From then on the call ends in no other exception than {@link
   * OutcomeUnknownException}: it is not to be repeated, and only how many jobs go on is not told.
   *
   * @param queue one that does not exist yet comes to be
   * @param signal its name, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @param payload at most {@value Limits#SIGNAL_BYTES_MAX} bytes
   */
  default BroadcastReport broadcast(QueueName queue, String signal, byte[] payload) {
    return broadcast(queue, signal, payload, BROADCAST_KEPT_DEFAULT);
  }

  /**
   * As the other, but kept for another time if nobody waits. One of the name that was kept before
   * is kept no longer.
   *
   * @param kept up to 10 years; zero for not at all
   */
  BroadcastReport broadcast(QueueName queue, String signal, byte[] payload, Duration kept);

  /**
   * Gives up a job that waits for a signal which will not come: it is a dead letter with this
   * error. No attempt is counted. {@link #findStuck} lists those that wait without a deadline.
   *
   * @param error what is kept of why; cut to {@value Limits#ERROR_BYTES_MAX} bytes of UTF-8
   */
  @CheckReturnValue
  StuckResult failStuck(JobId id, String error);

  /**
   * Jobs of all queues that wait for a signal without a deadline, and have done so for longer than
   * this, in the order of {@link JobReader#list}: nothing wakes them but the signal. A page is as
   * one of {@code list}. {@link JobFilter#stuckBefore} says the same of a store that nobody works
   * on.
   *
   * @param olderThan from 0 to 10 years
   */
  Page<Job> findStuck(Duration olderThan, PageRequest page);
}
