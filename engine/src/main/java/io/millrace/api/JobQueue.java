package io.millrace.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A named line of jobs. Any thread may use it, for as long as its engine is open; it holds no
 * resources.
 *
 * <p>The queue comes to be with its first enqueue or setting. Every operation that changes
 * something may throw {@link EngineClosedException}, {@link EngineOverloadedException} (nothing
 * happened), {@link OutcomeUnknownException}, {@link CorruptDataException}, or the store's own
 * exceptions, among them {@link io.millrace.spi.StoreFullException}. One that is more than the
 * store takes in one commit throws {@link IllegalArgumentException}, and a blocking one on the
 * thread where the engine completes futures {@link IllegalStateException}; nothing happened. A
 * thread that is interrupted gives up waiting with {@link OutcomeUnknownException} and keeps its
 * interrupt status; its request may still be carried out, or never.
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

  /** Puts a job at the end of its priority, or aside until it is due. */
  EnqueueResult enqueue(byte[] payload, EnqueueOptions options);

  /** Puts a job with the default options at the end of the queue. */
  default EnqueueResult enqueue(byte[] payload) {
    return enqueue(payload, EnqueueOptions.DEFAULT);
  }

  CompletableFuture<EnqueueResult> enqueueAsync(byte[] payload, EnqueueOptions options);

  /** Enqueues many jobs in one commit and answers for each in order. */
  List<EnqueueResult> enqueueAll(List<NewJob> jobs);

  CompletableFuture<List<EnqueueResult>> enqueueAllAsync(List<NewJob> jobs);

  /**
   * Takes leases on the next jobs; empty if none is eligible within the time to wait, or if the
   * thread is interrupted before: then it holds none, and its interrupt status stays.
   */
  List<Lease> claim(ClaimOptions options);

  /** Takes a lease on the next job if there is one now. */
  default Optional<Lease> claim(String worker, Duration leaseDuration) {
    return claim(ClaimOptions.by(worker).leaseDuration(leaseDuration)).stream().findFirst();
  }

  /** Cancelling the future gives up: a job granted meanwhile is released at once, uncounted. */
  CompletableFuture<List<Lease>> claimAsync(ClaimOptions options);

  /** Counts and totals; empty if the queue does not exist. Exact as of the newest commit. */
  Optional<QueueStats> stats();

  /**
   * Jobs of one state in their order: serving order for ready ones, time order for delayed and dead
   * ones.
   */
  Page<Job> peek(JobState state, PageRequest page);

  DeadLetters deadLetters();

  /** The queue's settings, the defaults if it does not exist. */
  QueueSettings settings();

  /**
   * Changes the settings, creating the queue if it does not exist; holds from the next request on.
   */
  void configure(QueueSettings settings);

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
   * on. Jobs that change their state meanwhile may be left.
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
