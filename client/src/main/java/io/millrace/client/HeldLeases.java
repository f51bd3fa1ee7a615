package io.millrace.client;

import io.millrace.protocol.LeaseRef;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases that a client was granted and did not end: they are given back when it is closed. Any
 * thread.
 */
final class HeldLeases {

  private static final int WALK_LEAST = 1_000;

  private final Set<HeldLease> all = ConcurrentHashMap.newKeySet();
  private volatile int walkAt = WALK_LEAST;

  /** Keeps leases that were granted, and forgets those that have ended, now and then. */
  void add(List<HeldLease> granted) {
    all.addAll(granted);
    if (all.size() >= walkAt) {
      all.removeIf(lease -> !isHeld(lease));
      walkAt = Math.max(WALK_LEAST, 2 * all.size());
    }
  }

  private static boolean isHeld(HeldLease lease) {
    return !lease.isFinished() && !lease.remaining().isZero();
  }

  /** Returns how many leases are still held. */
  int count() {
    return (int) all.stream().filter(HeldLeases::isHeld).count();
  }

  /** Returns the leases that are still held. */
  List<LeaseRef> held() {
    return all.stream().filter(HeldLeases::isHeld).map(HeldLease::ref).toList();
  }
}
