package io.millrace.internal.transition.queue;

import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.TurnRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.state.SlotTable;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.SubmitTime;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.SlotRecount;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Turns;

/**
 * The handing on of slots of concurrency keys of the engine, as {@link
 * io.millrace.internal.transition.move.HandOn} hands on those of queues: they go to the job whose
 * turn it is, whatever its queue, which is read into memory if it is not there.
 *
 * <p>Jobs bring their own numbers along, so that one that goes on may let many others go on that
 * are less strict. What a batch has no room for is noted in the key's row, and {@link
 * GoOnUnfinished} goes on with it.
 */
public final class EngineHandOn {

  private EngineHandOn() {}

  /**
   * Hands on the slots of all keys of the engine of which slots were given up. The jobs that get
   * them are as durable as due work.
   */
  public static void all(OpenBatch batch, SubmitTime now) {
    if (batch.state().slots().hasFreeOfEngine()) {
      batch.beginUpkeep(now, batch.state().rules().durability());
      batch.aside(() -> fillAll(batch));
    }
  }

  private static void fillAll(OpenBatch batch) {
    SlotTable slots = batch.state().slots();
    while (slots.hasFreeOfEngine()) {
      for (SlotEntry slot : slots.takeFreeOfEngine()) {
        fill(batch, slot);
      }
    }
  }

  /** Lets as many jobs of the key go on as may, or as there is room for. */
  static void fill(OpenBatch batch, SlotEntry slot) {
    SlotTable slots = batch.state().slots();
    byte[] from = slot.blockedFrom();
    boolean isRecounted = false;
    for (int count = 0; slot.blocked() > 0; count++) {
      if (count == batch.context().stepRows() || !batch.hasRoomToSpare(Cost.ENGINE_HAND_ON)) {
        slots.unmarkFree(slot);
        slots.setUnfinished(slot, true);
        return;
      }
      Turns.TurnRow turn = Turns.first(batch, slot, from);
      if (turn != null && turn.told() != null) {
        TurnRecord told = turn.told();
        if (slot.holders() >= told.most()) {
          slot.setNextTurn(turn.key(), told.most());
          break;
        }
        from =
            goOn(batch, slot, turn.key(), told) ? Bytes.successor(turn.key()) : slot.blockedFrom();
      } else if (isRecounted) {
        // What is left has no turn: its records are damaged, and about to be set aside.
        break;
      } else {
        isRecounted = true;
        SlotRecount.restoreOfEngine(batch, slot.slotKey());
        from = slot.blockedFrom();
      }
    }
    slots.unmarkFree(slot);
    slots.setUnfinished(slot, false);
  }

  /**
   * Gives the job a slot. If its queue is being removed, or its record cannot be read, the next job
   * may have it. Returns false if the turns have to be gone through again, since this one led
   * nowhere.
   */
  private static boolean goOn(OpenBatch batch, SlotEntry slot, byte[] turn, TurnRecord told) {
    QueueState queue = Queues.numbered(batch, told.queue());
    byte[] place = TurnKeys.blockedKey(turn, told.queue());
    byte[] value = batch.get(place);
    if (value == null) {
      SlotRecount.restoreOfEngine(batch, slot.slotKey());
      return false;
    }
    if (queue == null) {
      Slots.passTurn(batch, slot, turn);
      return true;
    }
    JobRecord job = Records.decodeOrReport(batch, place, value);
    if (job != null) {
      Moves.move(batch, queue, place, job, Destination.LINE);
      slot.passBlocked(turn);
    }
    return true;
  }
}
