package io.millrace.api;

import io.millrace.MillraceException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The operations of those who look after the work of a store: operators, their tools, and programs
 * that set queues up. Any thread may use it.
 *
 * <p>Operations on one queue are those of {@link JobQueue}, such as {@link JobQueue#pause}. Every
 * operation that changes something throws what those of {@link JobQueue} throw.
 */
public interface JobAdmin {

  /**
   * Changes the settings of a queue name. They apply to the queues of this name of all tenants,
   * including future ones, where a queue has no setting of its own. Creates no queue.
   *
   * @param change is given the settings of the name, and returns the new ones. It is called on this
   *     thread, and again if the settings were changed meanwhile
   * @throws IllegalArgumentException the name has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or a setting is out of its range
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  void configure(String queueName, UnaryOperator<QueueSettings> change);

  /**
   * Takes the lease on a job away from its holder, as if the holder had {@link Lease#release
   * released} it. This is for a worker that hangs, or whose host is gone, so that nobody waits
   * until the lease runs out. The job is ready at its old place, or removed if a cancel was
   * requested. The holder's token is stale from then on, and each operation on that lease is
   * refused. The holder is not stopped, though: its work outside the queue goes on until it learns
   * of the loss, while another worker may have the job already.
   *
   * <p>The attempt does not count, however long it was. A job that hangs every worker would never
   * die this way: {@linkplain JobQueues#cancel cancel} it, or leave it until its lease runs out,
   * which counts.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  JobReleaseResult release(JobId id);

  /**
   * Gives up a job that waits for a signal which will not come: the job becomes a dead letter with
   * this error. No attempt is counted. {@link JobFilter#stuckBefore} finds the jobs that have
   * waited long without a deadline.
   *
   * @param error the error that is kept with the job; cut to {@value Limits#ERROR_BYTES_MAX} bytes
   *     of UTF-8
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  StuckResult failStuck(JobId id, String error);

  /**
   * Returns the queues that are leased as a whole now, by name. Never waits for the engine's own
   * work.
   */
  List<LeasedQueue> queueLeases();

  /**
   * Ends the lease on a queue, whoever has it, as {@link QueueLease#close} does; for operators.
   * Returns whether there was one.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  boolean endQueueLease(QueueName queue);
}
