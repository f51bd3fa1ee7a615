package io.millrace.internal.transition.queue;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.LostTallies;
import io.millrace.internal.transition.move.SlotRecount;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Tallies;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step of the removal of a deleted queue's rows, keyspace by keyspace; the last step removes
 * those that say there was one. The answer is where the next step begins; empty if that was all.
 */
public final class EmptyDropped implements Transition<Optional<byte[]>> {

  /** The cost of a row, its TIMER row, and the row of a tally. */
  private static final Cost ROW = Cost.deletes(2).plusBytes(Limits.KEY_BYTES_MAX).plus(Cost.TALLY);

  /** The cost of a row, its TIMER row, and a turn and a slot of a concurrency key of the engine. */
  private static final Cost KEYED_ROW = ROW.plus(Cost.TURN).plus(Cost.SLOT);

  private final int queue;
  private final byte @Nullable [] from;
  private boolean isHolderLost;

  /**
   * Creates a step.
   *
   * @param from where it begins; null for the first step
   */
  public EmptyDropped(int queue, byte @Nullable [] from) {
    this.queue = queue;
    this.from = from;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return ROW.times(StepRows.COUNT_MAX + 1);
  }

  /**
   * Wants the queue's name, which is in the store alone, if single jobs' ends are told: nothing
   * else needs it.
   */
  @Override
  public void declare(WorkingSet state, RowReads reads) {
    if (state.totals().lives().isEachTold()) {
      reads.wantByKey(QueueNameKeys.key(queue));
    }
  }

  @Override
  public Optional<byte[]> apply(OpenBatch batch) {
    Optional<byte[]> next = empty(batch);
    if (isHolderLost) {
      batch.aside(() -> SlotRecount.ofEngine(batch));
    }
    return next;
  }

  private Optional<byte[]> empty(OpenBatch batch) {
    QueueName name = recordedName(batch);
    boolean isKeyed = SlotRecount.isInUse(batch, SlotKeys.ENGINE);
    int left = StepRows.countWithRoom(batch, isKeyed ? KEYED_ROW : ROW);
    for (Keyspace keyspace : Keyspace.values()) {
      boolean isPassed = from != null && from[0] > keyspace.code();
      if (isPassed || keyspace.owner() != Keyspace.Owner.JOBS) {
        continue;
      }
      byte[] start = from != null && from[0] == keyspace.code() ? from : keyspace.queueStart(queue);
      StepRows step = StepRows.read(batch, start, keyspace.queueEnd(queue), left);
      for (Row row : step.rows()) {
        if (isKeyed && keyspace.isOfJobs()) {
          leaveEngineKey(batch, row);
        }
        remove(batch, keyspace, row, name);
      }
      left -= step.rows().size();
      if (step.next() != null) {
        return Optional.of(step.next());
      }
    }
    batch.delete(QueueNameKeys.key(queue));
    batch.delete(AgendaKeys.key(AgendaKeys.DROPPED_MS, queue));
    batch.state().unmarkDropped(queue);
    batch.onUndo(() -> batch.state().markDropped(queue));
    return Optional.empty();
  }

  /** Returns the name that the queue had; null if it need not be told, or cannot be read. */
  private @Nullable QueueName recordedName(OpenBatch batch) {
    byte[] key = QueueNameKeys.key(queue);
    byte[] value = batch.state().totals().lives().isEachTold() ? batch.get(key) : null;
    try {
      return value == null ? null : QueueNameRecord.decode(key, value).name();
    } catch (CorruptDataException e) {
      return null;
    }
  }

  /**
   * Gives up the job's turn or slot of a key of the engine. A damaged record in a line does not
   * tell which key it had: then all keys are counted at the step's end.
   */
  private void leaveEngineKey(OpenBatch batch, Row row) {
    boolean isBlocked = Keyspace.ofKey(row.key()) == Keyspace.BLOCKED;
    if (isBlocked && RowCheck.flaw(row.key()) == null && BlockedKeys.isOfEngine(row.key())) {
      batch.aside(() -> Slots.droppedBlocked(batch, row.key()));
    } else if (Keyspace.ofKey(row.key()) == Keyspace.READY) {
      batch.aside(() -> isHolderLost |= !Slots.isHolderDropped(batch, row.key(), row.value()));
    }
  }

  private void remove(OpenBatch batch, Keyspace keyspace, Row row, @Nullable QueueName name) {
    batch.delete(row.key());
    try {
      JobRecord job = keyspace.isOfJobs() ? JobRecord.decode(row.key(), row.value()) : null;
      Row timer =
          job == null ? OwnedRows.timer(row.key(), row.value()) : OwnedRows.timer(row.key(), job);
      if (timer != null) {
        batch.delete(timer.key());
      }
      if (job != null) {
        Tallies.end(batch, job.tally(), StateTraits.at(row.key()), Total.PURGED);
      }
      if (job != null && name != null) {
        batch.state().totals().lives().removedWithQueue(name, queue, job);
      }
    } catch (CorruptDataException e) {
      // Its TIMER row, if there is one, means nothing without it and is dropped when it is due.
      if (keyspace.isOfJobs() && !StateTraits.in(keyspace).isFinal()) {
        LostTallies.recount(batch);
      }
    }
  }
}
