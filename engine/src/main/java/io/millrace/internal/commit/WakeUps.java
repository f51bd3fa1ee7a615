package io.millrace.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The waking of callers who were answered together. The loop wakes the first of them, and each
 * caller who comes back wakes some others: unparking a thread takes longer than building its answer
 * did, and the loop has the next batch to build meanwhile.
 *
 * <p>Nobody depends on other callers alone, who may not be given a processor for long: the loop
 * {@link #finish}es what is left after its next batch.
 *
 * <p>Nobody is left out: a caller first notes that it is back, and then looks whether the waking
 * has begun; a waker begins first and looks at that note second. Whichever comes later sees the
 * other.
 *
 * <p>Filled and begun by the loop's thread; after that for any thread.
 */
final class WakeUps {

  /**
   * The number of callers whom a loop wakes before it writes: the others are awake when it is done.
   */
  static final int BEFORE_WRITE = 1;

  /**
   * The number of callers whom a loop wakes before it takes up requests: theirs should be among
   * them.
   */
  static final int AFTER_WRITE = 8;

  /** The number of callers whom each caller wakes. */
  private static final int FAN_OUT = 2;

  private final List<RingEntry> callers = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();
  private volatile boolean hasBegun;
  private boolean isFinishing;

  boolean isEmpty() {
    return callers.isEmpty();
  }

  /** Adds a request whose caller has its answer and may be asleep. */
  void add(RingEntry request) {
    callers.add(request);
  }

  /** Wakes the first callers. No more may be added. */
  void begin(int firstCount) {
    hasBegun = true;
    wake(firstCount);
  }

  /** Wakes some others, on the thread of a caller that is back. */
  void goOn() {
    if (hasBegun) {
      wake(FAN_OUT);
    }
  }

  /**
   * Wakes all callers who are left, beside the callers that do so. At the second call, when these
   * have had time, wakes also those whose waker died before it came to them. Returns whether this
   * was the second call.
   */
  boolean finish() {
    if (isFinishing) {
      wakeAll();
      return true;
    }
    isFinishing = true;
    wake(callers.size());
    return false;
  }

  /** Wakes all callers, whoever else wakes them. Needs no memory. */
  void wakeAll() {
    for (int i = 0; i < callers.size(); i++) {
      callers.get(i).wake();
    }
  }

  private void wake(int countMax) {
    int count = 0;
    while (count < countMax) {
      RingEntry caller = take();
      if (caller == null) {
        return;
      }
      if (caller.wake()) {
        count++;
      }
    }
  }

  /** Returns the next caller to be woken, which is then left to the calling thread, or null. */
  @Nullable RingEntry take() {
    int index = next.get() < callers.size() ? next.getAndIncrement() : callers.size();
    return index < callers.size() ? callers.get(index) : null;
  }
}
