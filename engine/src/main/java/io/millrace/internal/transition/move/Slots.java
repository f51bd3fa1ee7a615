package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.TurnRecord;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.state.SlotRef;
import io.millrace.internal.state.SlotTable;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.HalfDoneException;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.spi.StoreException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Slots of concurrency keys: how many jobs of each key are ready or leased, and how many blocked.
 *
 * <p><b>The rule.</b> A job that has a key holds a slot of it from when it is ready until it is
 * neither ready nor leased; where the order of keys is strict, until it ends, and its record says
 * so while it waits. It may become ready if fewer than {@code perKey} jobs hold a slot and none of
 * the key is blocked; else it is blocked. So a change that gives a slot up while others are blocked
 * only notes that, and {@link HandOn} lets the next go on within the same batch.
 *
 * <p><b>Two kinds of keys.</b> A key belongs to the job's queue, or to the whole engine: then its
 * row is that of no queue, in place of {@code perKey} each job brings its own number, and {@link
 * Turns} tell which job of all queues is next.
 *
 * <p><b>Before the rows.</b> Each count changes before the job's row does: a SLOT row that cannot
 * be read, or does not agree, is counted anew from the jobs' rows as they are at that moment.
 */
public final class Slots {

  private Slots() {}

  /** Wants the row at the key if it is not in memory; does nothing for null. */
  public static void declare(WorkingSet state, RowReads reads, @Nullable SlotRef ref) {
    if (ref != null && state.slots().find(ref) == null && mayHaveRow(state, ref)) {
      reads.wantByKey(ref.key());
    }
  }

  /** Tells whether the key may have a row, as far as is known of its queue. */
  private static boolean mayHaveRow(WorkingSet state, SlotRef ref) {
    QueueState queue = state.queue(ref.queue());
    return queue == null || queue.mayHaveSlots();
  }

  /**
   * Reads the row at the key, if it is not null, so that changes after this cannot fail.
   *
   * @param queue the queue of the job that has the concurrency key
   * @throws StoreException the read failed; nothing was changed
   */
  public static void know(OpenBatch batch, QueueState queue, @Nullable SlotRef ref) {
    if (ref != null) {
      read(batch, queue, ref);
    }
  }

  /**
   * Reads the rows of the keys of all these jobs of a queue, together, so that changes after this
   * cannot fail.
   */
  public static void know(OpenBatch batch, QueueState queue, List<JobRecord> jobs) {
    for (JobRecord job : jobs) {
      declare(batch.state(), batch.reads(), ofJob(queue, job));
    }
    batch.reads().fetch();
    for (JobRecord job : jobs) {
      know(batch, queue, ofJob(queue, job));
    }
  }

  /**
   * Tells whether the job must be blocked instead of becoming ready; never true without a
   * concurrency key.
   */
  public static boolean mustWait(OpenBatch batch, QueueState queue, JobRecord job) {
    SlotRef ref = ofJob(queue, job);
    return ref != null && mustWait(batch, queue, ref, job.engineMost());
  }

  /**
   * Tells whether a job to come must be blocked instead of becoming ready.
   *
   * @param engineMost the number of holders of a key of the engine from which on the job is
   *     blocked; 0 if the queue's setting says that
   */
  public static boolean mustWait(OpenBatch batch, QueueState queue, SlotRef ref, int engineMost) {
    SlotEntry slot = slot(batch, queue, ref);
    int most = engineMost > 0 ? engineMost : queue.settings().perKey();
    return slot.blocked() > 0 || slot.holders() >= most;
  }

  /** Takes a slot for a job that is about to be ready, or to wait with a slot. */
  static void take(OpenBatch batch, QueueState queue, JobRecord job) {
    SlotRef ref = ofJob(queue, job);
    if (ref != null) {
      SlotEntry slot = slot(batch, queue, ref);
      SlotCounts.set(batch, queue, slot, slot.holders() + 1, slot.blocked());
    }
  }

