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
  private volatile boolean isStopped;
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

  /** Begins a round in which no more jobs than this may wait at once. */
  void start(long outstandingMax) {
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
  }

  /** A caller cannot go on: ends the round. */
  void fail(Throwable thrown) {
    failure.compareAndSet(null, thrown);
    stop();
  }

  @Nullable Throwable failure() {
    return failure.get();
  }

  boolean isStopped() {
    return isStopped;
  }

  boolean hasRoom() {
    return outstandingCount() < outstandingCountMax;
  }

  void enqueued(int count) {
    enqueuedCount.add(count);
  }

  void completed(long number) {
    ledger.completed(number);
    completedCount.increment();
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
