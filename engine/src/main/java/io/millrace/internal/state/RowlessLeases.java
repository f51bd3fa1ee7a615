package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The leases that have no row yet, neither in the store nor in the batch under way, in the order in
 * which they were granted.
 *
 * <p>Many leases end soon after they were granted, and their rows would be written for nothing. So
 * a row may wait for the next batch. Until then the job counts as leased in memory and as ready in
 * the store: after a crash it is ready again.
 *
 * <p>After a batch that never happened, the counts are read from the store again, and do not
 * contain these leases. Until the next batch begins and counts them, they are uncounted.
 */
public final class RowlessLeases {

  /** The time that rows may wait if nothing else is to be written. */
  private static final long DELAY_NS = 5_000_000;

  private final int countMax;

  /** The leases in the order of their grants. May also hold some that got a row or ended since. */
  private final List<LeaseEntry> leases = new ArrayList<>();

  private final List<LeaseEntry> uncounted = new ArrayList<>();

  /** The index in {@link #leases} of the first that was granted with the batch under way. */
  private int batchStart;

  /** The index in {@link #leases} before which none is rowless. */
  private int passed;

  private long sinceNs;

  /**
   * Creates the list without any leases.
   *
   * @param countMax about how many rows may wait: a batch must have room for them beside the
   *     largest request
   */
  RowlessLeases(int countMax) {
    this.countMax = countMax;
  }

  /** Returns all leases without rows, those that were granted with the batch under way last. */
  public List<LeaseEntry> all() {
    return rowless(leases.size());
  }

  /** Returns the leases without rows that were granted before the batch under way. */
  public List<LeaseEntry> earlier() {
    return rowless(batchStart);
  }

  private List<LeaseEntry> rowless(int end) {
    while (passed < end && !leases.get(passed).isRowless()) {
      passed++;
    }
    List<LeaseEntry> found = new ArrayList<>();
    for (int i = passed; i < end; i++) {
      if (leases.get(i).isRowless()) {
        found.add(leases.get(i));
      }
    }
    return found;
  }

  /** Notes that all leases have rows in the batch by now. */
  public void passAll() {
    passed = leases.size();
  }

  /** Returns about how many rows may wait, and how many are written at a time. */
  public int countMax() {
    return countMax;
  }

  /** Returns how many rows wait at most: some of their leases may have ended. */
  public int count() {
    return leases.size() - passed;
  }

  /** Tells whether no more rows may wait. */
  public boolean isAtLimit() {
    return count() >= countMax;
  }

  /**
   * Tells whether so many rows wait that a batch is for them alone, as after the store had been
   * full.
   */
  public boolean isBeyondLimit() {
    return batchStart > countMax && earlier().size() > countMax;
  }

  /**
   * Returns how long the rows that wait may still do so, in nanoseconds; {@link Long#MAX_VALUE} if
   * none waits.
   */
  public long dueInNs(long nowNs) {
    return batchStart == 0 ? Long.MAX_VALUE : sinceNs + DELAY_NS - nowNs;
  }

  /** Tells whether the next batch has leases to count. */
  public boolean hasUncounted() {
    return !uncounted.isEmpty();
  }

  /**
   * Takes the leases that a batch which has just begun must count. From here on their rows wait
   * again.
   */
  public List<LeaseEntry> takeUncounted() {
    if (uncounted.isEmpty()) {
      return List.of();
    }
    List<LeaseEntry> taken = new ArrayList<>(uncounted);
    taken.removeIf(LeaseEntry::isEnded);
    taken.sort(Comparator.comparingLong(LeaseEntry::token));
    uncounted.clear();
    leases.addAll(0, taken);
    batchStart = leases.size();
    return taken;
  }

  /** Adds a lease that was granted with the batch under way. */
  void add(LeaseEntry lease) {
    leases.add(lease);
  }

  /** Adds a lease that the counts do not contain. */
  void addUncounted(LeaseEntry lease) {
    uncounted.add(lease);
  }

  void beginBatch() {
    batchStart = leases.size();
    passed = 0;
  }

  /** Notes that the batch is in the store, if it had anything to be stored. */
  void commitBatch(long nowNs) {
    if (earlier().isEmpty()) {
      sinceNs = nowNs;
    }
    leases.forEach(LeaseEntry::commitBatch);
    leases.removeIf(lease -> !lease.isRowless());
    beginBatch();
  }

  /**
   * Makes all leases uncounted, since the batch never happened. What it did to each lease is taken
   * back already.
   */
  void undoBatch() {
    leases.removeIf(LeaseEntry::isEnded);
    uncounted.addAll(leases);
    leases.clear();
    beginBatch();
  }

  /**
   * Forgets all leases. A store that is opened again says itself which leases it holds: writing one
   * a second time would count its job twice.
   */
  public void clear() {
    leases.clear();
    uncounted.clear();
    beginBatch();
  }
}
