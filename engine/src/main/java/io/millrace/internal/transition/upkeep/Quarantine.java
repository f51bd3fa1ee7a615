package io.millrace.internal.transition.upkeep;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.InboxKeys;
import io.millrace.internal.format.InboxPayloadKeys;
import io.millrace.internal.format.JobKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.NameSettings;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.state.AttemptEnd;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.KeptSignals;
import io.millrace.internal.transition.move.LostRows;
import io.millrace.internal.transition.move.LostTallies;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.RecordSearch;
import io.millrace.internal.transition.move.SetAside;
import io.millrace.internal.transition.move.SlotRecount;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.queue.Queues;
import io.millrace.internal.transition.table.LostTableNames;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The setting aside of a corrupt row as it was found. What counted or named its job goes with it,
 * so that the others go on. Does nothing if the row is sound or gone by now. The answer tells
 * whether something was set aside.
 */
public final class Quarantine implements Transition<Boolean> {

  /**
   * The cost but for a payload: a job is no more, and two of its rows are set aside, a record with
   * its result; or a queue's rows are put anew.
   */
  private static final Cost WITHOUT_PAYLOAD =
      Cost.END
          .times(2)
          .plusBytes(RowBytes.JOB + RowBytes.ERROR + RowBytes.SIGNAL + Limits.RESULT_BYTES_MAX)
          .plusBytes(RowBytes.QUEUE + 2 * RowBytes.QUARANTINE)
          .plus(Cost.deletes(2).times(2));

  private final byte[] key;

  public Quarantine(byte[] key) {
    this.key = key;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return WITHOUT_PAYLOAD.plusBytes(RowBytes.BLOB);
  }

  /** Tells whether the batch has room to spare for this; an empty one has in any case. */
  public boolean hasRoom(OpenBatch batch) {
    byte[] value = batch.get(key);
    long blobBytes = Keyspace.ofKey(key) == Keyspace.BLOB && value != null ? value.length : 0;
    return batch.writes().isEmpty() || batch.hasRoomToSpare(WITHOUT_PAYLOAD.plusBytes(blobBytes));
  }

  @Override
  public Boolean apply(OpenBatch batch) {
    byte[] value = batch.get(key);
    if (value == null && Keyspace.ofKey(key) == Keyspace.BLOB) {
      return setAsideWithoutPayload(batch, "payload is missing: key=" + Bytes.hex(key));
    }
    if (value == null && isOfSignalPayload()) {
      batch.aside(() -> KeptSignals.giveUp(batch, key));
      return false;
    }
    String reason = value == null ? null : RowCheck.flaw(key, value);
    boolean isSound = value != null && reason == null;
    boolean isOfSlots = Keyspace.ofKey(key) == Keyspace.SLOT;
    // A turn may be sound and lead to no job.
    if (isOfSlots && (value == null || (isSound && TurnKeys.isTurn(key)))) {
      slot(batch);
      return false;
    }
    if (reason == null && TallyKeys.isKey(key)) {
      // It is missing, or does not agree with the records of its jobs.
      LostTallies.recount(batch, 0);
    }
    return value != null && reason != null && setAside(batch, value, reason);
  }

  /** Sets the damaged row aside with what follows from that; returns whether it was set aside. */
  private boolean setAside(OpenBatch batch, byte[] value, String reason) {
    Keyspace keyspace = Keyspace.ofKey(key);
    if (keyspace.isOfJobs()) {
      return setAside(batch, value, reason, () -> job(batch, value));
    }
    return switch (keyspace) {
      case TIMER, MOVED, UNIQUE ->
          setAside(batch, value, reason, () -> LostRows.restore(batch, key));
      case BLOB -> {
        String lost = "payload is corrupt: key=" + Bytes.hex(key);
        yield setAside(batch, value, reason, () -> setAsideWithoutPayload(batch, lost));
      }
      // The jobs go on without it.
      case HISTORY -> setAside(batch, value, reason, () -> {});
      case SIGNAL -> setAside(batch, value, reason, () -> signal(batch));
      case SLOT -> setAside(batch, value, reason, () -> slot(batch));
      case QUEUE, QUEUE_NAME, COUNTERS ->
          RowCheck.flaw(key) == null
              ? Queues.restore(batch, key, value, reason)
              : setAside(batch, value, reason, () -> {});
      case TABLE -> setAside(batch, value, reason, () -> table(batch));
      // Memory has what the first three say, and the others are not the engine's to change.
      case META, LEASE, AGENDA, QUARANTINE -> false;
      default -> throw new IllegalStateException("no rule for damage: keyspace=" + keyspace);
    };
  }

