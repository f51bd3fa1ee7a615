package io.millrace.internal.transition.due;

import io.millrace.api.CorruptDataException;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotRef;
import io.millrace.internal.state.TimerHead;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.LostRows;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.RecordSearch;
import io.millrace.internal.transition.move.SetAside;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Waits;
import io.millrace.internal.transition.queue.Queues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * TIMER rows that are due, and what follows from that.
 *
 * <p>A row is only a pointer to its owner: a job, a unique key or a kept signal. It has its effect
 * if the owner's record is in a state of the row's kind and names the row's time; if not, the row
 * means nothing and is dropped. So a row of a dead or completed job never touches a job that lives.
 */
final class DueTimers {

  /** The most rows of one step. */
  static final int STEP = 1_000;

  /** The rows that are fetched at once: mostly few timers are due. */
  private static final int LIKELY_ROWS = 16;

  /** The length of all records read, in bytes, after which a step ends. */
  static final long STEP_BYTES = 4L << 20;

  /**
   * The cost of one row: a job goes, and its TIMER row and its slot, or it wakes; or a row that is
   * no timer is set aside.
   */
  static final Cost END =
      Cost.END
          .plus(Cost.deletes(2))
          .plusBytes(RowBytes.QUARANTINE)
          .plus(Cost.ENGINE_HAND_ON)
          .plus(Cost.TURN);

  private final List<Row> rows = new ArrayList<>();
  private final long untilMs;
  private byte @Nullable [] next;

  private DueTimers(long untilMs) {
    this.untilMs = untilMs;
  }

  /** A job whose TIMER row is due and agrees with its record. */
  record Owner(QueueState queue, byte[] key, JobRecord job) {}

  /** Reads a step of the rows that are due by this time of the head's clock. */
  static DueTimers read(OpenBatch batch, TimerHead head, long untilMs) {
    DueTimers due = new DueTimers(untilMs);
    int countMax = Math.min(STEP, batch.context().stepRows());
    batch.scan(
        head.key(),
        head.end(),
        LIKELY_ROWS,
        (key, value) -> {
          boolean isDue = isDueBy(head, key, untilMs) && due.rows.size() < countMax;
          if (isDue) {
            due.rows.add(new Row(key, value));
          } else {
            due.next = key;
          }
          return isDue;
        });
    return due;
  }

  /** Tells whether the row is due. A key that is none of ours is due at once, to be set aside. */
  private static boolean isDueBy(TimerHead head, byte[] key, long untilMs) {
    return key.length != TimerKeys.LENGTH_BYTES || head.timeMs(key) <= untilMs;
  }

  List<Row> rows() {
    return rows;
  }

  /**
   * Reads the rows to which the rows of the step point. Their jobs' payloads are small or
   * elsewhere, so that all of the step may be in memory.
   *
   * @param isWanted whether the rows for the TIMER row with this key are wanted
   */
  void readTogether(OpenBatch batch, Predicate<byte[]> isWanted) {
    for (Row row : rows) {
      try {
        if (isWanted.test(row.key())) {
          declareOwner(batch.state(), batch.reads(), row);
        }
      } catch (CorruptDataException e) {
        // No timer: it will be set aside.
      }
    }
    batch.reads().fetch();
  }

  /** Wants TIMER rows that were due before, with the rows to which they point. */
  static void declare(WorkingSet state, RowReads reads, List<byte[]> timerKeys) {
    for (byte[] key : timerKeys) {
      reads.wantByKey(
          key,
          value -> {
            if (value != null) {
              declareOwner(state, reads, new Row(key, value));
            }
          });
    }
  }

  private static void declareOwner(WorkingSet state, RowReads reads, Row row) {
    if (!isOfJob(row.key())) {
      byte[] owner = TimerRecord.decode(row.key(), row.value()).owner();
      Keyspace keyspace = Keyspace.find(owner);
      if (keyspace == Keyspace.UNIQUE || keyspace == Keyspace.SIGNAL) {
        reads.wantByKey(owner);
      }
      return;
    }
    int number = TimerKeys.queue(row.key());
    long birth = TimerKeys.birthOrHash(row.key());
    if (number < 0 || birth < 0 || state.leases().isLeased(birth)) {
      return;
    }
    Queues.declare(state, reads, number);
    byte[] movedKey = MovedKeys.key(number, birth);
    reads.wantByKey(
        movedKey,
        moved -> {
          byte[] place =
              moved == null
                  ? TimerRecord.decode(row.key(), row.value()).owner()
                  : MovedRecord.decode(movedKey, moved).key();
          if (Keyspace.find(place) != null) {
            reads.wantByKey(place, record -> declareSlot(state, reads, place, record));
          }
        });
  }

  /** Wants the slot of a job that waited for a signal and is about to be ready. */
  private static void declareSlot(
      WorkingSet state, RowReads reads, byte[] place, byte @Nullable [] record) {
    StateTraits traits = StateTraits.find(place);
    if (record != null && traits != null && traits.timer() == TimerKeys.Kind.WAIT_DEADLINE) {
      JobRecord job = JobRecord.decode(place, record);
      Slots.declare(state, reads, SlotRef.orNull(SlotKeys.ofJob(Keyspace.queue(place), job)));
    }
  }

