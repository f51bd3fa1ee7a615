package io.millrace.internal.transition.move;

import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.transition.OpenBatch;

/** The storing of counts of concurrency keys: a row for each key in use. */
public final class SlotRows {

  private SlotRows() {}

  /** Stores the counts of keys that the batch has changed. */
  public static void put(OpenBatch batch) {
    assert !batch.state().slots().hasFree() : "a slot was not handed on";
    for (SlotEntry slot : batch.state().slots().takeChanged()) {
      if (slot.differsFromStored()) {
        put(batch, slot);
      }
    }
  }

  private static void put(OpenBatch batch, SlotEntry slot) {
    byte[] key = slot.slotKey();
    if (slot.isEmpty()) {
      batch.delete(key);
    } else {
      batch.put(key, slot.current().encode(key), slot.hasNoRow());
      noteRow(batch, slot);
    }
    slot.markStored();
  }

  private static void noteRow(OpenBatch batch, SlotEntry slot) {
    QueueState queue = batch.state().queue(slot.queue());
    if (queue != null) {
      queue.setMayHaveSlots(true);
    }
  }
}
