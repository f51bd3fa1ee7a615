package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.RowlessLeases;
import java.util.List;

/**
 * Puts the rows of leases. A row goes with the first batch after the one that granted the lease,
 * and never if the lease has ended by then. So a job that is completed at once costs its store two
 * operations instead of four, and a claim needs no commit of its own.
 *
 * <p>Rows are put in the order in which leases were granted: who needs the row of one puts those
 * before it as well. So no crash takes a claim back and leaves a later one.
 */
public final class LeaseRows {

  private LeaseRows() {}

  /** Puts the LEASE row as memory has it. */
  static void put(Change change, LeaseEntry lease) {
    byte[] key = LeaseKeys.key(lease.queue(), lease.birth());
    LeaseRecord row =
        new LeaseRecord(
            lease.token(),
            lease.worker(),
            change.state().rules().incarnation(),
            lease.grantedMs(),
            lease.startedAtMs(),
            lease.attempt(),
            lease.priority(),
            lease.readySequence(),
            lease.isCancelRequested());
    if (lease.isRowless()) {
      change.state().markChanged(Queues.of(change, lease));
      change.state().leases().noteRow(lease);
      start(change, lease);
    }
    change.put(key, row.encode(key));
  }

  /** Puts the rows of all leases, also of those that were granted with this batch. */
  public static void putAll(Change change) {
    RowlessLeases rowless = change.state().leases().rowless();
    List<LeaseEntry> leases = rowless.all();
    if (!leases.isEmpty()) {
      change.aside(() -> leases.forEach(lease -> put(change, lease)));
      rowless.passAll();
    }
  }

  /**
   * At the end of a batch, puts the rows of leases that were granted before it: as many as it has
   * room for, and one in any case.
   */
  static void putEarlier(Change change) {
    RowlessLeases rowless = change.state().leases().rowless();
    List<LeaseEntry> leases = rowless.earlier();
    int countMax = Math.min(leases.size(), rowless.countMax());
    for (int i = 0; i < countMax && (i == 0 || change.hasRoomForRow()); i++) {
      put(change, leases.get(i));
    }
  }

  /**
   * After a batch that never happened: the counts, which were read from the store again, hear of
   * the leases that are left, and their rows wait like those of others.
   */
  public static void recount(Change change) {
    for (LeaseEntry lease : change.state().leases().rowless().takeUncounted()) {
      try {
        count(change, Queues.of(change, lease), lease);
      } catch (CorruptDataException e) {
        // Its queue is lost, and its job with it.
        change.state().leases().forget(lease);
      }
    }
  }

  private static void count(Change change, QueueState queue, LeaseEntry lease) {
    queue
        .window(lease.priority(), change.state().nextSequence())
        .removeSequence(lease.readySequence());
    queue.add(JobState.READY, -1);
    queue.add(JobState.LEASED, 1);
    if (lease.state() == LeaseEntry.State.GRANTED) {
      queue.countTotal(Total.CLAIMED);
    } else {
      queue.countAgain(Total.CLAIMED);
    }
    change.state().markChanged(queue);
  }

  /** The job is started: from here on it is not dropped for being late. */
  private static void start(Change change, LeaseEntry lease) {
    Holdings holdings = lease.holdings();
    if (holdings.timer() != null) {
      holdings.endTimer(change.batch());
      lease.setHoldings(holdings.leased());
      change.onUndo(() -> lease.setHoldings(holdings));
    }
  }
}