  /**
   * Sets the row aside and then mends what follows from that. If the key is not laid out as it
   * should be, nothing tells whose row it was, and nothing is mended.
   */
  private boolean setAside(OpenBatch batch, byte[] value, String reason, Runnable mend) {
    boolean isWhole = RowCheck.flaw(key) == null;
    if (isWhole && Keyspace.ofKey(key).isOfJobs()) {
      // Read first, so that a recount finds the job that is then taken off.
      leaveBlocked(batch, key);
    }
    SetAside.row(batch, key, value, reason);
    if (isWhole) {
      mend.run();
    }
    return true;
  }

  /** Removes from the counts and its line the job that was here, with the rows that it owns. */
  private void job(OpenBatch batch, byte[] value) {
    if (Keyspace.ofKey(key) == Keyspace.READY) {
      inLine(batch, value);
    } else {
      aside(batch, value);
    }
  }

  private void inLine(OpenBatch batch, byte[] value) {
    int number = ReadyKeys.queue(key);
    QueueState queue = Queues.numbered(batch, number);
    LeaseEntry lease = leaseOn(batch, number);
    long birth = lease != null ? lease.birth() : birthOf(batch, number);
    forgetOwned(batch, number, birth, value);
    if (queue == null) {
      return;
    }
    Slots.lost(batch, queue, key, value);
    if (lease != null) {
      batch.delete(LeaseKeys.key(number, birth));
      Moves.endLease(batch, queue, lease);
      Tallies.end(batch, lease.tally(), StateTraits.of(JobState.LEASED), Total.QUARANTINED);
      queue.countEnd(Total.QUARANTINED, lease, AttemptEnd.GONE, batch.nowMs());
      return;
    }
    queue
        .window(ReadyKeys.priority(key), batch.state().nextSequence())
        .removeSequence(ReadyKeys.sequence(key));
    queue.add(JobState.READY, -1);
    SetAside.count(batch, queue, birth);
  }

  private void slot(OpenBatch batch) {
    if (SlotKeys.isOfEngine(key)) {
      SlotRecount.restoreOfEngine(batch, key);
      return;
    }
    QueueState queue = Queues.numbered(batch, Keyspace.queue(key));
    if (queue != null) {
      Slots.restore(batch, queue, key);
    }
  }

  private boolean isOfSignalPayload() {
    return Keyspace.ofKey(key) == Keyspace.SIGNAL && InboxPayloadKeys.isOne(key);
  }

  /**
   * Gives up the signals that were lost with the row. Few jobs have signals with payloads in rows
   * of their own: these were not declared.
   */
  private void signal(OpenBatch batch) {
    if (InboxKeys.isOne(key)) {
      batch.aside(() -> KeptSignals.setAsidePayloads(batch, key));
    } else if (isOfSignalPayload()) {
      batch.aside(() -> KeptSignals.giveUp(batch, key));
    }
  }

  /** Puts anew what the engine says of tables and names. A user's own row is lost. */
  private void table(OpenBatch batch) {
    if (NameSettings.isKey(key)) {
      Queues.restoreOfName(batch, key);
    } else if (TallyKeys.isKey(key) || TallyKeys.isDueKey(key)) {
      LostTallies.restore(batch, key);
    } else {
      LostTableNames.restore(batch, key);
    }
  }

