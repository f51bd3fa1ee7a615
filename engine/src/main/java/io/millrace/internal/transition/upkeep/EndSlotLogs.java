package io.millrace.internal.transition.upkeep;

import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotTable;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.SlotRecount;
import io.millrace.internal.transition.queue.Queues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of the end of logs of slots, which older versions have left: rows that held in place of
 * the keys' own rows, which may be of long before. The keys of a queue that has one are counted
 * anew from its jobs, and its log goes. The answer tells whether more is to be done; before that is
 * over, no concurrency key of a queue may be used.
 *
 * <p>A log goes in or after the batch that puts the last row right, so that after a crash in
 * between its queue is counted again. When there is none left, the store says so, and is not looked
 * through again.
 */
public final class EndSlotLogs implements Transition<Boolean> {

  private static final Cost LOG_ROW = Cost.deletes(1);

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  /** Counts the mark of the store; the step takes the room that there is. */
  @Override
  public Cost cost() {
    return new Cost(1, 2 * RowBytes.KEY);
  }

  @Override
  public Boolean apply(OpenBatch batch) {
    SlotTable slots = batch.state().slots();
    byte[] from = slots.logsFrom();
    byte[] log = from == null ? null : first(batch, from);
    if (log == null) {
      slots.lookForLogs(null);
      OpenStore.markStop(batch, OpenStore.LastStop.UNCLEAN);
      return false;
    }
    int number = Keyspace.queue(log);
    slots.lookForLogs(log);
    QueueState queue = Queues.numbered(batch, number);
    batch.aside(
        () -> {
          // What is left of a deleted queue is removed with its other rows.
          if (queue == null || SlotRecount.isWhole(batch, queue)) {
            delete(batch, number);
          }
        });
    return true;
  }

  /** Returns the first row of a log from here on; looks at one row of each queue. */
  private static byte @Nullable [] first(OpenBatch batch, byte[] begin) {
    byte[] key = next(batch, begin);
    while (key != null && !isOfLog(key)) {
      int number = Keyspace.queue(key);
      key = next(batch, number < 0 ? Bytes.successor(key) : Keyspace.SLOT.queueEnd(number));
    }
    return key;
  }

  /** Tells whether the key is in the range that is kept for logs, whatever is there. */
  private static boolean isOfLog(byte[] key) {
    int number = Keyspace.queue(key);
    return number > SlotKeys.ENGINE && Arrays.compareUnsigned(key, SlotKeys.logEnd(number)) < 0;
  }

  private static byte @Nullable [] next(OpenBatch batch, byte[] from) {
    byte[][] next = new byte[1][];
    batch.scan(
        from,
        Keyspace.SLOT.end(),
        1,
        (key, value) -> {
          next[0] = key;
          return false;
        });
    return next[0];
  }

  /** Deletes as many rows of the queue's log as there is room for, one at least. */
  private static void delete(OpenBatch batch, int queue) {
    List<byte[]> keys = new ArrayList<>();
    batch.scan(
        Keyspace.SLOT.queueStart(queue),
        SlotKeys.logEnd(queue),
        (key, value) -> {
          keys.add(key);
          return true;
        });
    for (byte[] key : keys) {
      if (!batch.writes().isEmpty() && !batch.hasRoomToSpare(LOG_ROW)) {
        return;
      }
      batch.delete(key);
    }
  }
}
