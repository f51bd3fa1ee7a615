package io.millrace.jmh.load;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.NewJob;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The engine with the load spread evenly over many queues. Each call goes to another queue.
 * Consumers are told in memory which queues have jobs, so that they claim where there are some.
 */
final class SpreadTarget implements Target {

  /**
   * The step from one call's queue to the next: a prime, so that neighbouring calls go to queues
   * that are far apart.
   */
  private static final long STRIDE = 7_919;

  private final EngineTarget engine;
  private final int queueCount;
  private final AtomicLong callCount = new AtomicLong();
  private final LinkedBlockingQueue<Filled> filled = new LinkedBlockingQueue<>();

  SpreadTarget(EngineTarget engine, LoadOptions options) {
    this.engine = engine;
    this.queueCount = options.queues().count();
  }

  /** A queue, and how many jobs wait in it. */
  private record Filled(JobQueue queue, int jobCount) {}

  private JobQueue next() {
    return engine.spreadQueue(callCount.getAndIncrement() * STRIDE % queueCount);
  }

  @Override
  public void enqueue(List<byte[]> payloads) {
    JobQueue queue = next();
    if (payloads.size() == 1) {
      queue.enqueue(payloads.get(0));
    } else {
      queue.enqueueAll(payloads.stream().map(NewJob::of).toList());
    }
    filled.add(new Filled(queue, payloads.size()));
  }

  @Override
  public CompletableFuture<?> enqueueAsync(List<byte[]> payloads) {
    JobQueue queue = next();
    CompletableFuture<?> enqueued =
        payloads.size() == 1
            ? queue.enqueueAsync(payloads.get(0), EnqueueOptions.DEFAULT)
            : queue.enqueueAllAsync(payloads.stream().map(NewJob::of).toList());
    return enqueued.thenRun(() -> filled.add(new Filled(queue, payloads.size())));
  }

  @Override
  public Claimed claim(int max) {
    Filled next = awaitFilled();
    if (next == null) {
      return engine.none();
    }
    Claimed claimed = engine.claim(next.queue(), Math.min(max, next.jobCount()));
    putBack(next, claimed.size());
    return claimed;
  }

  @Override
  public CompletableFuture<? extends Claimed> claimAsync(int max) {
    Filled next = awaitFilled();
    if (next == null) {
      return CompletableFuture.completedFuture(engine.none());
    }
    return engine
        .claimAsync(next.queue(), Math.min(max, next.jobCount()))
        .whenComplete(
            (claimed, thrown) -> {
              if (thrown == null) {
                putBack(next, claimed.size());
              }
            });
  }

  /** Notes the jobs that a claim has left in a queue: it may return fewer than there are. */
  private void putBack(Filled from, int claimedCount) {
    if (claimedCount < from.jobCount()) {
      filled.add(new Filled(from.queue(), from.jobCount() - claimedCount));
    }
  }

  private @Nullable Filled awaitFilled() {
    try {
      return filled.poll(CLAIM_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Does nothing: the engine is closed by its opener. */
  @Override
  public void close() {}
}
