package io.millrace.internal.state;

import io.millrace.api.QueueName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases on whole queues, found by the queue's name and ordered by their end.
 *
 * <p>They are kept apart from the queues: a queue that is unloaded, deleted or never existed may be
 * leased. All answers that tell of a change here wait for the batch in which the change was made.
 * So a batch that never happens is taken back whole: nobody was told of any of it.
 *
 * <p>Deadlines are on the lease clock, and are compared by subtraction. Belongs to the loop's
 * thread, except for {@link #find}, {@link #all} and {@link #size}.
 */
public final class QueueLeaseTable {

  private final UndoLog undoLog;

  /** The leases by queue. Concurrent for the threads that look at it; the loop alone writes. */
  private final Map<QueueName, QueueLeaseEntry> byQueue = new ConcurrentHashMap<>();

  /** The leases whose holders were told, in the order of their ends. */
  private final TreeSet<QueueLeaseEntry> byEnd = new TreeSet<>(QueueLeaseTable::compareEnds);

  /** The number of leases, at hand for claims, which ask for it each time. */
  private int count;

  private boolean isChanged;

  QueueLeaseTable(UndoLog undoLog) {
    this.undoLog = undoLog;
  }

  private static int compareEnds(QueueLeaseEntry a, QueueLeaseEntry b) {
    long difference = a.deadlineNs() - b.deadlineNs();
    return difference != 0 ? Long.signum(difference) : Long.compare(a.token(), b.token());
  }

  void beginBatch() {
    isChanged = false;
  }

  /**
   * Tells whether the batch under way has granted, lengthened or ended any lease. What claims find
   * then may depend on that, and on nothing that is stored: they are answered when the batch is.
   */
  public boolean isChanged() {
    return isChanged;
  }

  /** Returns how many leases there are. May be called by any thread. */
  public int size() {
    return byQueue.size();
  }

  /** Returns all leases, in no order. May be called by any thread. */
  public Collection<QueueLeaseEntry> all() {
    return Collections.unmodifiableCollection(byQueue.values());
  }

  /** Returns the lease on the queue, or null. May be called by any thread. */
  public @Nullable QueueLeaseEntry find(QueueName queue) {
    return byQueue.get(queue);
  }

  /** Returns the lease on the queue if it has this token, else null. */
  public @Nullable QueueLeaseEntry find(QueueName queue, long token) {
    QueueLeaseEntry lease = byQueue.get(queue);
    return lease != null && lease.token() == token ? lease : null;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Tells whether a claim gets nothing of the queue, since somebody else has leased it.
   *
   * @param token token of the lease through which the claim is made; 0 for none
   */
  public boolean isKeptFrom(QueueName queue, long token) {
    if (count == 0) {
      return false;
    }
    QueueLeaseEntry lease = byQueue.get(queue);
    return lease != null && lease.token() != token;
  }

  /** Returns the lease that ends first, or null. */
  public @Nullable QueueLeaseEntry first() {
    return byEnd.isEmpty() ? null : byEnd.first();
  }

  /** Returns the leases that end by the given time of the lease clock, the earliest first. */
  public List<QueueLeaseEntry> endedBy(long leaseNs, int countMax) {
    List<QueueLeaseEntry> ended = new ArrayList<>();
    for (QueueLeaseEntry lease : byEnd) {
      if (!lease.isOver(leaseNs) || ended.size() == countMax) {
        break;
      }
      ended.add(lease);
    }
    return ended;
  }

  /** Grants a lease on a queue that nobody has leased. Its time runs from {@link #start} on. */
  public void grant(QueueLeaseEntry lease) {
    note(() -> remove(lease));
    put(lease);
  }

  /** Starts the time of a lease whose holder is being told, unless the lease has ended by now. */
  public void start(QueueLeaseEntry lease, long deadlineNs) {
    byEnd.remove(lease);
    lease.start(deadlineNs);
    if (!lease.isEnded()) {
      byEnd.add(lease);
    }
  }

  /** Moves the end of a lease whose holder was told. */
  public void extend(QueueLeaseEntry lease, long deadlineNs, long durationMs) {
    long deadlineBeforeNs = lease.deadlineNs();
    long grantedBeforeMs = lease.grantedMs();
    note(
        () -> {
          start(lease, deadlineBeforeNs);
          lease.setGrantedMs(grantedBeforeMs);
        });
    start(lease, deadlineNs);
    lease.setGrantedMs(Math.max(grantedBeforeMs, durationMs));
  }

  /** Ends the lease; if the batch under way never happens, it is held again. */
  public void end(QueueLeaseEntry lease) {
    note(() -> put(lease));
    remove(lease);
  }

  private void note(Runnable undo) {
    isChanged = true;
    undoLog.add(undo);
  }

  private void put(QueueLeaseEntry lease) {
    QueueLeaseEntry previous = byQueue.put(lease.queue(), lease);
    assert previous == null : "two leases on " + lease.queue() + ": " + lease.token();
    lease.setEnded(false);
    count++;
    if (lease.isTold()) {
      byEnd.add(lease);
    }
  }

  private void remove(QueueLeaseEntry lease) {
    QueueLeaseEntry previous = byQueue.remove(lease.queue());
    assert previous == lease : "not the lease on " + lease.queue() + ": " + lease.token();
    byEnd.remove(lease);
    lease.setEnded(true);
    count--;
  }

  /** Limits what leases gain from a gap; see {@link LeaseTable#wereAway}. */
  void wereAway(long gapNs, long leaseNs) {
    for (QueueLeaseEntry lease : List.copyOf(byEnd)) {
      long tooMuchNs = lease.addGap(gapNs, leaseNs);
      if (tooMuchNs > 0) {
        byEnd.remove(lease);
        lease.shorten(tooMuchNs);
        byEnd.add(lease);
      }
    }
  }

  /**
   * Lets each lease last its full duration from now, since the store was opened again after an
   * outage and nobody else had it meanwhile. Ends the leases that nobody was told of: their callers
   * were told that the outcome is unknown.
   *
   * @param leaseNs now, on the lease clock
   * @param graceMs how much longer each lease lasts
   */
  public void honour(long leaseNs, long graceMs) {
    for (QueueLeaseEntry lease : List.copyOf(byQueue.values())) {
      if (lease.isTold()) {
        start(lease, leaseNs + Nanos.ofMs(lease.grantedMs() + graceMs));
      } else {
        remove(lease);
      }
    }
  }

  /** Ends all leases, since another owner has had the store and served claims from all queues. */
  public void clear() {
    List.copyOf(byQueue.values()).forEach(this::remove);
  }
}
