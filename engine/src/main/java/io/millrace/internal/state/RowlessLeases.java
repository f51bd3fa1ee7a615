package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Leases that have no row yet, neither in the store nor in the batch under way, in the order in
 * which they were granted.
 *
 * <p>Many leases end soon after they were granted, and their rows would be written for nothing. So
 * a row may wait for the next batch. Until then the job counts as leased in memory and as ready in
 * the store: after a crash it is ready again.
 *
 * <p>After a batch that never happened, the counts are read from the store again, and do not know
 * of these leases. Until the next batch begins and counts them, they are uncounted.
 */
public final class RowlessLeases {

  /** How long rows may wait if nothing else is to be written. */
  private static final long DELAY_NS = 5_000_000;

  private final int countMax;

  /** May also hold leases that have a row or have ended since they came in. */
  private final List<LeaseEntry> leases = new ArrayList<>();

  private final List<LeaseEntry> uncounted = new ArrayList<>();

  /** The first of {@link #leases} that was granted with the batch under way. */
  private int batchStart;

  /** None of {@link #leases} before this one is rowless. */
  private int passed;

  private long sinceNs;

  /**
   * None yet.
   *
   * @param countMax how many rows may wait, about: a batch must have room for them beside the
   *     largest request
   */
  RowlessLeases(int countMax) {
    this.countMax = countMax;
  }

  /** All of them, those that were granted with the batch under way last. */
  public List<LeaseEntry> all() {
    return rowless(leases.size());
  }

  /** Those that were granted before the batch under way. */
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

  /** All of them have rows in the batch by now. */
  public void passAll() {
    passed = leases.size();
  }

  /** How many rows may wait, about, and are written at a time. */
  public int countMax() {
    return countMax;
  }

  /** The most rows that wait now: some of their leases may have ended. */
  public int count() {
    return leases.size() - passed;
  }

  /** Whether no more rows may wait. */
  public boolean isAtLimit() {
    return count() >= countMax;
  }

  /** Whether so many rows wait that a batch is for them alone, after the store had been full. */
  public boolean isBeyondLimit() {
    return batchStart > countMax && earlier().size() > countMax;
  }

  /** How long the rows that wait may still do so; {@link Long#MAX_VALUE} if there are none. */
  public long dueInNs(long nowNs) {
    return batchStart == 0 ? Long.MAX_VALUE : sinceNs + DELAY_NS - nowNs;
  }

  /** Whether the next batch has leases to count. */
  public boolean hasUncounted() {
    return !uncounted.isEmpty();
  }

  /** Leases that a batch which has just begun must count; from here on their rows wait again. */
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

  /** A lease was granted with the batch under way. */
  void add(LeaseEntry lease) {
    leases.add(lease);
  }

  /** The counts do not know of the lease. */
  void addUncounted(LeaseEntry lease) {
    uncounted.add(lease);
  }

  void beginBatch() {
    batchStart = leases.size();
    passed = 0;
  }

  /** The batch is in the store, if it had anything to be stored. */
  void commitBatch(long nowNs) {
    if (earlier().isEmpty()) {
      sinceNs = nowNs;
    }
    leases.forEach(LeaseEntry::commitBatch);
    leases.removeIf(lease -> !lease.isRowless());
    beginBatch();
  }

  /** The batch never happened, and what it did to each lease is taken back. */
  void undoBatch() {
    leases.removeIf(LeaseEntry::isEnded);
    uncounted.addAll(leases);
    leases.clear();
    beginBatch();
  }

  /**
   * A store that is opened again says itself which leases it holds: writing one a second time would
   * count its job twice.
   */
  public void clear() {
    leases.clear();
    uncounted.clear();
    beginBatch();
  }
}
