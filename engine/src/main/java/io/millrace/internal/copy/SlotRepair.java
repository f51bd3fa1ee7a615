package io.millrace.internal.copy;

import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.Sequences;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.TurnRecord;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The repair of concurrency keys: their holders are counted anew, and turns are made for the keys
 * of the engine. A slot that turns out free goes to the next job that is blocked, for nothing else
 * would ever hand it on.
 */
final class SlotRepair {

  private final RepairStores stores;
  private final QueueRepair queues;
  private final PlacedJobs jobs;

  /** The next of the sequences that no store of this line ever gave. */
  private long nextSequence;

  SlotRepair(RepairStores stores, QueueRepair queues, PlacedJobs jobs) {
    this.stores = stores;
    this.queues = queues;
    this.jobs = jobs;
    // A store without epochs can be repaired, if only to be looked at.
    long epoch = Math.min(stores.target().store().epoch(), Sequences.EPOCH_MAX);
    this.nextSequence = Sequences.first(epoch) + 1;
  }

  /** Counts a job of the new store that holds a slot or is blocked. */
  void count(byte[] key, JobRecord job) {
    byte[] slotKey = SlotKeys.ofCounted(key, job);
    if (slotKey != null) {
      put(slotKey, slot(slotKey).plus(SlotRecord.ofOne(key)));
    }
    Row turn = OwnedRows.turn(key, job);
    if (turn != null) {
      stores.target().put(turn.key(), turn.value());
    }
  }

  /** Hands free slots on to blocked jobs, when all holders are counted. */
  void handOn() {
    stores.eachOfTarget(Keyspace.BLOCKED, this::handOnTo);
    EngineTurns turns = new EngineTurns();
    stores
        .target()
        .each(
            Keyspace.SLOT.queueStart(SlotKeys.ENGINE),
            Keyspace.SLOT.queueEnd(SlotKeys.ENGINE),
            turns::next);
  }

  /** A walk over the turns of one key of the engine after the other. */
  private final class EngineTurns {

    private byte @Nullable [] stopped;

    /**
     * Lets the job of a turn go on if its key has a slot for it. The first job that may not go on
     * keeps those behind it.
     */
    private void next(byte[] key, byte[] value) {
      if (!TurnKeys.isTurn(key) || Arrays.equals(TurnKeys.slotKey(key), stopped)) {
        return;
      }
      byte[] slotKey = TurnKeys.slotKey(key);
      TurnRecord turn = TurnRecord.decode(key, value);
      if (slot(slotKey).holders() >= turn.most()) {
        stopped = slotKey;
        return;
      }
      byte[] place = TurnKeys.blockedKey(key, turn.queue());
      byte[] record = Objects.requireNonNull(stores.target().get(place), "a job that was counted");
      stores.target().delete(key);
      goOn(place, record, slotKey);
    }
  }

  private void handOnTo(byte[] key, byte[] value) {
    if (BlockedKeys.isOfEngine(key)) {
      return;
    }
    byte[] slotKey = SlotKeys.ofBlocked(key);
    if (slot(slotKey).holders() < queues.perKey(BlockedKeys.queue(key))) {
      goOn(key, value, slotKey);
    }
  }

  private void goOn(byte[] key, byte[] value, byte[] slotKey) {
    int queue = BlockedKeys.queue(key);
    JobRecord ready = JobRecord.decode(key, value).toBuilder().readyAtMs(stores.nowMs()).build();
    byte[] readyKey = ReadyKeys.key(queue, ready.priority(), nextSequence++);
    jobs.replace(queue, key, readyKey, ready.encode(readyKey), ready);
    SlotRecord before = slot(slotKey);
    put(slotKey, new SlotRecord(before.holders() + 1, before.blocked() - 1));
    stores.log().rebuilt(key, "job was blocked though a slot was free; it is ready now");
  }

  /**
   * Returns the queues of which the old store has a log of an older version: the rows of their keys
   * did not hold, and need not agree with those that were written anew.
   */
  Set<Integer> logged() {
    Set<Integer> queues = new HashSet<>();
    stores.eachOfSource(
        Keyspace.SLOT,
        (key, value) -> {
          if (SlotKeys.isOfLog(key)) {
            queues.add(Keyspace.queue(key));
          }
        });
    return queues;
  }

  private SlotRecord slot(byte[] slotKey) {
    byte[] value = stores.target().get(slotKey);
    return value == null ? SlotRecord.NOBODY : SlotRecord.decode(slotKey, value);
  }

  private void put(byte[] slotKey, SlotRecord counts) {
    stores.target().put(slotKey, counts.encode(slotKey));
  }
}
