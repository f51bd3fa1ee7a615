package io.millrace.internal.transition.lease;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.RowlessLeases;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.move.UniqueHolds;
import io.millrace.internal.transition.queue.Queues;
import java.util.List;

/**
 * The storing of leases' rows. A row goes with the first batch after the one that granted the
 * lease, and never if the lease has ended by then. So a job that is completed at once costs its
 * store two operations instead of four, and a claim needs no commit of its own.
 *
 * <p>Rows are put in the order in which leases were granted: a transition that needs the row of one
 * puts those before it as well. So no crash takes a claim back and leaves a later one.
 */
public final class LeaseRows {

  private LeaseRows() {}

  /** Puts the LEASE row as memory has it. */
  public static void put(OpenBatch batch, LeaseEntry lease) {
    byte[] key = LeaseKeys.key(lease.queue(), lease.birth());
    LeaseRecord row =
        new LeaseRecord(
            lease.token(),
            lease.worker(),
            batch.state().rules().incarnation(),
            lease.grantedMs(),
            lease.startedAtMs(),
            lease.attempt(),
            lease.priority(),
            lease.readySequence(),
            lease.isCancelRequested());
    if (lease.isRowless()) {
      batch.state().markChanged(Queues.of(batch, lease));
      batch.state().leases().noteRow(lease);
      start(batch, lease);
      batch.putNew(key, row.encode(key));
    } else {
      batch.put(key, row.encode(key));
    }
  }

  /** Puts the rows of all leases, also of those that were granted with this batch. */
  public static void putAll(OpenBatch batch) {
    RowlessLeases rowless = batch.state().leases().rowless();
    List<LeaseEntry> leases = rowless.all();
    if (!leases.isEmpty()) {
      batch.aside(() -> leases.forEach(lease -> put(batch, lease)));
      rowless.passAll();
    }
  }

  /**
   * Puts, at the end of a batch, the rows of leases that were granted before it: as many as it has
   * room for, and one in any case.
   */
  public static void putEarlier(OpenBatch batch) {
    RowlessLeases rowless = batch.state().leases().rowless();
    List<LeaseEntry> leases = rowless.earlier();
    int countMax = Math.min(leases.size(), rowless.countMax());
    for (int i = 0; i < countMax && (i == 0 || batch.hasRoomForRow()); i++) {
      put(batch, leases.get(i));
    }
  }

  /**
   * Counts the leases that are left after a batch that never happened: the counts were read from
   * the store again and lack them. Their rows wait like those of others.
   */
  public static void recount(OpenBatch batch) {
    List<LeaseEntry> uncounted = batch.state().leases().rowless().takeUncounted();
    for (LeaseEntry lease : uncounted) {
      Queues.declare(batch.state(), batch.reads(), lease.queue());
    }
    batch.reads().fetch();
    for (LeaseEntry lease : uncounted) {
      try {
        count(batch, Queues.of(batch, lease), lease);
      } catch (CorruptDataException e) {
        // Its queue is lost, and its job with it.
        batch.state().leases().forget(lease);
      }
    }
  }

  private static void count(OpenBatch batch, QueueState queue, LeaseEntry lease) {
    queue
        .window(lease.priority(), batch.state().nextSequence())
        .removeSequence(lease.readySequence());
    queue.add(JobState.READY, -1);
    queue.add(JobState.LEASED, 1);
    if (lease.state() == LeaseEntry.State.GRANTED) {
      queue.countTotal(Total.CLAIMED);
    } else {
      queue.countAgain(Total.CLAIMED);
    }
    batch.state().markChanged(queue);
  }

  /**
   * Starts the job: from here on it is not dropped for being late, nor does it hold a unique key
   * until its start.
   */
  private static void start(OpenBatch batch, LeaseEntry lease) {
    Holdings holdings = lease.holdings();
    if (!holdings.endsAtStart()) {
      return;
    }
    if (holdings.isFreedAtStart()) {
      // The batch that granted the lease did so, and never happened.
      batch.aside(() -> freeKey(batch, lease));
    }
    holdings.endTimer(batch.writes());
    setHoldings(batch, lease, holdings.started());
  }

  private static void freeKey(OpenBatch batch, LeaseEntry lease) {
    byte[] key = lease.readyKey();
    JobRecord job = Records.decodeOrReport(batch, key, batch.get(key));
    if (job != null) {
      putStarted(batch, lease, job);
    }
  }

  /**
   * Frees the unique key of a job on which a lease is granted, if its start does that. The row of
   * the lease must go with the same batch.
   */
  static void freeKey(OpenBatch batch, LeaseEntry lease, JobRecord job) {
    Holdings holdings = lease.holdings();
    if (holdings.isFreedAtStart()) {
      batch.aside(() -> putStarted(batch, lease, job));
      setHoldings(batch, lease, holdings.withoutKey());
    }
  }

  /** Tells whether the start of the job frees its unique key. */
  static boolean freesKey(JobRecord job) {
    return job.uniqueScope() == UniqueRecord.UNTIL_STARTED;
  }

  /**
   * Tells whether the batch has room for what the start of the job adds beside the row of its
   * lease.
   */
  static boolean hasRoomToStart(OpenBatch batch, JobRecord job) {
    return !freesKey(job) || batch.hasRoomFor(Cost.GRANT.plus(Cost.FREE_AT_START));
  }

  private static void putStarted(OpenBatch batch, LeaseEntry lease, JobRecord job) {
    JobRecord started = UniqueHolds.started(batch, lease, job);
    batch.put(lease.readyKey(), started.encode(lease.readyKey()));
  }

  private static void setHoldings(OpenBatch batch, LeaseEntry lease, Holdings holdings) {
    Holdings before = lease.holdings();
    lease.setHoldings(holdings);
    batch.onUndo(() -> lease.setHoldings(before));
  }
}