  /** Gives up the slot of a job that is about to hold it no longer; does nothing for null. */
  static void giveUp(OpenBatch batch, QueueState queue, @Nullable SlotRef ref) {
    if (ref != null) {
      SlotEntry slot = slot(batch, queue, ref);
      if (slot.holders() == 0) {
        slot = recount(batch, queue, slot);
      }
      SlotCounts.set(batch, queue, slot, Math.max(0, slot.holders() - 1), slot.blocked());
    }
  }

  /** Counts a job that is about to be blocked, with its record at the key. */
  static void block(OpenBatch batch, QueueState queue, byte[] key, JobRecord job) {
    SlotEntry slot = slot(batch, queue, new SlotRef(SlotKeys.ofBlocked(key)));
    queue.noteBlocking();
    if (slot.isOfEngine()) {
      TurnRecord turn = new TurnRecord(queue.number(), job.engineMost());
      Turns.add(batch, slot, TurnKeys.ofBlocked(key), turn, true);
    } else {
      slot.block(key);
    }
    SlotCounts.set(batch, queue, slot, slot.holders(), slot.blocked() + 1);
  }

  /**
   * Stops counting as blocked a job that is about to be so no longer, with its record at the key.
   */
  static void unblock(OpenBatch batch, QueueState queue, byte[] key) {
    SlotEntry slot = slot(batch, queue, new SlotRef(SlotKeys.ofBlocked(key)));
    if (slot.blocked() == 0) {
      slot = recount(batch, queue, slot);
    }
    if (slot.isOfEngine()) {
      Turns.remove(batch, slot, TurnKeys.ofBlocked(key));
    } else {
      slot.unblock(key);
    }
    SlotCounts.set(batch, queue, slot, slot.holders(), Math.max(0, slot.blocked() - 1));
  }

  /** Returns the entry of a key of the engine, counted anew if its row is damaged. */
  public static SlotEntry ofEngine(OpenBatch batch, byte[] slotKey) {
    SlotEntry known = find(batch, new SlotRef(slotKey));
    return known == null ? SlotRecount.of(batch, null, slotKey) : known;
  }

  /** Ends a turn of a key of the engine whose job does not go on. */
  public static void passTurn(OpenBatch batch, SlotEntry slot, byte[] turn) {
    Turns.remove(batch, slot, turn);
    long blocked = Math.max(0, slot.blocked() - 1);
    SlotCounts.setOfEngine(batch, slot, slot.holders(), blocked);
  }

  /**
   * Gives up the slot of a key of the engine that a job in a line of a deleted queue may hold,
   * whose record is about to go. Returns false if the record is damaged: then nothing tells whether
   * the job held one, and all are to be counted when it is gone.
   */
  public static boolean isHolderDropped(OpenBatch batch, byte[] key, byte[] value) {
    byte[] slotKey;
    try {
      JobRecord job = JobRecord.decode(key, value);
      slotKey = job.engineMost() == 0 ? null : SlotKeys.ofJob(Keyspace.queue(key), job);
    } catch (CorruptDataException e) {
      return false;
    }
    if (slotKey != null) {
      SlotEntry slot = ofEngine(batch, slotKey);
      SlotEntry right = slot.holders() > 0 ? slot : SlotRecount.of(batch, null, slotKey);
      int holders = Math.max(0, right.holders() - 1);
      SlotCounts.setOfEngine(batch, right, holders, right.blocked());
    }
    return true;
  }

  /**
   * Ends the turn of a blocked job of a deleted queue whose concurrency key is one of the engine.
   */
  public static void droppedBlocked(OpenBatch batch, byte[] key) {
    byte[] turn = TurnKeys.ofBlocked(key);
    if (batch.get(turn) != null) {
      passTurn(batch, ofEngine(batch, TurnKeys.slotKey(turn)), turn);
    }
  }

  /** Returns the reference to the counts of the job's concurrency key; null if it has none. */
  public static @Nullable SlotRef ofJob(QueueState queue, JobRecord job) {
    return SlotRef.orNull(SlotKeys.ofJob(queue.number(), job));
  }

