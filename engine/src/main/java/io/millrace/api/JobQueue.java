package io.millrace.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A named line of jobs. Any thread may use it, for as long as its engine is open; it holds no
 * resources.
 *
 * <p>The queue comes to be with its first enqueue or setting. Every operation that changes
 * something may throw {@link EngineClosedException}, {@link EngineOverloadedException} (nothing
 * happened), {@link OutcomeUnknownException}, {@link CorruptDataException}, or the store's own
 * exceptions, among them {@link io.millrace.spi.StoreFullException}. One that is more than the
 * store takes in one commit throws {@link IllegalArgumentException}, and {@link
 * IllegalStateException} is thrown by a blocking one on the thread where the engine completes
 * futures, and by any inside the function of a transaction ({@link JobQueues#transact}); nothing
 * happened. A thread that is interrupted gives up waiting with {@link OutcomeUnknownException} and
 * keeps its interrupt status; its request may still be carried out, or never.
 *
 * <p>Payloads that are handed in are copied before the call returns.
 */
public interface JobQueue {

  QueueName name();

  /**
   * The same queue, but every call through it, through its dead letters and through the leases
   * claimed from it waits for this level in place of the engine's: weaker to be answered sooner, or
   * stronger to have single effects synced on a buffered engine. A claim still waits until its jobs
   * are as durable as whoever enqueued them asked.
   */
  JobQueue with(Durability durability);

  /**
   * Puts a job at the end of its priority, or aside until it is due; if another job holds its
   * {@link UniqueKey}, that one is the answer, or is replaced.
   *
   * @throws EnqueueRefusedException the queue is full or being drained; nothing was changed
   */
  default Enqueued enqueue(byte[] payload, EnqueueOptions options) {
    return offer(payload, options).orThrow();
  }

  /** As {@link #enqueue(byte[], EnqueueOptions)}, of what is changed about the default options. */
  default Enqueued enqueue(byte[] payload, UnaryOperator<EnqueueOptions> options) {
    return enqueue(payload, EnqueueOptions.DEFAULT.changed(options));
  }

  /** As {@link #enqueue(byte[], EnqueueOptions)}, with the default options. */
  default Enqueued enqueue(byte[] payload) {
    return enqueue(payload, EnqueueOptions.DEFAULT);
  }

  /** As {@link #enqueue(byte[], EnqueueOptions)}, by future, which fails if the job is refused. */
  @CheckReturnValue
  default CompletableFuture<Enqueued> enqueueAsync(byte[] payload, EnqueueOptions options) {
    return offerAsync(payload, options).thenApply(EnqueueResult::orThrow);
  }

  /**
   * Enqueues many jobs in one commit, in order: of two with one {@link UniqueKey} the first is
   * there when the second comes.
   *
   * @throws EnqueueRefusedException the queue has no room for all of them, or is being drained:
   *     those for which there was room are in it, and the exception tells which
   */
  default List<Enqueued> enqueueAll(List<NewJob> jobs) {
    return EnqueueResult.allOrThrow(offerAll(jobs));
  }

  /** As {@link #enqueueAll}, by future. */
  @CheckReturnValue
  default CompletableFuture<List<Enqueued>> enqueueAllAsync(List<NewJob> jobs) {
    return offerAllAsync(jobs).thenApply(EnqueueResult::allOrThrow);
  }

  /** As {@link #enqueue(byte[], EnqueueOptions)}, but answers whether the queue took the job. */
  @CheckReturnValue
  EnqueueResult offer(byte[] payload, EnqueueOptions options);

  /** As {@link #offer}, by future. */
  @CheckReturnValue
  CompletableFuture<EnqueueResult> offerAsync(byte[] payload, EnqueueOptions options);

  /** As {@link #enqueueAll}, but answers for each job in order. */
  @CheckReturnValue
  List<EnqueueResult> offerAll(List<NewJob> jobs);

  /** As {@link #offerAll}, by future. */
  @CheckReturnValue
  CompletableFuture<List<EnqueueResult>> offerAllAsync(List<NewJob> jobs);

  /**
   * Enqueues a job and waits for its end, in one request, so that the end is never missed. Returns
   * when the job is in the queue; the end comes by future, as that of {@link JobQueues#await}.
   *
   * @throws EnqueueRefusedException the queue is full or being drained; nothing was changed
   * @throws EngineOverloadedException there are too many waits; nothing was changed
   */
  Submitted<byte[]> submit(byte[] payload, EnqueueOptions options);

  /** As {@link #submit(byte[], EnqueueOptions)}, of what is changed about the default options. */
  default Submitted<byte[]> submit(byte[] payload, UnaryOperator<EnqueueOptions> options) {
    return submit(payload, EnqueueOptions.DEFAULT.changed(options));
  }

  /** As {@link #submit(byte[], EnqueueOptions)}, with the default options. */
  default Submitted<byte[]> submit(byte[] payload) {
    return submit(payload, EnqueueOptions.DEFAULT);
  }

  /** As {@link #submit(byte[], EnqueueOptions)}, by future, which fails if the job is refused. */
  @CheckReturnValue
  CompletableFuture<Submitted<byte[]>> submitAsync(byte[] payload, EnqueueOptions options);

  /**
   * Takes leases on the next jobs; empty if none is eligible within the time to wait, or if the
   * thread is interrupted before: then it holds none, and its interrupt status stays.
   */
  @CheckReturnValue
  List<Lease> claim(ClaimOptions options);

  /** Takes a lease on the next job if there is one now. */
  @CheckReturnValue
  default Optional<Lease> claim(String worker, Duration leaseDuration) {
    return claim(ClaimOptions.by(worker).leaseDuration(leaseDuration)).stream().findFirst();
  }

  /** Cancelling the future gives up: a job granted meanwhile is released at once, uncounted. */
  @CheckReturnValue
  CompletableFuture<List<Lease>> claimAsync(ClaimOptions options);

  /** Counts and totals; empty if the queue does not exist. Exact as of the newest commit. */
  Optional<QueueStats> stats();

  /**
   * Jobs of one state in their order: serving order for ready ones, time order for delayed and dead
   * ones.
   */
  Page<Job> peek(JobState state, PageRequest page);

  DeadLetters deadLetters();

  /**
   * What holds for the queue: what it says itself, else what is said for its name, else the
   * defaults.
   */
  QueueSettings settings();

  /**
   * Changes what the queue itself says, creating it if it does not exist; holds from the next
   * request on, also for jobs that are there.
   *
   * @param change is given what holds, and answers it with changes: what is {@linkplain
   *     QueueSettings#said() said} in the answer is what the queue says from then on. Called on
   *     this thread, and again if another changed the settings meanwhile
   */
  void configure(UnaryOperator<QueueSettings> change);

  /**
   * Stops serving claims; enqueues and running leases go on. Survives restarts. Creates the queue
   * if it does not exist.
   */
  void pause();

  /** Serves claims again. */
  void resume();

  /**
   * Removes all jobs of these states that are there when it is called, in bounded steps between
   * which others are served. A failure in between leaves the earlier steps done; calling again goes
   * on. Jobs that change their state meanwhile may be left; blocked ones that are handed the slots
   * of ready ones stay, unless they are to be removed, too.
   *
   * @param states any but {@link JobState#LEASED}: leased jobs are their holders'
   * @return how many jobs were removed
   */
  long purge(Set<JobState> states);

  /**
   * Refuses enqueues from now on ({@link EnqueueResult.Draining}), also over restarts, and waits
   * until nothing is left to be worked on. Claims are served, and operators may still redrive. Dead
   * letters and kept results may be left. Creates the queue if it does not exist.
   *
   * @param waiting how long to wait; zero only looks. Returns earlier if the thread is interrupted
   */
  @CheckReturnValue
  DrainResult drain(Duration waiting);

  /** Takes enqueues again. */
  void endDrain();

  /**
   * Deletes the queue with its settings and all of its jobs, leased ones too: to their holders they
   * are gone. When it returns nothing of the queue can be seen any more, and a queue of the same
   * name can come to be; what is stored of it is removed in the background, in bounded steps that a
   * restart resumes. Claims that wait for the name go on waiting.
   *
   * @return whether there was such a queue
   */
  boolean delete();
}
