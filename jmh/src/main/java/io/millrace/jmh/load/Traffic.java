package io.millrace.jmh.load;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What the callers of one target share over all rounds: who did how much, and when to stop. */
final class Traffic {

  /** How long a caller sleeps between two looks at whether it may go on. */
  static final long WAIT_NS = 100_000;

  private final Ledger ledger;
  private final Latencies latencies = new Latencies();
  private final LongAdder enqueuedCount = new LongAdder();
  private final LongAdder completedCount = new LongAdder();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
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

  /** Whether more jobs wait than are to stay; where none are, a claim may wait for some. */
  boolean hasSpare() {
    return outstandingCountMin == 0 || outstandingCount() > outstandingCountMin;
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
