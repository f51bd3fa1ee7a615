package io.millrace.jmh.load;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The state that the callers of one target share over all rounds: what was done, and when to stop.
 */
final class Traffic {

  private final Ledger ledger;
  private final Latencies latencies = new Latencies();
  private final LongAdder enqueuedCount = new LongAdder();
  private final LongAdder completedCount = new LongAdder();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Throttle producers = new Throttle();
  private final Throttle consumers = new Throttle();
  private final Throttle watchers = new Throttle();
  private volatile boolean isStopped;
  private volatile long outstandingCountMin;
  private volatile long outstandingCountMax;
  private volatile long startNs;

  Traffic(int producerCount) {
    ledger = new Ledger(producerCount);
  }

  Ledger ledger() {
    return ledger;
  }

  Latencies latencies() {
    return latencies;
  }

  /** Begins a round, with the least and the most jobs that wait at once. */
  void start(long outstandingMin, long outstandingMax) {
    outstandingCountMin = outstandingMin;
    outstandingCountMax = outstandingMax;
    startNs = System.nanoTime();
    isStopped = false;
  }

  /**
   * Tells whether an instant was in this round: between two rounds there is no caller to be late.
   */
  boolean isOfThisRound(long atNs) {
    return atNs - startNs > 0;
  }

  void stop() {
    isStopped = true;
    producers.sweep();
    consumers.sweep();
    watchers.sweep();
  }

  /** Ends the round because a caller cannot go on. */
  void fail(Throwable thrown) {
    failure.compareAndSet(null, thrown);
    stop();
  }

  @Nullable Throwable failure() {
    return failure.get();
  }

  /** Waits until the round is over. */
  void awaitStop() {
    while (!isStopped) {
      watchers.sleepWhile(() -> !isStopped);
    }
  }

  boolean isStopped() {
    return isStopped;
  }

  boolean hasRoom() {
    return outstandingCount() < outstandingCountMax;
  }

  /** Waits while too many jobs wait. Returns false when the round is over. */
  boolean awaitRoom() {
    if (!isStopped && !hasRoom()) {
      producers.sleepWhile(() -> !isStopped && outstandingCount() > middleCount());
    }
    return !isStopped;
  }

  /**
   * Waits while no more jobs wait than are to stay. If none are to stay, does not wait: a claim may
   * wait for some. Returns false when the round is over.
   */
  boolean awaitSpare() {
    if (!isStopped && outstandingCountMin > 0 && outstandingCount() <= outstandingCountMin) {
      consumers.sleepWhile(() -> !isStopped && outstandingCount() < middleCount());
    }
    return !isStopped;
  }

  private long middleCount() {
    return (outstandingCountMin + outstandingCountMax) / 2;
  }

  void enqueued(int count) {
    enqueuedCount.add(count);
    if (consumers.hasSleepers() && outstandingCount() >= middleCount()) {
      consumers.sweep();
    }
  }

  void completed(long number) {
    ledger.completed(number);
    completed();
  }

  /** Counts a completed job whose number the ledger has been told. */
  void completed() {
    completedCount.increment();
    if (producers.hasSleepers() && outstandingCount() <= middleCount()) {
      producers.sweep();
    }
  }

  long enqueuedCount() {
    return enqueuedCount.sum();
  }

  long completedCount() {
    return completedCount.sum();
  }

  long outstandingCount() {
    return enqueuedCount() - completedCount();
  }
}
