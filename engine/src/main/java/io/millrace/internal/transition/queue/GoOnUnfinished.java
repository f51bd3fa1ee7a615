package io.millrace.internal.transition.queue;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.state.SlotTable;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.Slots;
import org.jspecify.annotations.Nullable;

/**
 * A step of the work that a batch had no room for: jobs of a concurrency key of the engine go on.
 * After an opening the rows of such keys are looked through first, a step at a time, for unfinished
 * ones. The answer is the number of keys that were looked at.
 */
public final class GoOnUnfinished implements Transition<Integer> {

  /** The most rows of one step. */
  private static final int STEP = 1_000;

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  /** Counts one slot: the step takes the room that there is. */
  @Override
  public Cost cost() {
    return Cost.SLOT;
  }

  @Override
  public Integer apply(OpenBatch batch) {
    SlotTable slots = batch.state().slots();
    byte[] from = slots.unfinishedFrom();
    if (from != null) {
      return look(batch, from);
    }
    byte[] first = slots.firstUnfinished();
    if (first == null) {
      return 0;
    }
    SlotEntry slot = Slots.ofEngine(batch, first);
    if (slot.isUnfinished()) {
      batch.aside(() -> EngineHandOn.fill(batch, slot));
    } else if (!slot.differsFromStored()) {
      // Else this very batch has finished it, and may be taken back.
      slots.endUnfinished(first);
    }
    return 1;
  }

  /**
   * Looks through keys from here on, and returns how many. A key has one row that counts, and its
   * turns behind that, over which this leaps.
   */
  private static int look(OpenBatch batch, byte[] begin) {
    SlotTable slots = batch.state().slots();
    byte[] from = begin;
    int count = 0;
    while (from != null && count < STEP) {
      from = lookAtFirst(batch, from);
      count++;
    }
    slots.lookForUnfinished(from);
    return count;
  }

  /**
   * Looks at the first key from here on, and returns where the next begins; null if there is none.
   */
  private static byte @Nullable [] lookAtFirst(OpenBatch batch, byte[] from) {
    byte[][] next = new byte[1][];
    batch.scanStored(
        from,
        Keyspace.SLOT.queueEnd(SlotKeys.ENGINE),
        1,
        (key, value) -> {
          if (RowCheck.flaw(key) != null) {
            batch.reportCorrupt(key);
            return true;
          }
          byte[] slotKey = TurnKeys.isTurn(key) ? TurnKeys.slotKey(key) : key;
          next[0] = TurnKeys.end(slotKey);
          try {
            if (TurnKeys.isTurn(key) || SlotRecord.decode(key, value).isUnfinished()) {
              batch.state().slots().noteUnfinished(slotKey);
            }
          } catch (CorruptDataException e) {
            batch.reportCorrupt(key);
          }
          return false;
        });
    return next[0];
  }
}
