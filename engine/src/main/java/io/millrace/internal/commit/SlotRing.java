package io.millrace.internal.commit;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue without locks, for many threads that put in and one that takes out.
 *
 * <p>A thread that puts in takes the next number by a compare-and-set, and then fills the slot of
 * that number. The taking thread may come between the two: it waits for these few instructions. A
 * slot is used again as soon as it has been emptied. This is the bounded queue of Dmitry Vyukov
 * (1024cores.net) with one consumer, as JCTools has it.
 */
final class SlotRing<E> {

  /**
   * The distance between numbers, two cache lines, so that writing one does not slow access to
   * another.
   */
  private static final int APART = 16;

  /**
   * The index of the bound for {@link #PUT}: while the number there is less, there surely is room.
   */
  private static final int PUT = APART;

  /**
   * The index of a lower bound of how many elements may be put in: there is room for at least
   * these.
   */
  private static final int ROOM = 2 * APART;

  /** The index of the number of elements that were taken. */
  private static final int TAKEN = 3 * APART;

  private final AtomicLongArray numbers = new AtomicLongArray(4 * APART);
  private final AtomicReferenceArray<@Nullable E> slots;
  private final int mask;

  /** Creates a ring with the given number of slots, rounded up to a power of two. */
  SlotRing(int leastCapacity) {
    int capacity = leastCapacity <= 1 ? 1 : Integer.highestOneBit(leastCapacity - 1) << 1;
    slots = new AtomicReferenceArray<>(capacity);
    mask = capacity - 1;
    numbers.set(ROOM, capacity);
  }

  /**
   * Puts an element in if there is room; returns whether there was. The element counts for {@link
   * #isEmpty} before anything that the thread reads afterwards. For any thread.
   */
  boolean offer(E element) {
    long number;
    do {
      number = numbers.get(PUT);
      if (number >= numbers.get(ROOM)) {
        long room = numbers.get(TAKEN) + capacity();
        if (number >= room) {
          return false;
        }
        numbers.setRelease(ROOM, room);
      }
    } while (!numbers.compareAndSet(PUT, number, number + 1));
    slots.setRelease(slot(number), element);
    return true;
  }

  /** Takes the oldest element; returns null if the queue is empty. For one thread at a time. */
  @Nullable E poll() {
    long number = numbers.getPlain(TAKEN);
    int slot = slot(number);
    E element = slots.getAcquire(slot);
    if (element == null) {
      if (number == numbers.get(PUT)) {
        return null;
      }
      for (element = slots.getAcquire(slot); element == null; element = slots.getAcquire(slot)) {
        Thread.onSpinWait();
      }
    }
    slots.setPlain(slot, null);
    numbers.setRelease(TAKEN, number + 1);
    return element;
  }

  /** Returns how many elements were put in since the beginning, counting those being put in now. */
  long putCount() {
    return numbers.get(PUT);
  }

  /** Returns how many elements were taken since the beginning. */
  long takenCount() {
    return numbers.get(TAKEN);
  }

  /** Returns how many elements are in, at some moment of the call. For any thread. */
  int size() {
    long taken;
    long put;
    long takenSince = takenCount();
    do {
      taken = takenSince;
      put = putCount();
      takenSince = takenCount();
    } while (taken != takenSince);
    return (int) (put - taken);
  }

  /** Tells whether the queue is empty; an element that is being put in counts. For any thread. */
  boolean isEmpty() {
    return takenCount() == putCount();
  }

  /** Returns how many elements there is room for. */
  int capacity() {
    return slots.length();
  }

  private int slot(long number) {
    return (int) number & mask;
  }
}
