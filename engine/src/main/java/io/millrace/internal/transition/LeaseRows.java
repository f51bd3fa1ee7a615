package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import java.util.List;

/**
 * When the store hears of a lease: with the first batch after the one that granted it, if it has
 * not ended by then. A job that is completed at once costs its store two operations instead of
 * four, and a claim needs no commit of its own.
 *
 * <p>Rows are written in the order in which leases were granted: whoever needs one written writes
 * those before it, too, so that no crash takes back a claim and leaves a later one.
 */
public final class LeaseRows {

  private LeaseRows() {}

  /** Writes the LEASE row as the table has it. */
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
    if (!lease.hasRow()) {
      change.state().markChanged(Queues.of(change, lease));
      lease.noteRow();
      start(change, lease);
    }
    change.put(key, row.encode(key));
  }

  /** Writes the rows of all leases, those that were granted with this batch, too. */
  public static void putAll(Change change) {
    List<LeaseEntry> rowless = change.state().leases().rowless();
    if (!rowless.isEmpty()) {
      change.aside(() -> rowless.forEach(lease -> put(change, lease)));
      change.state().leases().passWritten();
    }
  }

  /**
   * Writes the rows of leases that were granted before this batch: the first of them, at the end of
   * the batch.
   */
  static void putEarlier(Change change) {
    List<LeaseEntry> rowless = change.state().leases().rowlessBefore();
    int countMax = Math.min(rowless.size(), change.state().leases().rowlessCountMax());
    for (int i = 0; i < countMax && (i == 0 || change.hasRoomForRow()); i++) {
      put(change, rowless.get(i));
    }
  }

  /**
   * Leases that were answered before their batch failed: the counts, which were read from the store
   * again, hear of them, and their rows wait like those of others.
   */
  public static void countUnwritten(Change change) {
    for (LeaseEntry lease : change.state().leases().takeUnwritten()) {
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
    if (lease.isCounted()) {
      queue.countAgain(Total.CLAIMED);
    } else {
      queue.countTotal(Total.CLAIMED);
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
