package io.millrace.internal.transition.move;

import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.transition.OpenBatch;

/** Changes of what is counted of a concurrency key, and what follows from each. */
final class SlotCounts {

  private SlotCounts() {}

  /**
   * So many jobs have the key from now on. If some of them are blocked, either one may go on, or
   * the key has as many holders as it may have.
   */
  static void set(OpenBatch batch, QueueState queue, SlotEntry slot, int holders, long blocked) {
    if (slot.isOfEngine()) {
      setOfEngine(batch, slot, holders, blocked);
      return;
    }
    batch.state().slots().set(slot, holders, blocked);
    if (blocked > 0) {
      int perKey = queue.settings().perKey();
      if (holders < perKey) {
        batch.state().slots().markFree(slot);
      } else {
        queue.lowerPerKeyDone(perKey);
      }
    }
  }

  /** As {@link #set}, of a key of the engine. */
  static void setOfEngine(OpenBatch batch, SlotEntry slot, int holders, long blocked) {
    batch.state().slots().set(slot, holders, blocked);
    if (slot.mayGoOn()) {
      batch.state().slots().markFree(slot);
    } else if (slot.isUnfinished()) {
      batch.state().slots().setUnfinished(slot, false);
    }
  }
}
