package io.millrace.internal.copy;

import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;

/**
 * Holders of concurrency keys, counted anew. A slot that turns out free goes to the next job that
 * is blocked, for nobody else would ever hand it on.
 */
final class SlotRepair {

  private final Repair repair;

  SlotRepair(Repair repair) {
    this.repair = repair;
  }

  /** A job of the new store: if it is ready or leased and has a key, it is a holder. */
  void count(byte[] key, JobRecord job) {
    byte[] concurrencyKey = job.concurrencyKey();
    if (concurrencyKey != null && Keyspace.ofKey(key) == Keyspace.READY) {
      addHolder(SlotKeys.key(Keyspace.queue(key), concurrencyKey));
    }
  }

  /** Fills what is free, when all holders are counted. */
  void handOn() {
    repair.eachOfTarget(Keyspace.BLOCKED, this::handOnTo);
  }

  private void handOnTo(byte[] key, byte[] value) {
    int queue = BlockedKeys.queue(key);
    byte[] slotKey = SlotKeys.key(queue, BlockedKeys.concurrencyKey(key));
    if (holders(slotKey) >= repair.queues().settings(queue).concurrencyMax()) {
      return;
    }
    JobRecord ready = JobRecord.decode(key, value).toBuilder().readyAtMs(repair.nowMs()).build();
    byte[] readyKey = ReadyKeys.key(queue, ready.priority(), repair.takeSequence());
    repair.jobs().replace(queue, key, readyKey, ready.encode(readyKey), ready);
    addHolder(slotKey);
    repair.log().rebuilt(key, "job was blocked though a slot was free; it is ready now");
  }

  private int holders(byte[] slotKey) {
    byte[] value = repair.target().get(slotKey);
    return value == null ? 0 : SlotRecord.decode(slotKey, value).holders();
  }

  private void addHolder(byte[] slotKey) {
    repair.target().put(slotKey, new SlotRecord(holders(slotKey) + 1).encode(slotKey));
  }
}
