package io.millrace.jmh.load;

import io.millrace.api.JobQueues;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * The target of callers: the engine, or the plain log beside it. Any thread.
 *
 * <p>Payloads begin with the job's number, see {@link Payloads}.
 */
public interface Target extends AutoCloseable {

  /** The time that a claim waits for a job. */
  Duration CLAIM_WAIT = Duration.ofMillis(20);

  /**
   * Enqueues jobs. Returns when they are as durable as the run asks; the arrays may then be reused.
   */
  void enqueue(List<byte[]> payloads);

  /** Enqueues jobs by future; see {@link #enqueue}. */
  CompletableFuture<?> enqueueAsync(List<byte[]> payloads);

  /** Claims jobs, waiting for some if there are none. The result may be empty. */
  Claimed claim(int max);

  /** Claims jobs by future; see {@link #claim}. */
  CompletableFuture<? extends Claimed> claimAsync(int max);

  /** Returns the queues from which a worker claims; empty if there are none for workers. */
  default Optional<JobQueues> forWorkers() {
    return Optional.empty();
  }

  @Override
  void close();

  /** Jobs that were claimed and are held. For one thread at a time. */
  interface Claimed {

    int size();

    /** Returns when the job was to become visible, on {@link System#nanoTime}; 0 if at once. */
    long dueNs(int index);

    /**
     * Completes all of the jobs in one call.
     *
     * @param completed is told the number of each job that was completed
     */
    void complete(LongConsumer completed);

    /** Completes all of the jobs by future; see {@link #complete}. */
    CompletableFuture<?> completeAsync(LongConsumer completed);
  }
}