  private @Nullable LeaseEntry leaseOn(OpenBatch batch, int queue) {
    for (LeaseEntry lease : batch.state().leases().all()) {
      if (lease.queue() == queue && Arrays.equals(lease.readyKey(), key)) {
        return lease;
      }
    }
    return null;
  }

  /**
   * Returns the birth sequence of the job that was here: that of the MOVED row that points here, or
   * the place itself.
   */
  private long birthOf(OpenBatch batch, int queue) {
    long[] birth = {JobKeys.sequence(key)};
    batch.scan(
        Keyspace.MOVED.queueStart(queue),
        Keyspace.MOVED.queueEnd(queue),
        (movedKey, value) -> {
          boolean isHere = pointsHere(movedKey, value);
          if (isHere) {
            birth[0] = MovedKeys.birth(movedKey);
          }
          return !isHere;
        });
    return birth[0];
  }

  private boolean pointsHere(byte[] movedKey, byte[] value) {
    try {
      return Arrays.equals(MovedRecord.decode(movedKey, value).key(), key);
    } catch (CorruptDataException e) {
      return false;
    }
  }

  private void aside(OpenBatch batch, byte[] value) {
    StateTraits state = StateTraits.at(key);
    int queue = Keyspace.queue(key);
    long birth = state.isKeyOfBirth() ? JobKeys.sequence(key) : birthOf(batch, queue);
    forgetOwned(batch, queue, birth, value);
    leave(batch, queue, state.state(), birth);
    QueueState known = Queues.numbered(batch, queue);
    if (known != null && state.mayKeepSlot()) {
      Slots.lost(batch, known, key, value);
    }
  }

  private static void leaveBlocked(OpenBatch batch, byte[] place) {
    QueueState queue = Queues.numbered(batch, Keyspace.queue(place));
    if (queue != null) {
      Moves.leaveBlocked(batch, queue, place);
    }
  }

  private static void leave(OpenBatch batch, int number, JobState state, long birth) {
    QueueState queue = Queues.numbered(batch, number);
    if (queue != null) {
      Moves.leaveAside(batch, queue, state);
      SetAside.count(batch, queue, birth);
    }
  }

  /**
   * Deletes the rows that a job owns, as {@link SetAside#owned} does, and the timer of the record
   * that was found here.
   */
  private void forgetOwned(OpenBatch batch, int queue, long birth, byte[] value) {
    SetAside.owned(batch, queue, birth);
    TimerKeys.Kind kind = StateTraits.at(key).timer();
    long timerMs = JobRecord.salvageTimerMs(key, value);
    if (kind != null && timerMs > 0) {
      // If this is not the row, the others are looked through.
      batch.delete(TimerKeys.key(timerMs, queue, kind, birth));
    }
  }

  /** Sets a job aside, too, whose payload is lost; returns whether there is one. */
  private boolean setAsideWithoutPayload(OpenBatch batch, String reason) {
    int number = BlobKeys.queue(key);
    long birth = BlobKeys.birth(key);
    byte[] place = RecordSearch.place(batch, number, birth);
    byte[] record = place == null ? null : batch.get(place);
    if (place == null || record == null || !isPayloadOf(place, record)) {
      return false;
    }
    Quarantine ofRecord = new Quarantine(place);
    leaveBlocked(batch, place);
    ofRecord.job(batch, record);
    SetAside.row(batch, place, record, reason);
    return true;
  }

  /**
   * Tells whether the record names the BLOB row. One that a checkpoint or an update replaced is
   * rightly gone.
   */
  private boolean isPayloadOf(byte[] place, byte[] record) {
    try {
      return JobRecord.decode(place, record).blobs().stream()
          .anyMatch(blob -> blob.version() == BlobKeys.version(key));
    } catch (CorruptDataException e) {
      return false;
    }
  }
}
