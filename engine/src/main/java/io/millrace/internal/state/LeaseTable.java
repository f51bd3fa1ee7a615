package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All leases, found by their job's birth sequence and ordered by their end.
 *
 * <p>The table is the authority on leases: a batch that fails cleanly takes back only what no
 * holder was told of. Hence the log of changes since {@link #beginBatch}: a grant that was answered
 * stays and is written with the next batch; one that was not goes; a lease that a request ended is
 * back.
 *
 * <p>Many leases end soon after they were granted, and their rows would be written for nothing. So
 * a row may wait for the next batch; until then the lease is {@link #rowless()}: its job counts as
 * leased here and as ready in the store, where it is ready again after a crash.
 *
 * <p>Deadlines are on the lease clock, which stands still while the engine was away, and are
 * compared by subtraction.
 */
public final class LeaseTable {

  /** How long rows may wait if nothing else is to be written. */
  private static final long ROW_DELAY_NS = 5_000_000;

  private final Long2ObjectHashMap<LeaseEntry> byBirth = new Long2ObjectHashMap<>();
  private final EndHeap running = new EndHeap();
  private final List<LeaseEntry> changes = new ArrayList<>();
  private final Set<LeaseEntry> unwritten = new LinkedHashSet<>();
  private List<LeaseEntry> rowless = new ArrayList<>();
  private final List<LeaseEntry> cancelMarks = new ArrayList<>();
  private final List<Lengthened> lengthened = new ArrayList<>();
  private final int rowlessCountMax;
  private long rowlessSinceNs;

  /** All before these have rows, or have ended. */
  private int rowlessPassed;

  private int changesPassed;

  /**
   * No leases yet.
   *
   * @param rowlessCountMax how many rows may wait, about: a batch must have room for them beside
   *     the largest request
   */
  LeaseTable(int rowlessCountMax) {
    this.rowlessCountMax = rowlessCountMax;
  }

  /** An end that moved, and where it was before. */
  public record Lengthened(LeaseEntry lease, long deadlineBeforeNs) {}

  public int size() {
    return byBirth.size();
  }

  public Collection<LeaseEntry> all() {
    return byBirth.values();
  }

  /** The lease on the job of this birth sequence, or null. */
  public @Nullable LeaseEntry get(long birth) {
    return byBirth.get(birth);
  }

  public boolean isLeased(long birth) {
    return byBirth.containsKey(birth);
  }

  /**
   * Leases without a row, neither in the store nor in the batch under way: those that were granted
   * before this batch, then those of this batch.
   */
  public List<LeaseEntry> rowless() {
    List<LeaseEntry> found = rowlessBefore();
    changesPassed = addRowless(changes, changesPassed, found);
    return found;
  }

  /** Those of {@link #rowless()} that were granted before the batch under way. */
  public List<LeaseEntry> rowlessBefore() {
    List<LeaseEntry> found = new ArrayList<>();
    rowlessPassed = addRowless(rowless, rowlessPassed, found);
    return found;
  }

  /** All that were rowless have rows in the batch by now. */
  public void passWritten() {
    rowlessPassed = rowless.size();
    changesPassed = changes.size();
  }

  /** Answers how many at the front need not be looked at again. */
  private int addRowless(List<LeaseEntry> leases, int from, List<LeaseEntry> found) {
    int passed = from;
    for (int i = from; i < leases.size(); i++) {
      LeaseEntry lease = leases.get(i);
      if (!lease.hasRow() && byBirth.get(lease.birth()) == lease) {
        found.add(lease);
      } else if (passed == i) {
        passed = i + 1;
      }
    }
    return passed;
  }

  /** How many rows may wait, about, and are written at a time. */
  public int rowlessCountMax() {
    return rowlessCountMax;
  }

  /** The most rows that wait now: some of their leases may have ended. */
  public int rowlessCount() {
    return rowless.size() - rowlessPassed + changes.size() - changesPassed;
  }

  /** Whether no more rows may wait. */
  public boolean isAtRowlessLimit() {
    return rowlessCount() >= rowlessCountMax;
  }

  /** Whether so many rows wait that a batch is for them alone, after the store had been full. */
  public boolean isBeyondRowlessLimit() {
    return rowless.size() > rowlessCountMax && rowlessBefore().size() > rowlessCountMax;
  }

  /** How long the rows that wait may still do so; {@link Long#MAX_VALUE} if there are none. */
  public long rowsDueInNs(long nowNs) {
    return rowless.isEmpty() ? Long.MAX_VALUE : rowlessSinceNs + ROW_DELAY_NS - nowNs;
  }

  /**
   * Grants that were answered when their batch failed, to be counted first in the next batch: the
   * counts, which were read from the store again, do not know of them. From here on their rows wait
   * like others.
   */
  public List<LeaseEntry> takeUnwritten() {
    if (unwritten.isEmpty()) {
      return List.of();
    }
    List<LeaseEntry> taken = new ArrayList<>(unwritten);
    taken.sort(Comparator.comparingLong(LeaseEntry::token));
    unwritten.clear();
    List<LeaseEntry> waiting = new ArrayList<>(taken);
    waiting.addAll(rowlessBefore());
    rowless = waiting;
    rowlessPassed = 0;
    return taken;
  }

  /** Whether rows of leases wait that were granted before a batch which never happened. */
  public boolean hasUnwritten() {
    return !unwritten.isEmpty();
  }

  /** Grants that {@link #takeUnwritten} will give. */
  Collection<LeaseEntry> unwritten() {
    return unwritten;
  }

  /** Changes from here on can be taken back by {@link #undoBatch}. */
  public void beginBatch() {
    forgetChanges();
  }

  /** The batch is in the store, if it had anything to be stored. */
  public void commitBatch(long nowNs) {
    List<LeaseEntry> left = rowlessBefore();
    if (left.isEmpty()) {
      rowlessSinceNs = nowNs;
    }
    addRowless(changes, changesPassed, left);
    changes.forEach(LeaseEntry::noteCommit);
    rowless.forEach(LeaseEntry::noteCommit);
    rowless = left;
    cancelMarks.forEach(LeaseEntry::tellCancel);
    forgetChanges();
  }

  private void forgetChanges() {
    changes.clear();
    cancelMarks.clear();
    lengthened.clear();
    rowlessPassed = 0;
    changesPassed = 0;
  }

  /** The batch never happened. */
  public void undoBatch() {
    cancelMarks.forEach(lease -> lease.setCancelRequested(false));
    cancelMarks.clear();
    for (int i = lengthened.size() - 1; i >= 0; i--) {
      extend(lengthened.get(i).lease(), lengthened.get(i).deadlineBeforeNs());
    }
    lengthened.clear();
    for (int i = changes.size() - 1; i >= 0; i--) {
      LeaseEntry lease = changes.get(i);
      boolean wasGranted = byBirth.get(lease.birth()) == lease;
      if (!wasGranted) {
        byBirth.put(lease.birth(), lease);
        if (lease.isRunning()) {
          running.add(lease);
        }
        if (!lease.isWritten()) {
          addUnwritten(lease);
        }
      } else if (lease.isRunning()) {
        addUnwritten(lease);
      } else {
        byBirth.remove(lease.birth());
        unwritten.remove(lease);
      }
    }
    unwritten.forEach(lease -> lease.setWritten(false));
    for (LeaseEntry lease : rowless) {
      if (byBirth.get(lease.birth()) == lease) {
        addUnwritten(lease);
      }
    }
    rowless.clear();
    forgetChanges();
  }

  /** A lease was granted; its time runs once {@link #start} says that its holder knows. */
  public void grant(LeaseEntry lease) {
    LeaseEntry previous = byBirth.put(lease.birth(), lease);
    assert previous == null : "two leases on one job: " + previous.token() + ", " + lease.token();
    changes.add(lease);
  }

  /** A lease that the store holds from before. */
  public void restore(LeaseEntry lease, long deadlineNs) {
    LeaseEntry previous = byBirth.put(lease.birth(), lease);
    if (previous != null) {
      running.remove(previous);
      unwritten.remove(previous);
    }
    lease.setWritten(true);
    start(lease, deadlineNs);
  }

  /** A lease of memory that the store turned out to hold: its time runs anew. */
  public void confirm(LeaseEntry lease, long deadlineNs) {
    running.remove(lease);
    unwritten.remove(lease);
    lease.setWritten(true);
    start(lease, deadlineNs);
  }

  /** A lease of memory that the store does not hold goes into the next batch. */
  public void rewrite(LeaseEntry lease) {
    addUnwritten(lease);
  }

  /**
   * A store that is opened again says itself which leases it holds: writing one a second time would
   * count its job twice.
   */
  public void forgetUnwritten() {
    unwritten.clear();
    rowless.clear();
  }

  /** Once: a job is counted as leased for each time that its lease is written. */
  private void addUnwritten(LeaseEntry lease) {
    lease.setWritten(false);
    unwritten.add(lease);
  }

  /** A lease of memory that is no more; the store knows nothing of it. */
  public void forget(LeaseEntry lease) {
    byBirth.remove(lease.birth());
    running.remove(lease);
    unwritten.remove(lease);
  }

  /** Somebody asks for the job to be cancelled; its holder may know when the batch is stored. */
  public void markCancelRequested(LeaseEntry lease) {
    lease.setCancelRequested(true);
    cancelMarks.add(lease);
  }

  /** Leases whose holders were not told yet. */
  public List<LeaseEntry> untold() {
    return byBirth.values().stream().filter(lease -> !lease.isRunning()).toList();
  }

  /** Leases that were given up in a batch of which nobody knows whether it was. */
  public void putBack(List<LeaseEntry> leases) {
    leases.forEach(lease -> byBirth.putIfAbsent(lease.birth(), lease));
  }

  /** The holder is being told: the time runs, unless the lease has ended by now. */
  public void start(LeaseEntry lease, long deadlineNs) {
    lease.start(deadlineNs);
    if (byBirth.get(lease.birth()) == lease) {
      running.add(lease);
    }
  }

  /**
   * The engine was away, and the lease clock stood still meanwhile. A disk that is always slow is
   * no absence, though: a lease is given no more than what it had left to run and the longest gap,
   * so that it lasts at most twice its length and the longest gap.
   */
  public void wereAway(long gapNs, long leaseNs) {
    for (LeaseEntry lease : byBirth.values()) {
      long tooMuchNs = lease.isRunning() ? lease.addGap(gapNs, leaseNs) : 0;
      if (tooMuchNs > 0) {
        running.remove(lease);
        lease.shorten(tooMuchNs);
        running.add(lease);
      }
    }
  }

  /** Moves the end of a running lease. */
  public void extend(LeaseEntry lease, long deadlineNs) {
    running.remove(lease);
    start(lease, deadlineNs);
  }

  /** Moves the end of a running lease; back again if the batch never happens. */
  public void extendWithBatch(LeaseEntry lease, long deadlineNs) {
    lengthened.add(new Lengthened(lease, lease.deadlineNs()));
    extend(lease, deadlineNs);
  }

  /** Ends that have moved go back if the batch never happens, the last one first. */
  public void undoWithBatch(List<Lengthened> moved) {
    lengthened.addAll(moved);
  }

  /** Whether the lease's end hangs on the batch that is being made. */
  public boolean isExtendedWithBatch(LeaseEntry lease) {
    for (Lengthened moved : lengthened) {
      if (moved.lease() == lease) {
        return true;
      }
    }
    return false;
  }

  /** The lease ended. */
  public void end(LeaseEntry lease) {
    byBirth.remove(lease.birth());
    running.remove(lease);
    unwritten.remove(lease);
    changes.add(lease);
  }

  /** The lease that ends first, or null. */
  public @Nullable LeaseEntry first() {
    return running.first();
  }

  /** Visits running leases whose end has come by the time, the earliest first. */
  public void forEachEndedBy(long leaseNs, int countMax, Consumer<LeaseEntry> visitor) {
    running.endedBy(leaseNs, countMax).forEach(visitor);
  }
}
