package io.millrace.internal.transition.job;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.SignalResult;
import io.millrace.internal.format.InboxKeys;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotRef;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.KeptSignals;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Waits;
import io.millrace.internal.transition.queue.Queues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sending of a signal to jobs, one or many. A job that waits for the signal goes on with it,
 * and for any other that has not ended the signal is kept until the job waits for it. A dead letter
 * may live again, and counts as one of these; a job that is done does not.
 */
public final class SendSignal implements Operation<List<SignalResult>> {

  private static final int ROW_BYTES = 200;

  private final List<Receiver> receivers = new ArrayList<>();
  private final byte[] name;
  private final byte[] payload;
  private final Cost cost;

  /** A job that is named, with its place if the id can be one of ours. */
  private record Receiver(JobId id, @Nullable JobPlace place) {}

  /**
   * Creates the sending of a signal.
   *
   * @param name must not change any more
   * @param payload must not change any more
   */
  public SendSignal(List<JobId> ids, byte[] name, byte[] payload) {
    for (JobId id : ids) {
      receivers.add(new Receiver(id, JobPlace.of(id)));
    }
    this.name = name;
    this.payload = payload;
    this.cost =
        Cost.MOVE_OR_END
            .plus(Cost.COUNTS)
            .plus(Cost.SLOT)
            .plus(Cost.TURN)
            .plusBytes(3L * Limits.KEY_BYTES_MAX)
            .plusBytes(payload.length + RowBytes.KEY)
            .times(ids.size());
  }

  /**
   * Returns false: a waiting job is leased to nobody, and what is kept for a leased job is kept if
   * that is ready.
   */
  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  public Cost cost() {
    return cost;
  }

  @Override
  public long bytes() {
    return payload.length + (long) ROW_BYTES * receivers.size();
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    for (Receiver receiver : receivers) {
      JobPlace place = receiver.place();
      if (place == null) {
        continue;
      }
      place.declare(
          state,
          reads,
          (key, value) -> declareOfRecord(state, reads, key, JobRecord.decode(key, value)));
      LeaseEntry lease = state.leases().get(place.birth());
      if (lease != null) {
        reads.wantByKey(lease.readyKey());
        if (lease.holdings().hasInbox()) {
          reads.wantLong(InboxKeys.key(place.queue(), place.birth()));
        }
      }
    }
  }

  private static void declareOfRecord(WorkingSet state, RowReads reads, byte[] key, JobRecord job) {
    int queue = Keyspace.queue(key);
    if (Keyspace.find(key) == Keyspace.WAITING) {
      Slots.declare(state, reads, SlotRef.orNull(SlotKeys.ofJob(queue, job)));
    }
    if (job.hasInbox() && job.inboxCount() < Limits.INBOX_COUNT_MAX) {
      reads.wantLong(InboxKeys.key(queue, job.birth()));
    }
  }

  @Override
  public Plan<List<SignalResult>> check(OpenBatch batch) {
    return Plan.inOrder(batch, receivers, receiver -> check(batch, receiver));
  }

  private Plan<SignalResult> check(OpenBatch batch, Receiver receiver) {
    JobPlace place = receiver.place();
    if (place == null) {
      return Plan.answer(SignalResult.GONE);
    }
    LeaseEntry lease = batch.planned().leaseOn(place.birth(), batch.state().leases());
    if (lease != null) {
      return lease.jobId().equals(receiver.id())
          ? leased(batch, place, lease)
          : Plan.answer(SignalResult.GONE);
    }
    FoundJob found = FoundJob.at(place, batch);
    if (found == null || found.isGone()) {
      return Plan.answer(SignalResult.GONE);
    }
    JobRecord job = found.record(batch);
    if (!job.jobId(place.queue()).equals(receiver.id())) {
      return Plan.answer(SignalResult.GONE);
    }
    return found.state() == JobState.WAITING
        ? waiting(batch, place, found, job)
        : keeping(batch, new Keeper(found.queue(), place, job, found, null));
  }

  private Plan<SignalResult> leased(OpenBatch batch, JobPlace place, LeaseEntry lease) {
    QueueState queue = Queues.of(batch, lease);
    Planned.After after = batch.planned().of(lease.birth());
    JobRecord planned = after == null ? null : after.job();
    byte[] key = lease.readyKey();
    JobRecord job = planned == null ? Records.decode(batch, key, batch.get(key)) : planned;
    return keeping(batch, new Keeper(queue, place, job, null, lease));
  }

