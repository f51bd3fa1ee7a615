package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All leases, found by their job's birth sequence and ordered by their end.
 *
 * <p>The table is the authority on leases: a batch that never happens takes back only what no
 * holder was told of. A grant that its holder was told of stays, and is written with the next
 * batch. A grant that nobody was told of goes. A lease that a request ended is held again.
 *
 * <p>Deadlines are on the lease clock, which stands still while the engine is away, and are
 * compared by subtraction.
 */
public final class LeaseTable {

  private final UndoLog undoLog;
  private final RowlessLeases rowless;
  private final Long2ObjectHashMap<LeaseEntry> byBirth = new Long2ObjectHashMap<>();
  private final DeadlineHeap deadlines = new DeadlineHeap();

  /** The leases whose cancel mark is in the batch under way. */
  private final List<LeaseEntry> marked = new ArrayList<>();

  /** The leases whose ends go back if the batch under way never happens. */
  private final Set<LeaseEntry> provisional = new HashSet<>();

  /** The number of leased jobs of each tally that has some. Read by any thread. */
  private final Map<Long, Integer> runningOfTallies = new ConcurrentHashMap<>();

  /** Creates the table without any leases. */
  LeaseTable(UndoLog undoLog, int rowlessCountMax) {
    this.undoLog = undoLog;
    this.rowless = new RowlessLeases(rowlessCountMax);
  }

  public int size() {
    return byBirth.size();
  }

  public Collection<LeaseEntry> all() {
    return byBirth.values();
  }

  /** Returns the lease on the job of this birth sequence, or null. */
  public @Nullable LeaseEntry get(long birth) {
    return byBirth.get(birth);
  }

  public boolean isLeased(long birth) {
    return byBirth.containsKey(birth);
  }

  /** Returns the leases that the store has no row of yet. */
  public RowlessLeases rowless() {
    return rowless;
  }

  /** Returns the leases whose holders were not told yet. */
  public List<LeaseEntry> untold() {
    return byBirth.values().stream().filter(lease -> !lease.isTold()).toList();
  }

  /** Returns the lease that ends first, or null. */
  public @Nullable LeaseEntry first() {
    return deadlines.first();
  }

  /** Returns the leases that end by the given time of the lease clock, the earliest first. */
  public List<LeaseEntry> endedBy(long leaseNs, int countMax) {
    return deadlines.endedBy(leaseNs, countMax);
  }

  void beginBatch() {
    rowless.beginBatch();
    forgetBatch();
  }

  /**
   * Advances the states of the leases, once the batch is in the store or had nothing to be stored.
   */
  void commitBatch(long nowNs) {
    rowless.commitBatch(nowNs);
    marked.forEach(lease -> lease.setCancelMark(LeaseEntry.CancelMark.STORED));
    forgetBatch();
  }

  /** Forgets the batch, which never happened. What is in the undo log was taken back before. */
  void undoBatch() {
    rowless.undoBatch();
    forgetBatch();
  }

  private void forgetBatch() {
    marked.clear();
    provisional.clear();
  }

  /** Grants a lease. Its time runs once {@link #start} says that its holder knows of it. */
  public void grant(LeaseEntry lease) {
    undoLog.add(() -> forgetUntold(lease));
    LeaseEntry previous = put(lease);
    assert previous == null : "two leases on one job: " + previous.token() + ", " + lease.token();
    rowless.add(lease);
  }

  private @Nullable LeaseEntry put(LeaseEntry lease) {
    LeaseEntry previous = byBirth.put(lease.birth(), lease);
    if (lease.tally() != 0 && previous == null) {
      runningOfTallies.merge(lease.tally(), 1, Integer::sum);
    }
    return previous;
  }

  /** Returns how many jobs of the tally are leased. May be called by any thread. */
  public int runningOf(long tally) {
    return runningOfTallies.getOrDefault(tally, 0);
  }

  private void forgetUntold(LeaseEntry lease) {
    if (!lease.isTold()) {
      forget(lease);
    }
  }

  /** Starts the time of a lease whose holder is being told, unless the lease has ended by now. */
  public void start(LeaseEntry lease, long deadlineNs) {
    lease.start(deadlineNs);
    if (!lease.isEnded()) {
      deadlines.add(lease);
    }
  }

