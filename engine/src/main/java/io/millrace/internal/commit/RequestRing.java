package io.millrace.internal.commit;

import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOverloadedException;
import io.millrace.internal.state.Nanos;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bounded line of requests and actions for the loop: many threads put in, the loop takes out.
 *
 * <p>No wake-up is lost: a loop that finds nothing says that it sleeps, looks once more, and parks;
 * a caller puts in first and looks for a sleeper second. Whichever comes later sees the other.
 * Callers unpark only a loop that sleeps, for unparking would cost each of them a system call.
 *
 * <p>Nothing is left behind at the end: {@link #end} and every later {@link #put} refuse what is in
 * the ring, one of them at a time, so that whatever was put in is either taken or refused,
 * whichever thread was faster.
 */
final class RequestRing {

  /**
   * The size beyond which entries count against the limit on bytes; smaller ones are bounded by
   * their number.
   */
  private static final int COUNTED_BYTES = 1 << 10;

  /** The most bytes of counted entries that may wait in the ring; one entry is always let in. */
  private static final long BYTES_MAX = 256L << 20;

  private static final long RETRY_NS = 50_000;

  private final SlotRing<RingEntry> queue;
  private final BooleanSupplier lastLook;
  private final AtomicLong countedBytes = new AtomicLong();
  private final long overloadWaitNs;
  private final AnswerThread answerThread;
  private final EngineClock clock;
  private volatile boolean isEnded;
  private volatile @Nullable Thread sleeper;

  RequestRing(EngineOptions options, AnswerThread answerThread) {
    this.queue = new SlotRing<>(options.ringSize());
    this.lastLook = queue::isEmpty;
    this.overloadWaitNs = options.overloadWait().toNanos();
    this.clock = options.clock();
    this.answerThread = answerThread;
    // The first use of all loads classes, for which a caller may not have the stack.
    queue.offer(new LoopAction(() -> {}));
    queue.poll();
  }

  /** Returns the thread that tells callers whose requests are not taken up. */
  AnswerThread answerThread() {
    return answerThread;
  }

  /**
   * Puts an entry in, waiting for room if there is none.
   *
   * @throws EngineOverloadedException there was no room for as long as a caller waits; the entry is
   *     not in the ring
   */
  void put(RingEntry entry) {
    if (!offer(entry)) {
      waitForRoom(entry);
    }
    tell();
  }

  /** Puts an entry in if there is room for it now; returns whether there was. */
  boolean putIfRoom(RingEntry entry) {
    boolean isIn = offer(entry);
    if (isIn) {
      tell();
    }
    return isIn;
  }

  /** Wakes the loop if it sleeps; after the end, refuses what is in the ring. */
  private void tell() {
    Thread sleeping = sleeper;
    if (sleeping != null) {
      LockSupport.unpark(sleeping);
    }
    if (isEnded) {
      refuseAll();
    }
  }

  /**
   * Sleeps until an entry is put in, the thread is unparked, or the time is over. Does not sleep if
   * an entry is in. For the loop's thread.
   *
   * @return how long it meant to sleep, in nanoseconds; 0 if it did not
   */
  long sleep(long durationNs) {
    return sleep(durationNs, lastLook);
  }

  /**
   * Sleeps like {@link #sleep(long)}, with the last look as an argument: a test puts something in
   * during that.
   */
  long sleep(long durationNs, BooleanSupplier isEmpty) {
    sleeper = Thread.currentThread();
    try {
      if (!isEmpty.getAsBoolean()) {
        return 0;
      }
      clock.parkNs(durationNs);
      return durationNs;
    } finally {
      sleeper = null;
    }
  }

  private void waitForRoom(RingEntry entry) {
    long startNs = clock.monotonicNs();
    do {
      LockSupport.parkNanos(this, RETRY_NS);
      if (Thread.currentThread().isInterrupted()) {
        throw new EngineOverloadedException(
            "interrupted while waiting for room among the queued requests; nothing happened");
      }
      if (offer(entry)) {
        return;
      }
      if (isEnded) {
        throw Refusals.closed();
      }
    } while (clock.monotonicNs() - startNs < overloadWaitNs);
    throw new EngineOverloadedException(
        "too many requests are queued: waitedMs="
            + Nanos.toMs(overloadWaitNs)
            + ", ringSize="
            + queue.capacity()
            + "; nothing happened, try again later or raise overloadWait");
  }

  private boolean offer(RingEntry entry) {
    long bytes = entry.bytes();
    if (bytes <= COUNTED_BYTES) {
      return queue.offer(entry);
    }
    entry.countedBytes = bytes;
    if (countedBytes.addAndGet(bytes) > BYTES_MAX + bytes || !queue.offer(entry)) {
      countedBytes.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  /**
   * Returns the next entry, or null. Calls no method of it, for that could throw. For the loop's
   * thread.
   */
  @Nullable RingEntry take() {
    RingEntry taken = queue.poll();
    if (taken != null && taken.countedBytes > 0) {
      countedBytes.addAndGet(-taken.countedBytes);
    }
    return taken;
  }

  /** Returns how many entries were put in since the beginning, counting those being put in now. */
  long putCount() {
    return queue.putCount();
  }

  /** Returns how many entries were taken since the beginning. */
  long takenCount() {
    return queue.takenCount();
  }

  /** Returns how many entries wait now. For any thread. */
  int depth() {
    return queue.size();
  }

  /** Returns how many entries may wait. */
  int capacity() {
    return queue.capacity();
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Ends the ring: refuses what is in it and, later, all that is put in. */
  void end() {
    isEnded = true;
    refuseAll();
  }

  private synchronized void refuseAll() {
    for (RingEntry left = take(); left != null; left = take()) {
      left.refuse(Refusals.closed(), answerThread);
    }
  }
}
