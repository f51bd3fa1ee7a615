package io.millrace.internal.transition.lease;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.AttemptEnd;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LostAttempts.Lost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.Attempts;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.queue.Queues;
import io.millrace.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of leases whose time has passed: the attempts count, and the jobs are ready again, or
 * dead when their attempts are used up. The answer is how many leases were dealt with.
 */
public final class Expire implements Transition<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(Expire.class);

  /** The time for which a lease is left alone whose job or queue cannot be read. */
  private static final long UNREADABLE_NS = 60_000_000_000L;

  /** The most leases that one step ends. */
  private static final int STEP = OpenBatch.Context.STEP_ROWS_LEAST;

  /**
   * The cost of one lease: LEASE, and the job that moves or is no more, the error in the record and
   * in the history, and the slot that goes to another job.
   */
  public static final Cost EACH =
      Cost.MOVE_OR_END.plus(new Cost(1, RowBytes.ERROR)).plus(Cost.ENGINE_HAND_ON).plus(Cost.TURN);

  private final long beforeNs;
  private final List<Ended> ended = new ArrayList<>();

  private record Ended(LeaseEntry lease, RowReads.Row row) {}

  /** Creates a step that ends leases whose end lies before this time of the lease clock. */
  public Expire(long beforeNs) {
    this.beforeNs = beforeNs;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return EACH.times(STEP);
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    for (LeaseEntry lease : state.leases().endedBy(beforeNs, STEP)) {
      Queues.declare(state, reads, lease.queue());
      Slots.declare(state, reads, lease.slot());
      Tallies.declare(state, reads, lease.tally());
      ended.add(new Ended(lease, reads.want(lease.readyKey())));
    }
  }

  @Override
  public Integer apply(OpenBatch batch) {
    int count = 0;
    for (Ended one : ended) {
      if (!batch.hasRoomToSpare(EACH)) {
        break;
      }
      count++;
      LeaseEntry lease = one.lease();
      if (batch.state().leases().get(lease.birth()) == lease) {
        expire(batch, lease, one.row());
      }
    }
    return count;
  }

  /**
   * Ends the lease, or leaves it alone for a while if its job cannot be read, so that nothing else
   * waits.
   */
  private static void expire(OpenBatch batch, LeaseEntry lease, RowReads.Row row) {
    byte[] value;
    try {
      value = batch.get(row);
    } catch (StoreException e) {
      LOG.warn("a lease that is over cannot be ended yet: job={}", lease.birth(), e);
      batch.state().leases().extend(lease, batch.leaseNs() + UNREADABLE_NS);
      return;
    }
    expire(batch, lease, value, "lease expired");
  }

  /** Ends a lease whose holder did not finish in time, or died. */
  static void expire(OpenBatch batch, LeaseEntry lease, byte @Nullable [] value, String reason) {
    QueueState queue;
    JobRecord job;
    try {
      queue = Queues.of(batch, lease);
      if (Moves.isTakenByCancel(batch, queue, lease)) {
        queue.countTotal(Total.EXPIRED);
        return;
      }
      job = Records.decode(batch, lease.readyKey(), value);
    } catch (CorruptDataException e) {
      batch.state().leases().extend(lease, batch.leaseNs() + UNREADABLE_NS);
      return;
    }
    String error = reason + ": worker=" + lease.worker() + ", attempt=" + lease.attempt();
    JobRecord ended = Attempts.ended(batch, job, lease, Attempts.cut(error));
    Destination next = next(batch, queue, ended);
    JobState state = Moves.move(batch, queue, lease, ended, next);
    AttemptEnd end = AttemptEnd.of(state, ended.lastError(), null);
    queue.countEnd(Total.EXPIRED, lease, end, batch.nowMs());
    if (next == Destination.DEAD) {
      queue.countTotal(Total.DIED);
    }
    Lost lost =
        new Lost(
            queue.name(),
            lease,
            job.maxAttempts(queue.settings()),
            next == Destination.DEAD,
            reason,
            batch.context().steadyMs());
    batch.state().totals().lives().lost().lost(lost);
  }

  private static Destination next(OpenBatch batch, QueueState queue, JobRecord job) {
    QueueSettings settings = queue.settings();
    if (job.attempts() >= job.maxAttempts(settings)) {
      return Destination.DEAD;
    }
    if (settings.expiry() == QueueSettings.Expiry.READY_AT_ONCE) {
      return Destination.READY;
    }
    long backoffMs = Attempts.backoffMs(batch, job, job.backoff(settings));
    return Destination.visibleAt(batch, batch.nowMs() + backoffMs, batch.nowMs());
  }
}
