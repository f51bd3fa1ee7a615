package io.millrace.jmh.load;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What the callers of one target share over all rounds: who did how much, and when to stop. */
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

  /** Begins a round in which as many jobs wait at once, at least and at most. */
  void start(long outstandingMin, long outstandingMax) {
    outstandingCountMin = outstandingMin;
    outstandingCountMax = outstandingMax;
    startNs = System.nanoTime();
    isStopped = false;
  }

  /** Whether that was in this round: between two rounds nobody is there to be late. */
  boolean isOfThisRound(long atNs) {
    return atNs - startNs > 0;
  }

  void stop() {
    isStopped = true;
    producers.sweep();
    consumers.sweep();
    watchers.sweep();
  }

  /** A caller cannot go on: ends the round. */
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

  /** Waits while too many jobs wait. False when the round is over. */
  boolean awaitRoom() {
    if (!isStopped && !hasRoom()) {
      producers.sleepWhile(() -> !isStopped && outstandingCount() > middleCount());
    }
    return !isStopped;
  }

  /**
   * Waits while no more jobs wait than are to stay; where none are, a claim may wait for some.
   * False when the round is over.
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

  /** A job was completed whose number the ledger has got by then. */
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
