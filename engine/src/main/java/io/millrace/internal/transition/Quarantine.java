package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A corrupt row is set aside as it was found, and what counted or named its job goes with it, so
 * that the others go on. Does nothing if the row is sound or gone by now. Answers whether something
 * was set aside.
 */
public final class Quarantine implements Transition<Boolean> {

  /**
   * A job is no more, and two of its rows are set aside, a record with its result; or a queue's
   * rows are put anew.
   */
  private static final Cost WITHOUT_PAYLOAD =
      Cost.END
          .times(2)
          .plusBytes(RowBytes.JOB + RowBytes.ERROR + Limits.RESULT_BYTES_MAX)
          .plusBytes(RowBytes.QUEUE + 2 * RowBytes.QUARANTINE);

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

  /** Whether the batch has room to spare for it; an empty one has in any case. */
  public boolean hasRoom(Change change) {
    byte[] value = change.get(key);
    long blobBytes = Keyspace.ofKey(key) == Keyspace.BLOB && value != null ? value.length : 0;
    return change.batch().isEmpty() || change.hasRoomToSpare(WITHOUT_PAYLOAD.plusBytes(blobBytes));
  }

  @Override
  public Boolean apply(Change change) {
    byte[] value = change.get(key);
    if (value == null && Keyspace.ofKey(key) == Keyspace.BLOB) {
      return setAsideWithoutPayload(change, "payload is missing: key=" + Bytes.hex(key));
    }
    String reason = value == null ? null : Keyspace.flaw(key, value);
    return value != null && reason != null && setAside(change, value, reason);
  }

  /** Answers whether the damaged row was set aside. */
  private boolean setAside(Change change, byte[] value, String reason) {
    return switch (Keyspace.ofKey(key)) {
      case READY -> setAside(change, value, reason, () -> ready(change, value));
      case DELAYED, BLOCKED, WAITING, DEAD, DONE ->
          setAside(change, value, reason, () -> job(change, value));
      case TIMER -> setAside(change, value, reason, () -> timer(change));
      case MOVED -> setAside(change, value, reason, () -> moved(change));
      case BLOB -> {
        String lost = "payload is corrupt: key=" + Bytes.hex(key);
        yield setAside(change, value, reason, () -> setAsideWithoutPayload(change, lost));
      }
      // The jobs go on without it.
      case HISTORY, SLOT, SIGNAL, UNIQUE -> setAside(change, value, reason, () -> {});
      case QUEUE, QUEUE_NAME, COUNTERS ->
          Keyspace.flaw(key) == null
              ? Queues.restore(change, key, value, reason)
              : setAside(change, value, reason, () -> {});
      // Memory has what the first three say, and the others are not the engine's to change.
      case META, LEASE, AGENDA, TABLE, QUARANTINE -> false;
    };
  }

  /** Of a key that is not laid out as it should be nobody knows whose row it was. */
  private boolean setAside(Change change, byte[] value, String reason, Runnable mend) {
    boolean isWhole = Keyspace.flaw(key) == null;
    if (isWhole && Keyspace.ofKey(key).isOfJobs()) {
      // Read first, so that a recount finds the job that is then taken off.
      Queues.numbered(change, Keyspace.queue(key));
    }
    SetAside.row(change, key, value, reason);
    if (isWhole) {
      mend.run();
    }
    return true;
  }

  private void ready(Change change, byte[] value) {
    int number = ReadyKeys.queue(key);
    QueueState queue = Queues.numbered(change, number);
    LeaseEntry lease = leaseOn(change, number);
    long birth = lease != null ? lease.birth() : birthOf(change, number);
    forgetBeside(change, number, birth, value);
    if (queue == null) {
      return;
    }
    if (lease != null) {
      change.delete(LeaseKeys.key(number, birth));
      Moves.endLease(change, queue, lease);
    } else {
      queue
          .window(ReadyKeys.priority(key), change.state().nextSequence())
          .removeSequence(ReadyKeys.sequence(key));
      queue.add(JobState.READY, -1);
    }
    SetAside.count(change, queue);
  }

