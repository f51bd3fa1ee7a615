package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A heap of the leases whose time runs, by their end: a binary heap in an array (J. W. J. Williams,
 * "Heapsort", 1964), in which each lease knows its place, so that any can be removed.
 *
 * <p>Most leases end in the order in which they began, and such a lease is added without moving any
 * other. A lease's end stays as it is while the lease is inside. For one thread.
 */
final class DeadlineHeap {

  private static final int CAPACITY_LEAST = 64;

  private @Nullable LeaseEntry[] heap = new @Nullable LeaseEntry[CAPACITY_LEAST];
  private int size;

  /** Returns the lease that ends first, or null. */
  @Nullable LeaseEntry first() {
    return heap[0];
  }

  /**
   * Returns the leases that end by the given time, the earliest first, and leaves them in the heap.
   *
   * @param leaseNs a time of the lease clock
   * @param countMax the most leases to return
   */
  List<LeaseEntry> endedBy(long leaseNs, int countMax) {
    List<LeaseEntry> ended = new ArrayList<>();
    LeaseEntry next = heap[0];
    while (next != null && ended.size() < countMax && next.deadlineNs() - leaseNs <= 0) {
      ended.add(next);
      remove(next);
      next = heap[0];
    }
    ended.forEach(this::add);
    return ended;
  }

  /** Adds a lease that is not inside. */
  void add(LeaseEntry lease) {
    assert lease.heapIndex() == LeaseEntry.NOT_IN_HEAP : "added twice: " + lease.token();
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    rise(lease, size++);
  }

  /** Removes the lease if it is inside. */
  void remove(LeaseEntry lease) {
    int place = lease.heapIndex();
    if (place == LeaseEntry.NOT_IN_HEAP) {
      return;
    }
    lease.setHeapIndex(LeaseEntry.NOT_IN_HEAP);
    LeaseEntry last = at(--size);
    heap[size] = null;
    if (last != lease) {
      // It comes from another branch, and may belong above or below.
      rise(last, place);
      sink(last, last.heapIndex());
    }
    if (size < heap.length / 4 && heap.length > CAPACITY_LEAST) {
      heap = Arrays.copyOf(heap, heap.length / 2);
    }
  }

  /** Puts the lease at the place or above, and pushes down the leases there that end later. */
  private void rise(LeaseEntry lease, int from) {
    int place = from;
    while (place > 0 && isBefore(lease, at((place - 1) / 2))) {
      put(at((place - 1) / 2), place);
      place = (place - 1) / 2;
    }
    put(lease, place);
  }

  /** Puts the lease at the place or below, and pulls up the leases there that end earlier. */
  private void sink(LeaseEntry lease, int from) {
    int place = from;
    int child = earlierChild(place);
    while (child < size && isBefore(at(child), lease)) {
      put(at(child), place);
      place = child;
      child = earlierChild(place);
    }
    put(lease, place);
  }

  private int earlierChild(int place) {
    int left = 2 * place + 1;
    return left + 1 < size && isBefore(at(left + 1), at(left)) ? left + 1 : left;
  }

  private LeaseEntry at(int place) {
    LeaseEntry lease = heap[place];
    assert lease != null : "place is beyond the end: place=" + place + ", size=" + size;
    return lease;
  }

  private void put(LeaseEntry lease, int place) {
    heap[place] = lease;
    lease.setHeapIndex(place);
  }

  private static boolean isBefore(LeaseEntry a, LeaseEntry b) {
    long difference = a.deadlineNs() - b.deadlineNs();
    return difference != 0 ? difference < 0 : a.token() < b.token();
  }
}
