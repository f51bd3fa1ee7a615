package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotLogKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.state.SlotTable;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.HalfDoneException;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.spi.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs of a concurrency key are ready or leased, and how many blocked.
 *
 * <p><b>The rule.</b> A job that has a key holds a slot of it from when it is ready until it is
 * neither ready nor leased. It may become ready if fewer than {@code perKey} hold one and none of
 * the key is blocked; else it is blocked. So whoever gives a slot up while others are blocked only
 * notes that, and {@link HandOn} lets the next go on within the same batch.
 *
 * <p><b>Before the rows.</b> Each count changes before the job's row does: a SLOT row that cannot
 * be read, or does not agree, is counted anew from the jobs' rows as they are at that moment.
 */
public final class Slots {

  private Slots() {}

  /** Wants the row of the job's key, if it has one that is not in memory. */
  public static void declare(
      WorkingSet state, RowReads reads, int queue, byte @Nullable [] concurrencyKey) {
    if (concurrencyKey == null) {
      return;
    }
    byte[] key = SlotKeys.key(queue, concurrencyKey);
    if (state.slots().find(key) == null) {
      reads.wantByKey(key);
    }
  }

  /**
   * Reads what is needed of the job's key, if it has one, so that changes after this cannot fail.
   *
   * @throws StoreException that failed; nothing was changed
   */
  public static void know(OpenBatch batch, QueueState queue, byte @Nullable [] concurrencyKey) {
    if (concurrencyKey != null) {
      read(batch, queue, concurrencyKey);
    }
  }

  /** Whether a job of the key must be blocked if it is not to be put off. */
  public static boolean mustWait(OpenBatch batch, QueueState queue, byte[] concurrencyKey) {
    SlotEntry slot = slot(batch, queue, concurrencyKey);
    return slot.blocked() > 0 || slot.holders() >= queue.settings().perKey();
  }

  /** A job is about to be ready. */
  static void take(OpenBatch batch, QueueState queue, JobRecord job) {
    byte[] concurrencyKey = job.concurrencyKey();
    if (concurrencyKey != null) {
      SlotEntry slot = slot(batch, queue, concurrencyKey);
      SlotCounts.set(batch, queue, slot, slot.holders() + 1, slot.blocked());
    }
  }

  /** A job is about to be neither ready nor leased. */
  static void giveUp(OpenBatch batch, QueueState queue, byte @Nullable [] concurrencyKey) {
    if (concurrencyKey != null) {
      SlotEntry slot = slot(batch, queue, concurrencyKey);
      if (slot.holders() == 0) {
        slot = recount(batch, queue, slot);
      }
      SlotCounts.set(batch, queue, slot, Math.max(0, slot.holders() - 1), slot.blocked());
    }
  }

  /** A job is about to be blocked, with its record at the key. */
  static void block(OpenBatch batch, QueueState queue, byte[] key) {
    SlotEntry slot = slot(batch, queue, BlockedKeys.concurrencyKey(key));
    queue.noteBlocking();
    slot.addBlocked(key);
    SlotCounts.set(batch, queue, slot, slot.holders(), slot.blocked() + 1);
  }

  /** A job is about to be no longer blocked. */
  static void unblock(OpenBatch batch, QueueState queue, byte[] concurrencyKey) {
    SlotEntry slot = slot(batch, queue, concurrencyKey);
    if (slot.blocked() == 0) {
      slot = recount(batch, queue, slot);
    }
    SlotCounts.set(batch, queue, slot, slot.holders(), Math.max(0, slot.blocked() - 1));
  }

  /** What is known of the key, when changes have begun. */
  private static SlotEntry slot(OpenBatch batch, QueueState queue, byte[] concurrencyKey) {
    try {
      return read(batch, queue, concurrencyKey);
    } catch (StoreException e) {
      throw new HalfDoneException(e);
    }
  }

  private static SlotEntry recount(OpenBatch batch, QueueState queue, SlotEntry slot) {
    try {
      return SlotRecount.of(batch, queue, slot.slotKey());
    } catch (StoreException e) {
      throw new HalfDoneException(e);
    }
  }

  static SlotEntry read(OpenBatch batch, QueueState queue, byte[] concurrencyKey) {
    SlotTable slots = batch.state().slots();
    byte[] key = SlotKeys.key(queue.number(), concurrencyKey);
    SlotEntry known = slots.find(key);
    if (known != null) {
      return known;
    }
    if (slots.log(queue.number()) == null) {
      boolean isDamaged = SlotRows.readLog(batch, queue.number());
      SlotEntry logged = isDamaged ? SlotRecount.of(batch, queue, key) : slots.find(key);
      if (logged != null) {
        return logged;
      }
    }
    byte[] value = batch.get(key);
    try {
      return slots.add(key, value == null ? SlotRecord.NOBODY : SlotRecord.decode(key, value));
    } catch (CorruptDataException e) {
      return SlotRecount.of(batch, queue, key);
    }
  }

  /** A SLOT row is missed, or was set aside: it is put anew. */
  public static void restore(OpenBatch batch, QueueState queue, byte[] slotKey) {
    SlotTable slots = batch.state().slots();
    SlotEntry known = slots.find(slotKey);
    if (SlotLogKeys.isOne(slotKey)) {
      restoreLog(batch, queue);
    } else if (known == null) {
      SlotRecount.of(batch, queue, slotKey);
    } else {
      putAnew(batch, queue, known);
    }
  }

  /** A row of the log is missed, or was set aside. */
  private static void restoreLog(OpenBatch batch, QueueState queue) {
    SlotTable slots = batch.state().slots();
    if (slots.log(queue.number()) == null) {
      SlotRecount.all(batch, queue);
      return;
    }
    for (SlotEntry slot : slots.ofQueue(queue.number())) {
      if (slot.isLogged()) {
        putAnew(batch, queue, slot);
      }
    }
  }

  private static void putAnew(OpenBatch batch, QueueState queue, SlotEntry known) {
    known.forgetStored();
    SlotCounts.set(batch, queue, known, known.holders(), known.blocked());
  }

  /**
   * A job that was ready or leased is lost.
   *
   * @param value its record as it was at the key; if that can be read, it tells the job's key
   */
  public static void lost(OpenBatch batch, QueueState queue, byte[] key, byte[] value) {
    byte[] concurrencyKey;
    try {
      concurrencyKey = JobRecord.decode(key, value).concurrencyKey();
    } catch (CorruptDataException e) {
      recount(batch, queue);
      return;
    }
    giveUp(batch, queue, concurrencyKey);
  }

  /**
   * A job that was ready or leased is gone with its record, and nobody knows which key it had:
   * those of the queue are counted anew, if it has any.
   */
  public static void recount(OpenBatch batch, QueueState queue) {
    SlotRecount.ofAll(batch, queue);
  }
}
