package io.millrace.internal.transition.move;

import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.transition.OpenBatch;

/** Changes of the counts of a concurrency key, with the consequences of each. */
final class SlotCounts {

  private SlotCounts() {}

  /**
   * Sets the counts of a key. If some of its jobs are blocked, either one of them may go on, or the
   * key has as many holders as it may have.
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

  /** Sets the counts of a key of the engine. */
  static void setOfEngine(OpenBatch batch, SlotEntry slot, int holders, long blocked) {
    batch.state().slots().set(slot, holders, blocked);
    if (slot.mayGoOn()) {
      batch.state().slots().markFree(slot);
    } else if (slot.isUnfinished()) {
      batch.state().slots().setUnfinished(slot, false);
    }
  }
}
