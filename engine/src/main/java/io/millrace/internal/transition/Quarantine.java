package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.HistoryRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.QuarantineKeys;
import io.millrace.internal.format.QuarantineRecord;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A corrupt row is set aside as it was found, and what counted or named its job goes with it, so
 * that the others go on. Does nothing if the row is sound or gone by now. Answers whether something
 * was set aside.
 */
public final class Quarantine implements Transition<Boolean> {

  private static final int OPERATION_COUNT_MAX = 64;

  private final byte[] key;

  public Quarantine(byte[] key) {
    this.key = key;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return OPERATION_COUNT_MAX;
  }

  @Override
  public Boolean apply(Change change) {
    byte[] value = change.get(key);
    if (value == null && Keyspace.ofKey(key) == Keyspace.BLOB) {
      return setAsideWithoutPayload(change, "payload is missing: key=" + Bytes.hex(key));
    }
    String reason = value == null ? null : flaw(value);
    if (value == null || reason == null) {
      return false;
    }
    if (isOfQueue()) {
      return QueueLoading.restore(change, key, value, reason);
    }
    setAside(change, key, value, reason);
    switch (Keyspace.ofKey(key)) {
      case READY -> ready(change);
      case DELAYED -> job(change, DelayedKeys.queue(key), DelayedKeys.birth(key), JobState.DELAYED);
      case DEAD -> job(change, DeadKeys.queue(key), DeadKeys.birth(key), JobState.DEAD);
      case DONE -> job(change, DoneKeys.queue(key), DoneKeys.birth(key), JobState.DONE);
      case TIMER -> timer(change);
      case MOVED -> moved(change);
      case BLOB -> setAsideWithoutPayload(change, "payload is corrupt: key=" + Bytes.hex(key));
      case HISTORY -> {
        // The other attempts and the job are as they were.
      }
      default ->
          throw new IllegalStateException("row has no check: keyspace=" + Keyspace.ofKey(key));
    }
    return true;
  }

  /** Moves a row to QUARANTINE as it was found. */
  static void setAside(Change change, byte[] key, byte[] value, @Nullable String reason) {
    byte[] asideKey = QuarantineKeys.key(change.nowMs(), key);
    String told = reason == null ? "unreadable" : reason;
    change.put(asideKey, new QuarantineRecord(value, told).encode(asideKey));
    change.state().tally().countSetAside();
    change.delete(key);
  }

  private boolean isOfQueue() {
    return switch (Keyspace.ofKey(key)) {
      case QUEUE, QUEUE_NAME, COUNTERS -> true;
      default -> false;
    };
  }

  /** What is wrong with the row; null if nothing is. */
  private @Nullable String flaw(byte[] value) {
    try {
      switch (Keyspace.ofKey(key)) {
        case READY, DELAYED, DEAD, DONE -> JobRecord.decode(key, value);
        case HISTORY -> HistoryRecord.decode(key, value);
        case TIMER -> TimerRecord.decode(key, value);
        case MOVED -> MovedRecord.decode(key, value);
        case BLOB -> BlobRecord.decode(key, value);
        case QUEUE -> QueueRecord.decode(key, value);
        case QUEUE_NAME -> QueueNameRecord.decode(key, value);
        case COUNTERS -> CountersRecord.decode(key, value);
        default -> {
          return null;
        }
      }
      return null;
    } catch (CorruptDataException e) {
      return e.getMessage();
    }
  }

  private void ready(Change change) {
    int number = ReadyKeys.queue(key);
    QueueState queue = change.queue(number);
    LeaseEntry lease = leaseOn(change, number);
    long birth = lease != null ? lease.birth() : birthOf(change, number);
    forgetBeside(change, number, birth);
    if (queue == null) {
      return;
    }
    if (lease != null) {
      Moves.endLease(change, queue, lease);
    } else {
      queue
          .window(ReadyKeys.priority(key), change.state().nextSequence())
          .removeSequence(ReadyKeys.sequence(key));
      queue.add(JobState.READY, -1);
    }
    count(change, queue);
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
    long[] birth = {ReadyKeys.sequence(key)};
    change.scan(
        MovedKeys.queueStart(queue),
        MovedKeys.queueEnd(queue),
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

  private void job(Change change, int number, long birth, JobState state) {
    forgetBeside(change, number, birth);
    QueueState queue = change.queue(number);
    if (queue != null) {
      if (state == JobState.DELAYED) {
        Moves.leaveDelayed(change, queue);
      } else {
        queue.add(state, -1);
      }
      count(change, queue);
    }
  }

  private static void forgetBeside(Change change, int queue, long birth) {
    List<byte[]> others = new ArrayList<>();
    change.scan(
        BlobKeys.jobStart(queue, birth),
        BlobKeys.jobEnd(queue, birth),
        (blobKey, value) -> others.add(blobKey));
    change.scan(
        HistoryKeys.jobStart(queue, birth),
        HistoryKeys.jobEnd(queue, birth),
        (historyKey, value) -> others.add(historyKey));
    // Their times are in the record, so they can only be found by looking at all.
    change.scan(
        Keyspace.TIMER.start(),
        Keyspace.TIMER.end(),
        (timerKey, value) -> {
          if (isTimerOf(timerKey, queue, birth)) {
            others.add(timerKey);
          }
          return true;
        });
    others.forEach(change::delete);
    change.delete(MovedKeys.key(queue, birth));
  }

  private static boolean isTimerOf(byte[] timerKey, int queue, long birth) {
    return timerKey.length == TimerKeys.LENGTH_BYTES
        && TimerKeys.queue(timerKey) == queue
        && TimerKeys.birthOrHash(timerKey) == birth;
  }

  private boolean isLeased(Change change) {
    return change.state().leases().isLeased(TimerKeys.birthOrHash(key));
  }

  /** Writes the TIMER row anew if the job is found that it is of. */
  private void timer(Change change) {
    boolean isOurs = key.length == TimerKeys.LENGTH_BYTES && TimerKeys.queue(key) >= 0;
    if (!isOurs) {
      return;
    }
    int queue = TimerKeys.queue(key);
    byte[] place = RecordSearch.find(change, queue, TimerKeys.birthOrHash(key));
    byte[] value = place == null ? null : change.get(place);
    if (place != null && value != null && !isLeased(change)) {
      JobTimers.put(change, queue, place, JobRecord.decode(place, value));
    }
  }

  private static void count(Change change, QueueState queue) {
    queue.countTotal(Total.QUARANTINED);
    change.state().markChanged(queue);
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
    switch (Keyspace.ofKey(place)) {
      case READY -> ofRecord.ready(change);
      case DELAYED -> ofRecord.job(change, number, birth, JobState.DELAYED);
      case DONE -> ofRecord.job(change, number, birth, JobState.DONE);
      default -> ofRecord.job(change, number, birth, JobState.DEAD);
    }
    setAside(change, place, record, reason);
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

  /** Nothing is left of the job: the rows beside its record go, and it is counted as lost. */
  static void lose(Change change, QueueState queue, long birth) {
    forgetBeside(change, queue.number(), birth);
    count(change, queue);
  }
}
