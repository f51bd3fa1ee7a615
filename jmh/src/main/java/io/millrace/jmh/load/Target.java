package io.millrace.jmh.load;

import io.millrace.api.JobQueues;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * What callers drive: the engine, or the plain log beside it. Any thread.
 *
 * <p>Payloads begin with the job's number, see {@link Payloads}.
 */
public interface Target extends AutoCloseable {

  /** How long a claim waits for a job. */
  Duration CLAIM_WAIT = Duration.ofMillis(20);

  /** Returns when the jobs are as durable as the run asks; the arrays may then be reused. */
  void enqueue(List<byte[]> payloads);

  /** As {@link #enqueue}, by future. */
  CompletableFuture<?> enqueueAsync(List<byte[]> payloads);

  /** Takes jobs, waiting for some if there are none; may be empty. */
  Claimed claim(int max);

  /** As {@link #claim}, by future. */
  CompletableFuture<? extends Claimed> claimAsync(int max);

  /** What a worker would claim from; empty if there is nothing for workers. */
  default Optional<JobQueues> forWorkers() {
    return Optional.empty();
  }

  @Override
  void close();

  /** Jobs that are held. For one thread at a time. */
  interface Claimed {

    int size();

    /** When the job was to become visible, on {@link System#nanoTime}; 0 if at once. */
    long dueNs(int index);

    /**
     * Completes all of them in one call.
     *
     * @param completed is told the number of each job that was completed
     */
    void complete(LongConsumer completed);

    /** As {@link #complete}, by future. */
    CompletableFuture<?> completeAsync(LongConsumer completed);
  }
}