  private @Nullable LeaseEntry leaseOn(Change change, int queue) {
    for (LeaseEntry lease : change.state().leases().all()) {
      if (lease.queue() == queue && Arrays.equals(lease.readyKey(), key)) {
        return lease;
      }
    }
    return null;
  }

  /**
   * The birth sequence of the job that was here: that of the MOVED row that points here, or the
   * place itself.
   */
  private long birthOf(Change change, int queue) {
    long[] birth = {Keyspace.ofKey(key).sequence(key)};
    change.scan(
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

  /** A job that is not in its line. */
  private void job(Change change, byte[] value) {
    Keyspace keyspace = Keyspace.ofKey(key);
    int queue = Keyspace.queue(key);
    long birth = keyspace == Keyspace.BLOCKED ? birthOf(change, queue) : keyspace.sequence(key);
    forgetBeside(change, queue, birth, value);
    leave(change, queue, Objects.requireNonNull(keyspace.state(), "state"));
  }

  private static void leave(Change change, int number, JobState state) {
    QueueState queue = Queues.numbered(change, number);
    if (queue != null) {
      Moves.leaveAside(change, queue, state);
      SetAside.count(change, queue);
    }
  }

  /** As {@link SetAside#owned}, of a record that was found here. */
  private void forgetBeside(Change change, int queue, long birth, byte[] value) {
    SetAside.owned(change, queue, birth);
    TimerKeys.Kind kind = TimerKeys.Kind.in(Keyspace.ofKey(key));
    long expireAtMs = JobRecord.salvageExpireAtMs(key, value);
    if (kind != null && expireAtMs > 0) {
      // If this is not the row, the others are looked through.
      change.delete(TimerKeys.key(expireAtMs, queue, kind, birth));
    }
  }

  private boolean isLeased(Change change) {
    return change.state().leases().isLeased(TimerKeys.birthOrHash(key));
  }

  /** Writes the TIMER row anew if the job is found that it is of. */
  private void timer(Change change) {
    int queue = TimerKeys.queue(key);
    byte[] place = RecordSearch.find(change, queue, TimerKeys.birthOrHash(key));
    byte[] value = place == null ? null : change.get(place);
    if (place != null && value != null && !isLeased(change)) {
      Holdings.of(queue, place, JobRecord.decode(place, value))
          .handedBack(change.batch(), change.state().timerHeads(), place);
    }
  }

  /** Writes the MOVED row anew from where the job's record is found. */
  private void moved(Change change) {
    int queue = MovedKeys.queue(key);
    long birth = MovedKeys.birth(key);
    byte[] place = RecordSearch.find(change, queue, birth);
    if (place != null) {
      change.put(key, new MovedRecord(place).encode(key));
    }
  }

  /** A job without its payload is set aside, too; answers whether there is one. */
  private boolean setAsideWithoutPayload(Change change, String reason) {
    int number = BlobKeys.queue(key);
    long birth = BlobKeys.birth(key);
    byte[] place = RecordSearch.place(change, number, birth);
    byte[] record = place == null ? null : change.get(place);
    if (place == null || record == null || !isPayloadOf(place, record)) {
      return false;
    }
    Quarantine ofRecord = new Quarantine(place);
    if (Keyspace.ofKey(place) == Keyspace.READY) {
      ofRecord.ready(change, record);
    } else {
      ofRecord.job(change, record);
    }
    SetAside.row(change, place, record, reason);
    return true;
  }

  /** A payload that a checkpoint replaced is rightly gone. */
  private boolean isPayloadOf(byte[] place, byte[] record) {
    try {
      return JobRecord.decode(place, record).payload() instanceof Payload.InBlob blob
          && blob.version() == BlobKeys.version(key);
    } catch (CorruptDataException e) {
      return false;
    }
  }
}
