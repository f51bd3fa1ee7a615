package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All leases, found by their job's birth sequence and ordered by their end.
 *
 * <p>The table is the authority on leases: a batch that never happens takes back only what no
 * holder was told of. A grant that was answered stays and is written with the next batch; one that
 * was not goes; a lease that a request ended is back.
 *
 * <p>Deadlines are on the lease clock, which stands still while the engine was away, and are
 * compared by subtraction.
 */
public final class LeaseTable {

  private final UndoLog undoLog;
  private final RowlessLeases rowless;
  private final Long2ObjectHashMap<LeaseEntry> byBirth = new Long2ObjectHashMap<>();
  private final DeadlineHeap deadlines = new DeadlineHeap();

  /** Those whose cancel mark is in the batch under way. */
  private final List<LeaseEntry> marked = new ArrayList<>();

  /** Those whose ends go back if the batch under way never happens. */
  private final Set<LeaseEntry> provisional = new HashSet<>();

  /** No leases yet. */
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

  /** The lease on the job of this birth sequence, or null. */
  public @Nullable LeaseEntry get(long birth) {
    return byBirth.get(birth);
  }

  public boolean isLeased(long birth) {
    return byBirth.containsKey(birth);
  }

  /** Those that the store has no row of yet. */
  public RowlessLeases rowless() {
    return rowless;
  }

  /** Leases whose holders were not told yet. */
  public List<LeaseEntry> untold() {
    return byBirth.values().stream().filter(lease -> !lease.isTold()).toList();
  }

  /** The lease that ends first, or null. */
  public @Nullable LeaseEntry first() {
    return deadlines.first();
  }

  /** Leases whose end has come by the time, the earliest first. */
  public List<LeaseEntry> endedBy(long leaseNs, int countMax) {
    return deadlines.endedBy(leaseNs, countMax);
  }

  void beginBatch() {
    rowless.beginBatch();
    forgetBatch();
  }

  /** The batch is in the store, if it had anything to be stored. */
  void commitBatch(long nowNs) {
    rowless.commitBatch(nowNs);
    marked.forEach(lease -> lease.setCancelMark(LeaseEntry.CancelMark.STORED));
    forgetBatch();
  }

  /** The batch never happened, and what is in the undo log was taken back. */
  void undoBatch() {
    rowless.undoBatch();
    forgetBatch();
  }

  private void forgetBatch() {
    marked.clear();
    provisional.clear();
  }

  /** A lease was granted; its time runs once {@link #start} says that its holder knows. */
  public void grant(LeaseEntry lease) {
    undoLog.add(() -> forgetUntold(lease));
    LeaseEntry previous = byBirth.put(lease.birth(), lease);
    assert previous == null : "two leases on one job: " + previous.token() + ", " + lease.token();
    rowless.add(lease);
  }

  private void forgetUntold(LeaseEntry lease) {
    if (!lease.isTold()) {
      forget(lease);
    }
  }

  /** The holder is being told: the time runs, unless the lease has ended by now. */
  public void start(LeaseEntry lease, long deadlineNs) {
    lease.start(deadlineNs);
    if (!lease.isEnded()) {
      deadlines.add(lease);
    }
  }

  /** The batch under way has the lease's row. */
  public void noteRow(LeaseEntry lease) {
    LeaseEntry.State before = lease.state();
    undoLog.add(() -> lease.setState(before));
    lease.setState(LeaseEntry.State.IN_BATCH);
  }

  /** Somebody asks for the job to be cancelled; its holder may know when the batch is stored. */
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

  /** The lease's end has moved with the batch under way, and goes back if that never happens. */
  public void makeProvisional(LeaseEntry lease, long deadlineBeforeNs) {
    if (provisional.add(lease)) {
      undoLog.add(() -> extend(lease, deadlineBeforeNs));
    }
  }

  /** Whether the lease's end goes back if the batch under way never happens. */
  public boolean isProvisional(LeaseEntry lease) {
    return provisional.contains(lease);
  }

  /**
   * The engine was away, and the lease clock stood still meanwhile. A disk that is always slow is
   * no absence, though: a lease is given no more than what it had left to run and the longest gap,
   * so that it lasts at most twice its length and the longest gap.
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

  /** The lease ended. */
  public void end(LeaseEntry lease) {
    LeaseEntry.State before = lease.state();
    undoLog.add(() -> putBack(lease, before));
    forget(lease);
  }

  private void putBack(LeaseEntry lease, LeaseEntry.State state) {
    byBirth.put(lease.birth(), lease);
    lease.setState(state);
    if (lease.isTold()) {
      deadlines.add(lease);
    }
  }

  /** The lease is no more, also if the batch under way never happens. */
  public void forget(LeaseEntry lease) {
    byBirth.remove(lease.birth());
    drop(lease);
  }

  /** Somebody else has had the store: of all these leases nothing is true any more. */
  public void clear() {
    List.copyOf(byBirth.values()).forEach(this::forget);
    rowless.clear();
    forgetBatch();
  }

  private void drop(LeaseEntry lease) {
    deadlines.remove(lease);
    lease.setState(LeaseEntry.State.ENDED);
  }

  /** A lease that the store holds, in place of what memory knows of the job. */
  public void restore(LeaseEntry lease, long deadlineNs) {
    LeaseEntry previous = byBirth.put(lease.birth(), lease);
    if (previous != null) {
      drop(previous);
    }
    confirm(lease, deadlineNs);
  }

  /** A lease of memory that the store turned out to hold: its time runs anew. */
  public void confirm(LeaseEntry lease, long deadlineNs) {
    lease.setState(LeaseEntry.State.STORED);
    extend(lease, deadlineNs);
  }

  /** A lease of memory that the store turned out not to hold: its time runs anew. */
  public void rewrite(LeaseEntry lease, long deadlineNs) {
    if (lease.hasRow()) {
      lease.setState(LeaseEntry.State.WAITING);
    }
    rowless.addUncounted(lease);
    extend(lease, deadlineNs);
  }

  /** Leases that an attempt to reopen may have ended, before it failed. */
  public void putBack(List<LeaseEntry> leases) {
    for (LeaseEntry lease : leases) {
      if (byBirth.putIfAbsent(lease.birth(), lease) == null) {
        lease.setState(LeaseEntry.State.IN_BATCH);
      }
    }
  }
}