  /**
   * Judges a waiting job. One that a broadcast has come for before gets that, and this signal is
   * kept for it.
   */
  private Plan<SignalResult> waiting(
      OpenBatch batch, JobPlace place, FoundJob found, JobRecord job) {
    byte[] signal = job.signal();
    byte[] key = signal == null ? null : WaitingKeys.key(place.queue(), signal, place.birth());
    JobRecord broadcast = key == null ? null : Waits.broadcast(batch, found.queue(), key, job);
    if (broadcast != null) {
      Plan<SignalResult> first = waking(batch, found, broadcast);
      first.foretell(batch);
      FoundJob woken = FoundJob.at(place, batch);
      return woken == null
          ? first
          : new Both(
              first,
              keeping(batch, new Keeper(found.queue(), place, woken.record(batch), woken, null)));
    }
    return Arrays.equals(signal, name)
        ? waking(batch, found, Waits.signalled(job, name, payload))
        : keeping(batch, new Keeper(found.queue(), place, job, found, null));
  }

  private static Plan<SignalResult> waking(OpenBatch batch, FoundJob found, JobRecord woken) {
    Slots.know(batch, found.queue(), Slots.ofJob(found.queue(), woken));
    return new JobMove<>(found, woken, Destination.READY, Total.WOKEN, SignalResult.WOKEN);
  }

  /** The plan that a broadcast wakes the job first. Its first part is foretold already. */
  private record Both(Plan<SignalResult> first, Plan<SignalResult> second)
      implements Plan<SignalResult> {

    @Override
    public SignalResult carryOut(OpenBatch batch) {
      first.carryOut(batch);
      return second.carryOut(batch);
    }

    @Override
    public void foretell(OpenBatch batch) {
      second.foretell(batch);
    }
  }

  private Plan<SignalResult> keeping(OpenBatch batch, Keeper keeper) {
    if (keeper.job().inboxCount() >= Limits.INBOX_COUNT_MAX) {
      return Plan.answer(SignalResult.INBOX_FULL);
    }
    InboxRecord before = KeptSignals.planned(batch, keeper.place().queue(), keeper.job());
    if (before.signals().size() >= Limits.INBOX_COUNT_MAX) {
      return Plan.answer(SignalResult.INBOX_FULL);
    }
    if (!batch.planned().changesInbox(keeper.place().birth())) {
      // What names them is written anew, and nobody knew before how long that is.
      batch.requireRow(before.bytes());
    }
    InboxRecord.Kept signal = new InboxRecord.Kept(name, payload);
    JobRecord keeping = keeper.job().toBuilder().inbox(before.with(signal)).build();
    return new Keeping(keeper, keeping, signal);
  }

  /**
   * The job for which a signal is kept.
   *
   * @param found the job if it is not leased; else null
   * @param lease the lease on it if it is; else null
   */
  private record Keeper(
      QueueState queue,
      JobPlace place,
      JobRecord job,
      @Nullable FoundJob found,
      @Nullable LeaseEntry lease) {

    void setRecord(OpenBatch batch, JobRecord record) {
      if (lease != null) {
        Holdings before = lease.holdings();
        lease.setHoldings(before.withInbox(record.inboxSlots()));
        batch.onUndo(() -> lease.setHoldings(before));
        byte[] key = lease.readyKey();
        batch.put(key, record.encode(key));
        batch.state().markChanged(queue);
      } else if (found != null) {
        Update.put(batch, queue, found.key(batch), record);
      }
    }

    void foretell(OpenBatch batch, JobRecord record, InboxRecord.Kept signal) {
      if (found != null) {
        found.foretell(batch, Planned.After.of(found.state(), record));
      } else {
        batch
            .planned()
            .put(queue, place.birth(), JobState.LEASED, Planned.After.of(JobState.LEASED, record));
      }
      batch.planned().changeInbox(place.birth(), inbox -> inbox.with(signal));
    }
  }

  /**
   * The plan that a signal is kept for a job.
   *
   * @param job the job's record from then on
   */
  private record Keeping(Keeper keeper, JobRecord job, InboxRecord.Kept signal)
      implements Plan<SignalResult> {

    @Override
    public SignalResult carryOut(OpenBatch batch) {
      int queue = keeper.place().queue();
      long birth = keeper.place().birth();
      InboxRecord before =
          keeper.job().hasInbox() ? KeptSignals.inbox(batch, queue, birth) : InboxRecord.EMPTY;
      batch.aside(() -> KeptSignals.setInbox(batch, queue, birth, before.with(signal)));
      keeper.setRecord(batch, job);
      return SignalResult.KEPT;
    }

    @Override
    public void foretell(OpenBatch batch) {
      keeper.foretell(batch, job, signal);
    }
  }
}