  /**
   * Tells whether the row, which is a timer, belongs to a job; else it belongs to a unique key or a
   * signal.
   */
  static boolean isOfJob(byte[] timerKey) {
    return TimerKeys.kind(timerKey).isOfJob();
  }

  /**
   * Moves the head behind the rows of the step: all have been dealt with, or will be before
   * anything else is.
   */
  void moveHead(TimerHead head) {
    byte[] first = next;
    if (first == null) {
      head.moveBehind(untilMs);
    } else {
      head.moveTo(first);
    }
  }

  /** Tells whether the batch has room to spare for one row more. */
  static boolean hasRoomToEnd(OpenBatch batch) {
    return batch.hasRoomToSpare(END);
  }

  /** Sets the row aside if it cannot be a timer; returns whether it was set aside. */
  static boolean isForeign(OpenBatch batch, Row row) {
    try {
      TimerKeys.kind(row.key());
      return false;
    } catch (CorruptDataException e) {
      SetAside.row(batch, row.key(), row.value(), e.getMessage());
      return true;
    }
  }

  /**
   * Ends the row's owner, or its wait, and deletes the row. Returns roughly how many bytes that
   * took to read; a row whose queue cannot be read is left alone.
   */
  static long end(OpenBatch batch, Row row) {
    return switch (TimerKeys.kind(row.key())) {
      case TIME_TO_LIVE -> endOfJob(batch, row, owner -> remove(batch, owner, Total.DROPPED));
      case DEAD_RETENTION, RESULT_RETENTION ->
          endOfJob(batch, row, owner -> remove(batch, owner, Total.SWEPT));
      case WAIT_DEADLINE ->
          endOfJob(batch, row, owner -> Waits.end(batch, owner.queue(), owner.key(), owner.job()));
      case UNIQUE_EXPIRY, SIGNAL_EXPIRY -> endOther(batch, row);
    };
  }

  private static long endOfJob(OpenBatch batch, Row row, Consumer<Owner> end) {
    Owner owner;
    try {
      owner = owner(batch, row);
    } catch (CorruptDataException e) {
      return 0;
    }
    batch.delete(row.key());
    if (owner == null) {
      return 0;
    }
    end.accept(owner);
    return owner.job().memoryBytes();
  }

  private static void remove(OpenBatch batch, Owner owner, Total total) {
    Moves.end(batch, owner.queue(), owner.key(), owner.job(), total);
  }

  /** Frees a unique key, or forgets a broadcast that was kept. */
  private static long endOther(OpenBatch batch, Row row) {
    byte[] owner = otherOwner(batch, row);
    byte[] value = owner == null ? null : batch.get(owner);
    if (owner != null && value != null) {
      try {
        Row timer = OwnedRows.timer(owner, value);
        // It may have another time by now.
        if (timer != null && Arrays.equals(timer.key(), row.key())) {
          batch.delete(owner);
        }
      } catch (CorruptDataException e) {
        // It is set aside; by its time it means nothing.
        batch.reportCorrupt(owner);
      }
    }
    batch.delete(row.key());
    return RowBytes.UNIQUE;
  }

  private static byte @Nullable [] otherOwner(OpenBatch batch, Row row) {
    byte[] owner;
    try {
      owner = TimerRecord.decode(row.key(), row.value()).owner();
    } catch (CorruptDataException e) {
      return LostRows.owner(batch, row.key());
    }
    Keyspace keyspace = Keyspace.find(owner);
    boolean isOther = keyspace == Keyspace.UNIQUE || keyspace == Keyspace.SIGNAL;
    return isOther && RowCheck.flaw(owner) == null ? owner : null;
  }

  /**
   * Returns the job to which the row belongs; null if the row means nothing.
   *
   * @throws CorruptDataException the queue cannot be read
   */
  static @Nullable Owner owner(OpenBatch batch, Row row) {
    int number = TimerKeys.queue(row.key());
    long birth = TimerKeys.birthOrHash(row.key());
    // Loading a queue moves what is due, so the job's place is asked for after it.
    QueueState queue = number < 0 ? null : Queues.numbered(batch, number);
    if (queue == null || birth < 0 || batch.state().leases().isLeased(birth)) {
      return null;
    }
    byte[] place = place(batch, row, birth);
    byte[] value = place == null ? null : batch.get(place);
    if (place == null || value == null) {
      return null;
    }
    JobRecord job = Records.decodeOrReport(batch, place, value);
    if (job == null) {
      return null;
    }
    boolean agrees =
        job.birth() == birth
            && job.timerMs(Keyspace.ofKey(place)) == TimerKeys.timeMs(row.key())
            && StateTraits.at(place).timer() == TimerKeys.kind(row.key());
    return agrees ? new Owner(queue, place, job) : null;
  }

  private static byte @Nullable [] place(OpenBatch batch, Row row, long birth) {
    int queue = TimerKeys.queue(row.key());
    byte[] movedKey = MovedKeys.key(queue, birth);
    byte[] moved = batch.get(movedKey);
    try {
      return moved == null
          ? TimerRecord.decode(row.key(), row.value()).owner()
          : MovedRecord.decode(movedKey, moved).key();
    } catch (CorruptDataException e) {
      return RecordSearch.find(batch, queue, birth);
    }
  }
}
