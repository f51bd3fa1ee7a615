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
 * <p>They are apart from what is known of the queues: a queue that is unloaded, deleted or never
 * was may be leased. All answers that tell of a change here wait for the batch in which it was
 * made, so that a batch which never happens is taken back whole: nobody was told of any of it.
 *
 * <p>Deadlines are on the lease clock, and compared by subtraction. Belongs to the loop's thread,
 * except for {@link #find}, {@link #all} and {@link #size}.
 */
public final class QueueLeaseTable {

  private final UndoLog undoLog;

  /** Concurrent for those who look at it; the loop alone writes. */
  private final Map<QueueName, QueueLeaseEntry> byQueue = new ConcurrentHashMap<>();

  /** Those whose holders were told. */
  private final TreeSet<QueueLeaseEntry> byEnd = new TreeSet<>(QueueLeaseTable::compareEnds);

  /** Claims ask for it each time, and so it is at hand. */
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
   * Whether the batch under way has granted, lengthened or ended any. What claims find then may
   * hang on that, and on nothing that is stored: they are answered when the batch is.
   */
  public boolean isChanged() {
    return isChanged;
  }

  /** How many there are; for any thread. */
  public int size() {
    return byQueue.size();
  }

  /** All there are, in no order; for any thread. */
  public Collection<QueueLeaseEntry> all() {
    return Collections.unmodifiableCollection(byQueue.values());
  }

  /** The lease on the queue, or null; for any thread. */
  public @Nullable QueueLeaseEntry find(QueueName queue) {
    return byQueue.get(queue);
  }

  /** The lease on the queue if it has this token, or null. */
  public @Nullable QueueLeaseEntry find(QueueName queue, long token) {
    QueueLeaseEntry lease = byQueue.get(queue);
    return lease != null && lease.token() == token ? lease : null;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Whether a claim gets nothing of the queue, for somebody else has it.
   *
   * @param token of the lease that the claim is made through; 0 if through none
   */
  public boolean isKeptFrom(QueueName queue, long token) {
    if (count == 0) {
      return false;
    }
    QueueLeaseEntry lease = byQueue.get(queue);
    return lease != null && lease.token() != token;
  }

  /** The one that ends first, or null. */
  public @Nullable QueueLeaseEntry first() {
    return byEnd.isEmpty() ? null : byEnd.first();
  }

  /** Those whose end has come by the time, the earliest first. */
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

  /** A lease on a queue that nobody has; its time runs from {@link #start} on. */
  public void grant(QueueLeaseEntry lease) {
    note(() -> remove(lease));
    put(lease);
  }

  /** The holder is being told: the time runs, unless the lease has ended by now. */
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

  /** The lease ends. */
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

  /** As {@link LeaseTable#wereAway}. */
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
   * The store was opened again after an outage, and nobody else had it meanwhile: each lasts its
   * full duration from now. Those that nobody was told of are no more: their callers were told that
   * nobody knows.
   *
   * @param graceMs how much longer
   */
  public void honour(long leaseNs, long graceMs) {
    for (QueueLeaseEntry lease : List.copyOf(byQueue.values())) {
      if (lease.isTold()) {
        start(lease, leaseNs + (lease.grantedMs() + graceMs) * 1_000_000);
      } else {
        remove(lease);
      }
    }
  }

  /** Somebody else has had the store, and served claims from all queues. */
  public void clear() {
    List.copyOf(byQueue.values()).forEach(this::remove);
  }
}