  /**
   * Returns the entry of the key after changes have begun.
   *
   * @throws HalfDoneException its row cannot be read
   */
  private static SlotEntry slot(OpenBatch batch, QueueState queue, SlotRef ref) {
    try {
      return read(batch, queue, ref);
    } catch (StoreException e) {
      throw new HalfDoneException(e);
    }
  }

  private static SlotEntry recount(OpenBatch batch, QueueState queue, SlotEntry slot) {
    try {
      return counted(batch, queue, slot.slotKey());
    } catch (StoreException e) {
      throw new HalfDoneException(e);
    }
  }

  static SlotEntry read(OpenBatch batch, QueueState queue, SlotRef ref) {
    SlotEntry known = find(batch, ref);
    return known == null ? counted(batch, queue, ref.key()) : known;
  }

  /** Returns the entry of the key from memory or the store; null if its row is damaged. */
  static @Nullable SlotEntry find(OpenBatch batch, SlotRef ref) {
    SlotTable slots = batch.state().slots();
    SlotEntry known = slots.find(ref);
    return known == null ? stored(batch, ref) : known;
  }

  private static @Nullable SlotEntry stored(OpenBatch batch, SlotRef ref) {
    SlotTable slots = batch.state().slots();
    byte[] slotKey = ref.key();
    if (slots.logsFrom() != null && !SlotKeys.isOfEngine(slotKey)) {
      // A log may hold in place of the row.
      return null;
    }
    byte[] value = mayHaveRow(batch.state(), ref) ? batch.get(slotKey) : null;
    try {
      SlotRecord stored = value == null ? SlotRecord.NOBODY : SlotRecord.decode(slotKey, value);
      SlotEntry added = slots.add(slotKey, stored);
      if (value != null && added.isEmpty()) {
        // The row is there, though it should not be.
        added.forgetStored();
      }
      return added;
    } catch (CorruptDataException e) {
      return null;
    }
  }

  private static SlotEntry counted(OpenBatch batch, QueueState queue, byte[] slotKey) {
    return SlotRecount.of(batch, queue, slotKey);
  }

  /** Puts a SLOT row anew that was found missing or was set aside. */
  public static void restore(OpenBatch batch, QueueState queue, byte[] slotKey) {
    SlotTable slots = batch.state().slots();
    SlotEntry known = slots.find(new SlotRef(slotKey));
    if (known == null) {
      SlotRecount.of(batch, queue, slotKey);
    } else {
      known.forgetStored();
      SlotCounts.set(batch, queue, known, known.holders(), known.blocked());
    }
  }

  /**
   * Gives up the slot of a job that is lost, and was ready or leased, or waited and may have kept
   * one.
   *
   * @param value its record as it was at the key; if that can be read, it tells the job's key
   */
  public static void lost(OpenBatch batch, QueueState queue, byte[] key, byte[] value) {
    JobRecord job;
    try {
      job = JobRecord.decode(key, value);
    } catch (CorruptDataException e) {
      lost(batch, queue, key);
      return;
    }
    giveUp(batch, queue, SlotRef.orNull(SlotKeys.ofCounted(key, job)));
  }

  /**
   * Counts the keys of the queue and of the engine anew, if there are any, for a lost job whose key
   * is unknown. One recount does for all records that are damaged when it is done.
   */
  private static void lost(OpenBatch batch, QueueState queue, byte[] key) {
    if (!batch.state().slots().uncounted().remove(key)) {
      SlotRecount.ofAll(batch, queue);
    }
    boolean mayBeOfEngine = Keyspace.ofKey(key) == Keyspace.READY;
    if (mayBeOfEngine && !batch.state().slots().uncountedOfEngine().remove(key)) {
      SlotRecount.ofEngine(batch);
    }
  }

  /**
   * Counts the keys of the queues and of the engine anew, if there are any, because jobs of the
   * queues that were ready or leased are gone with their records, and their keys are unknown.
   */
  public static void recount(OpenBatch batch, Set<QueueState> queues) {
    queues.forEach(queue -> SlotRecount.ofAll(batch, queue));
    if (!queues.isEmpty()) {
      SlotRecount.ofEngine(batch);
    }
  }
}