  /** Notes that the batch under way has the lease's row. */
  public void noteRow(LeaseEntry lease) {
    LeaseEntry.State before = lease.state();
    undoLog.add(() -> lease.setState(before));
    lease.setState(LeaseEntry.State.IN_BATCH);
  }

  /**
   * Marks that the job of a lease is to be cancelled. The holder may know once the batch is stored.
   */
  public void markCancelRequested(LeaseEntry lease) {
    assert !lease.isCancelRequested() : "marked twice: " + lease.token();
    undoLog.add(() -> lease.setCancelMark(LeaseEntry.CancelMark.NONE));
    lease.setCancelMark(LeaseEntry.CancelMark.IN_BATCH);
    marked.add(lease);
  }

  /** Moves the end of a lease whose holder was told. */
  public void extend(LeaseEntry lease, long deadlineNs) {
    deadlines.remove(lease);
    start(lease, deadlineNs);
  }

  /**
   * Notes that the batch under way has moved the lease's end, which goes back if the batch never
   * happens.
   */
  public void makeProvisional(LeaseEntry lease, long deadlineBeforeNs) {
    if (provisional.add(lease)) {
      undoLog.add(() -> extend(lease, deadlineBeforeNs));
    }
  }

  /** Tells whether the lease's end goes back if the batch under way never happens. */
  public boolean isProvisional(LeaseEntry lease) {
    return provisional.contains(lease);
  }

  /**
   * Limits what leases gain from a gap in which the engine was away and the lease clock stood
   * still. A disk that is always slow is no absence, though: a lease gets at most what it had left
   * to run and the longest gap, so that it lasts at most twice its length and the longest gap.
   */
  public void wereAway(long gapNs, long leaseNs) {
    for (LeaseEntry lease : byBirth.values()) {
      long tooMuchNs = lease.isTold() ? lease.addGap(gapNs, leaseNs) : 0;
      if (tooMuchNs > 0) {
        deadlines.remove(lease);
        lease.shorten(tooMuchNs);
        deadlines.add(lease);
      }
    }
  }

  /** Ends a lease; if the batch under way never happens, the lease is held again. */
  public void end(LeaseEntry lease) {
    LeaseEntry.State before = lease.state();
    undoLog.add(() -> putBack(lease, before));
    forget(lease);
  }

  private void putBack(LeaseEntry lease, LeaseEntry.State state) {
    put(lease);
    lease.setState(state);
    if (lease.isTold()) {
      deadlines.add(lease);
    }
  }

  /** Ends a lease for good, even if the batch under way never happens. */
  public void forget(LeaseEntry lease) {
    LeaseEntry removed = byBirth.remove(lease.birth());
    if (removed != null && removed.tally() != 0) {
      runningOfTallies.computeIfPresent(
          removed.tally(), (tally, count) -> count == 1 ? null : count - 1);
    }
    drop(lease);
  }

  /**
   * Forgets all leases, since another owner has had the store and none of them is true any more.
   */
  public void clear() {
    List.copyOf(byBirth.values()).forEach(this::forget);
    rowless.clear();
    forgetBatch();
  }

  private void drop(LeaseEntry lease) {
    deadlines.remove(lease);
    lease.setState(LeaseEntry.State.ENDED);
  }

  /** Adds a lease that the store holds, in place of what memory knows of the job's lease. */
  public void restore(LeaseEntry lease, long deadlineNs) {
    LeaseEntry previous = put(lease);
    if (previous != null) {
      drop(previous);
    }
    confirm(lease, deadlineNs);
  }

  /** Confirms a lease of memory that the store turned out to hold: its time runs anew. */
  public void confirm(LeaseEntry lease, long deadlineNs) {
    lease.setState(LeaseEntry.State.STORED);
    extend(lease, deadlineNs);
  }

  /**
   * Lets a lease of memory that the store turned out not to hold be written again: its time runs
   * anew.
   */
  public void rewrite(LeaseEntry lease, long deadlineNs) {
    if (lease.hasRow()) {
      lease.setState(LeaseEntry.State.WAITING);
    }
    rowless.addUncounted(lease);
    extend(lease, deadlineNs);
  }

  /** Puts back leases that a failed attempt to reopen the store may have ended. */
  public void putBack(List<LeaseEntry> leases) {
    for (LeaseEntry lease : leases) {
      if (!byBirth.containsKey(lease.birth())) {
        put(lease);
        lease.setState(LeaseEntry.State.IN_BATCH);
      }
    }
  }
}
