package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.TurnRecord;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.spi.WriteBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Turns of blocked jobs for a slot of a concurrency key of the engine: one row for each such job,
 * in the order of their priorities and then in that in which they were blocked, whatever their
 * queues. A job's record is in its own queue all the same.
 */
public final class Turns {

  private static final int LIKELY_ROWS = 2;

  private Turns() {}

  /**
   * A turn as it was found.
   *
   * @param key key of its row
   * @param told what the row says; null if it is damaged
   */
  public record TurnRow(byte[] key, @Nullable TurnRecord told) {}

  /**
   * Adds the turn of a job that is blocked from now on; the slot counts the job later.
   *
   * @param isNew whether the store is known to have no row of the turn's key
   */
  static void add(OpenBatch batch, SlotEntry slot, byte[] key, TurnRecord turn, boolean isNew) {
    batch.put(key, turn.encode(key), isNew);
    slot.addTurn(key, turn.most());
  }

  /** Removes the turn of a job that waits no longer; the slot counts the job still. */
  static void remove(OpenBatch batch, SlotEntry slot, byte[] key) {
    batch.delete(key);
    slot.removeTurn(key);
  }

  /**
   * Returns the first turn of the concurrency key from the given one on; null if there is none.
   * Looks at the store and at what the batch has put there separately, as {@link HandOn} does.
   */
  public static @Nullable TurnRow first(OpenBatch batch, SlotEntry slot, byte[] from) {
    WriteBatch writes = batch.writes();
    byte[][] first = new byte[2][];
    batch.scanStored(
        from,
        TurnKeys.end(slot.slotKey()),
        LIKELY_ROWS,
        (key, stored) -> {
          int index = writes.find(key);
          byte[] value = index == WriteBatch.ABSENT ? stored : writes.value(index);
          if (value != null && TurnKeys.isTurn(key)) {
            first[0] = key;
            first[1] = value;
          }
          return first[0] == null;
        });
    for (byte[] key : slot.added()) {
      boolean isEarlier =
          Arrays.compareUnsigned(key, from) >= 0
              && (first[0] == null || Arrays.compareUnsigned(key, first[0]) < 0);
      int index = isEarlier ? writes.find(key) : WriteBatch.ABSENT;
      byte[] value = index == WriteBatch.ABSENT ? null : writes.value(index);
      if (value != null) {
        first[0] = key;
        first[1] = value;
      }
    }
    return first[0] == null ? null : new TurnRow(first[0], decode(first[0], first[1]));
  }

  static @Nullable TurnRecord decode(byte[] key, byte[] value) {
    try {
      return TurnRecord.decode(key, value);
    } catch (CorruptDataException e) {
      return null;
    }
  }
}
