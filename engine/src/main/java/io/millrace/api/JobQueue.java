package io.millrace.api;

import io.millrace.MillraceException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A named line of jobs. Any thread may use it, for as long as its engine is open. It holds no
 * resources.
 *
 * <p>The queue is created by its first enqueue or setting. Payloads that are handed in are copied
 * before the call returns.
 *
 * <p><b>Errors.</b> Every operation that claims or changes something may throw these. Nothing
 * happened then, unless the list says otherwise:
 *
 * <ul>
 *   <li>{@link EngineClosedException}: the engine is closed.
 *   <li>{@link EnginePoisonedException}, {@link NotOwnerException}: the store failed, or has
 *       another owner now, and the engine takes no changes until it is reopened.
 *   <li>{@link EngineOverloadedException}: too much is waiting, or the thread was interrupted while
 *       it waited for room.
 *   <li>{@link io.millrace.spi.StoreFullException}: the store has no room. Whatever needs none goes
 *       on.
 *   <li>{@link CorruptDataException}: a row that the operation needs is damaged.
 *   <li>{@link OutcomeUnknownException}: the store failed during the commit, another owner took it
 *       over before the commit was durable, the {@linkplain EngineOptions#callTimeout time for the
 *       call} was over, or the thread was interrupted while it waited for the answer, and keeps its
 *       interrupt status. The request may have been carried out, may still be, or never.
 *   <li>{@link IllegalArgumentException}: besides values out of their ranges, the operation is
 *       larger than the store takes in one commit.
 *   <li>{@link IllegalStateException}: it was called inside the function of a transaction ({@link
 *       JobQueues#transact}), or would wait on the thread where the engine completes futures.
 * </ul>
 *
 * <p>A method that returns a future throws at once if a value is out of its range, or inside the
 * function of a transaction. Every other error fails the future. Methods that only read throw what
 * those of {@link JobReader} throw.
 */
public interface JobQueue {

  QueueName name();

  /**
   * Returns the same queue with another durability. Every call through it, through its dead letters
   * and through the leases claimed from it waits for this level in place of the engine's: weaker to
   * be answered sooner, or stronger to have single changes synced on a buffered engine. A claim
   * still waits until its jobs are as durable as was asked when they were enqueued.
   */
  JobQueue with(Durability durability);

  /**
   * Enqueues a job: at the end of its priority, or delayed until it is due. If another job holds
   * its {@link UniqueKey}, that job is returned or replaced.
   *
   * @throws EnqueueRefusedException the queue is full or being drained; nothing was changed
   * @throws IllegalArgumentException the payload has more than {@value Limits#PAYLOAD_BYTES_MAX}
   *     bytes
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  default Enqueued enqueue(byte[] payload, EnqueueOptions options) {
    return offer(payload, options).orThrow();
  }

  /**
   * Enqueues a job with the default options; see {@link #enqueue(byte[], EnqueueOptions)}.
   *
   * @throws EnqueueRefusedException as {@link #enqueue(byte[], EnqueueOptions)}
   * @throws IllegalArgumentException as {@link #enqueue(byte[], EnqueueOptions)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  default Enqueued enqueue(byte[] payload) {
    return enqueue(payload, EnqueueOptions.DEFAULT);
  }

  /**
   * Enqueues a job and returns a future, which fails if the job is refused; see {@link
   * #enqueue(byte[], EnqueueOptions)}.
   *
   * @throws IllegalArgumentException as {@link #enqueue(byte[], EnqueueOptions)}, at once; for
   *     errors of the future see {@link JobQueue}
   */
  @CheckReturnValue
  default CompletableFuture<Enqueued> enqueueAsync(byte[] payload, EnqueueOptions options) {
    return offerAsync(payload, options).thenApply(EnqueueResult::orThrow);
  }

  /**
   * Enqueues many jobs in one commit, in order: of two jobs with one {@link UniqueKey} the first is
   * there when the second comes.
   *
   * @throws EnqueueRefusedException the queue has no room for all of the jobs, or is being drained.
   *     Those for which there was room are in it, and the exception says which
   * @throws IllegalArgumentException there are more than {@value Limits#CALL_JOB_COUNT_MAX} jobs,
   *     or their payloads and headers have more than {@value Limits#CALL_BYTES_MAX} bytes together
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  default List<Enqueued> enqueueAll(List<NewJob> jobs) {
    return EnqueueResult.allOrThrow(offerAll(jobs));
  }

  /**
   * Enqueues many jobs and returns a future; see {@link #enqueueAll}.
   *
   * @throws IllegalArgumentException as {@link #enqueueAll}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  default CompletableFuture<List<Enqueued>> enqueueAllAsync(List<NewJob> jobs) {
    return offerAllAsync(jobs).thenApply(EnqueueResult::allOrThrow);
  }

  /**
   * Enqueues a job like {@link #enqueue(byte[], EnqueueOptions)}, but reports a refusal in the
   * result.
   *
   * @throws IllegalArgumentException as {@link #enqueue(byte[], EnqueueOptions)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  EnqueueResult offer(byte[] payload, EnqueueOptions options);

  /**
   * Enqueues a job and returns a future of the result; see {@link #offer}.
   *
   * @throws IllegalArgumentException as {@link #offer}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<EnqueueResult> offerAsync(byte[] payload, EnqueueOptions options);

  /**
   * Enqueues many jobs like {@link #enqueueAll}, but returns a result for each job, in order.
   *
   * @throws IllegalArgumentException as {@link #enqueueAll}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<EnqueueResult> offerAll(List<NewJob> jobs);

  /**
   * Enqueues many jobs and returns a future of the results; see {@link #offerAll}.
   *
   * @throws IllegalArgumentException as {@link #offerAll}, at once; for errors of the future see
   *     {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<EnqueueResult>> offerAllAsync(List<NewJob> jobs);

  /**
   * Enqueues a job and begins to wait for its end, in one request, so that the end is never missed.
   * Returns when the job is in the queue. The end is given by a future, like that of {@link
   * JobQueues#await}.
   *
   * @throws EnqueueRefusedException the queue is full or being drained; nothing was changed
   * @throws EngineOverloadedException there are too many waits; nothing was changed
   * @throws IllegalArgumentException the payload has more than {@value Limits#PAYLOAD_BYTES_MAX}
   *     bytes
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  Submitted<byte[]> submit(byte[] payload, EnqueueOptions options);

  /**
   * Submits a job with the default options; see {@link #submit(byte[], EnqueueOptions)}.
   *
   * @throws EnqueueRefusedException as {@link #submit(byte[], EnqueueOptions)}
   * @throws IllegalArgumentException as {@link #submit(byte[], EnqueueOptions)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  default Submitted<byte[]> submit(byte[] payload) {
    return submit(payload, EnqueueOptions.DEFAULT);
  }

  /**
   * Submits a job and returns a future, which fails if the job is refused; see {@link
   * #submit(byte[], EnqueueOptions)}.
   *
   * @throws IllegalArgumentException as {@link #submit(byte[], EnqueueOptions)}, at once; for
   *     errors of the future see {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<Submitted<byte[]>> submitAsync(byte[] payload, EnqueueOptions options);

  /**
   * Takes leases on the next jobs. The list is empty if no job is eligible within the time to wait,
   * or if the thread is interrupted before; its interrupt status then stays set.
   *
   * @throws CorruptDataException the payload or the state of each job that it took is damaged;
   *     these jobs are set aside
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  List<Lease> claim(ClaimOptions options);

  /**
   * Takes a lease on the next job, if there is one now.
   *
   * @throws IllegalArgumentException the name of the worker or the duration is out of its range;
   *     see {@link ClaimOptions}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  default Optional<Lease> claim(String worker, Duration leaseDuration) {
    return claim(ClaimOptions.by(worker).leaseDuration(leaseDuration)).stream().findFirst();
  }

  /**
   * Claims the next jobs and returns a future; see {@link #claim(ClaimOptions)}. Cancelling the
   * future ends the claim: a job granted meanwhile is released at once, and its attempt does not
   * count.
   *
   * @throws IllegalStateException at once, inside the function of a transaction; for errors of the
   *     future see {@link JobQueue}
   */
  @CheckReturnValue
  CompletableFuture<List<Lease>> claimAsync(ClaimOptions options);

  /**
   * Returns the queue's counts and totals, exact as of the newest commit; empty if the queue does
   * not exist.
   *
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Optional<QueueStats> stats();

  /**
   * Lists the jobs of one state in their order: serving order for ready jobs, time order for
   * delayed and dead ones.
   *
   * @throws IllegalArgumentException the cursor is not of a page of these jobs
   * @throws CorruptDataException the job at which the page would begin is damaged; the message ends
   *     with the cursor of the page behind it
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<Job> peek(JobState state, PageRequest page);

  DeadLetters deadLetters();

  /**
   * Returns the settings that apply to the queue: its own, else those of its name, else the
   * defaults.
   *
   * @throws CorruptDataException a row that holds these settings is damaged; it is set aside
   * @throws MillraceException as every read; see {@link JobReader}
   */
  QueueSettings settings();

  /**
   * Changes the queue's own settings, and creates the queue if it does not exist. A change applies
   * from the next request on, to jobs already in the queue as well.
   *
   * @param change is given the settings that apply, and returns them changed. The settings
   *     {@linkplain QueueSettings#setHere() set} in its result are the queue's own from then on.
   *     The function is called on this thread, and again if the settings were changed meanwhile
   * @throws IllegalArgumentException the function loses some of its changes
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  void configure(UnaryOperator<QueueSettings> change);

  /**
   * Stops serving claims; enqueues and running leases go on. The pause survives restarts. Creates
   * the queue if it does not exist.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  void pause();

  /**
   * Serves claims again.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  void resume();

  /**
   * Removes all jobs that are in these states when it is called, in bounded steps between which
   * other requests are served. If it fails in between, the earlier steps stay done, and another
   * call goes on. Jobs that change their state meanwhile may be left. Blocked jobs that are handed
   * the slots of removed ready jobs stay, unless blocked jobs are to be removed, too.
   *
   * @param states any but {@link JobState#LEASED}: leased jobs belong to their holders
   * @return the number of jobs that were removed
   * @throws IllegalArgumentException leased jobs are to be purged; nothing was changed
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  long purge(Set<JobState> states);

  /**
   * Refuses enqueues from now on ({@link EnqueueResult.Draining}), even after restarts, and waits
   * until the queue has no work left. Claims are served, and operators may still redrive. Dead
   * letters and kept results may be left. Creates the queue if it does not exist.
   *
   * @param waiting the longest time to wait; with zero the call only looks. It returns earlier if
   *     the thread is interrupted
   * @throws IllegalArgumentException the time is not from zero to {@link Limits#DELAY_MAX}; nothing
   *     was changed
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  DrainResult drain(Duration waiting);

  /**
   * Takes enqueues again.
   *
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  void endDrain();

  /**
   * Deletes the queue with its settings and all of its jobs, including leased ones, which are then
   * gone for their holders. When it returns nothing of the queue can be seen any more, and a new
   * queue of the same name can be created. The rows that are still stored are removed in the
   * background, in bounded steps that a restart resumes. Claims that wait for the name go on
   * waiting.
   *
   * @return whether there was such a queue
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  boolean delete();
}
