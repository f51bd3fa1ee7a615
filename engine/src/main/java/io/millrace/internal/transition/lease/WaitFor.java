package io.millrace.internal.transition.lease;

import io.millrace.api.Limits;
import io.millrace.api.WaitResult;
import io.millrace.internal.format.InboxKeys;
import io.millrace.internal.format.InboxPayloadKeys;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.SignalKeys;
import io.millrace.internal.format.SignalRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.KeptSignals;
import io.millrace.internal.transition.move.Waits;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a leased job until a signal is sent, or a deadline passes; the attempt does not
 * count. If the signal has come already, the job is ready at once: it gets first the signals that
 * were sent to it alone, in the order in which they came, then the last broadcast.
 */
public final class WaitFor extends Wait {

  private final NamedLease lease;
  private final byte[] signal;
  private final Deadline deadline;

  /**
   * The end of the wait if no signal comes.
   *
   * @param kind the meaning of the number
   * @param ms in milliseconds
   */
  public record Deadline(Kind kind, long ms) {

    /** The meaning of the number. */
    public enum Kind {
      /** The absence of a deadline. */
      NONE,
      /** A length of time from now. */
      AFTER,
      /** An instant. */
      AT
    }

    private Destination waiting(OpenBatch batch, byte[] signal) {
      return switch (kind) {
        case NONE -> Destination.waiting(signal, 0, 0);
        case AFTER -> Destination.waiting(signal, 0, batch.steadyMs() + ms);
        case AT -> Destination.waiting(signal, ms, 0);
      };
    }

    private boolean isOver(OpenBatch batch) {
      return switch (kind) {
        case NONE -> false;
        case AFTER -> ms <= 0;
        case AT -> ms <= batch.nowMs();
      };
    }
  }

  /**
   * Creates a wait.
   *
   * @param signal the signal's name; must not change any more
   */
  public WaitFor(NamedLease lease, byte[] signal, Deadline deadline) {
    super(lease, 4L * signal.length + RowBytes.TIMER + Limits.SIGNAL_BYTES_MAX + 4 * RowBytes.KEY);
    this.lease = lease;
    this.signal = signal;
    this.deadline = deadline;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    super.declare(state, reads);
    LeaseEntry known = lease.known(state);
    if (known != null) {
      reads.wantByKey(SignalKeys.key(known.queue(), signal));
      if (known.holdings().hasInbox()) {
        byte[] key = InboxKeys.key(known.queue(), known.birth());
        reads.wantLong(key, value -> declarePayload(reads, known, key, value));
      }
    }
  }

  private void declarePayload(
      RowReads reads, LeaseEntry known, byte[] key, byte @Nullable [] value) {
    InboxRecord.Kept kept = value == null ? null : InboxRecord.decode(key, value).first(signal);
    if (kept != null && kept.hasRow()) {
      reads.wantByKey(InboxPayloadKeys.key(known.queue(), known.birth(), kept.slot()));
    }
  }

  @Override
  Plan<WaitResult> held(OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named) {
    JobRecord job = named.record(batch, lease).toBuilder().set(JobField.EXPIRE_AT_MS, 0).build();
    InboxRecord inbox = KeptSignals.planned(batch, lease.queue(), job);
    InboxRecord.Kept kept = inbox.first(signal);
    if (kept != null) {
      byte[] payload = KeptSignals.payload(batch, lease.queue(), lease.birth(), kept);
      InboxRecord rest = inbox.without(kept);
      // What is left is written anew, and nobody knew before how long that is.
      batch.requireRow(rest.bytes());
      JobRecord own = job.toBuilder().inbox(rest).build();
      return new Taking(
          going(queue, lease, Waits.signalled(own, signal, payload)), new OfJob(lease, kept, rest));
    }
    byte[] rowKey = SignalKeys.key(lease.queue(), signal);
    boolean isTaken = batch.planned().isTaken(rowKey);
    SignalRecord broadcast = isTaken ? null : KeptSignals.broadcast(batch, rowKey);
    if (broadcast != null) {
      return new Taking(
          going(queue, lease, Waits.signalled(job, signal, broadcast.payload())),
          new OfAll(rowKey, broadcast));
    }
    if (deadline.isOver(batch)) {
      return end(
          queue, lease, Waits.timedOut(job, signal), Destination.READY, WaitResult.TIMED_OUT);
    }
    return end(queue, lease, job, deadline.waiting(batch, signal), WaitResult.WAITING);
  }

  /** Returns the end of a lease whose job goes on at once. */
  private static LeaseEnd<WaitResult> going(QueueState queue, LeaseEntry lease, JobRecord job) {
    return end(queue, lease, job, Destination.READY, WaitResult.SIGNALLED);
  }

  /** A signal that was kept, and is kept no longer. */
  private sealed interface Taken {

    void take(OpenBatch batch);

    void foretell(Planned planned);
  }

  /** A signal that was kept for the job alone, and those that are kept beside it. */
  private record OfJob(LeaseEntry lease, InboxRecord.Kept signal, InboxRecord rest)
      implements Taken {

    @Override
    public void take(OpenBatch batch) {
      KeptSignals.setInbox(batch, lease.queue(), lease.birth(), rest);
      if (signal.hasRow()) {
        batch.delete(InboxPayloadKeys.key(lease.queue(), lease.birth(), signal.slot()));
      }
    }

    @Override
    public void foretell(Planned planned) {
      planned.changeInbox(lease.birth(), inbox -> inbox.without(signal));
    }
  }

  /** A broadcast that was kept. */
  private record OfAll(byte[] rowKey, SignalRecord broadcast) implements Taken {

    @Override
    public void take(OpenBatch batch) {
      KeptSignals.drop(batch, rowKey, broadcast);
    }

    @Override
    public void foretell(Planned planned) {
      planned.takeBroadcast(rowKey);
    }
  }

  /** The plan that the job goes on with a signal that was kept. */
  private record Taking(LeaseEnd<WaitResult> end, Taken signal) implements Plan<WaitResult> {

    @Override
    public WaitResult carryOut(OpenBatch batch) {
      batch.aside(() -> signal.take(batch));
      return end.carryOut(batch);
    }

    @Override
    public void foretell(OpenBatch batch) {
      end.foretell(batch);
      signal.foretell(batch.planned());
    }
  }
}
