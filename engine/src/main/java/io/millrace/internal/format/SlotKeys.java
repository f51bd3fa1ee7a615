package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys of the rows that count, for each concurrency key in use, its jobs. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.SLOT
 *         1  4 bytes  queue number, big-endian; 0 for a key of the engine
 *         5  1 byte   n, length of the concurrency key
 *         6  n bytes  concurrency key
 * </pre>
 *
 * <p>No concurrency key in use is empty. What comes before all others of a queue is kept for rows
 * in which older versions logged the counts of many keys. As long as there is one of them, no row
 * of a key of its queue holds.
 *
 * <pre>
 *  offset 5  1 byte   0
 *         6  8 bytes  number of the row
 * </pre>
 */
public final class SlotKeys {

  /**
   * The number in place of a queue's for keys that belong to the engine. No queue has this number.
   */
  public static final int ENGINE = 0;

  private static final int PART = KeyLayout.AFTER_QUEUE;
  private static final int LOG_LENGTH = PART + 1 + Long.BYTES;

  private SlotKeys() {}

  public static byte[] key(int queue, byte[] concurrencyKey) {
    return KeyLayout.partKey(Keyspace.SLOT, queue, "concurrency key", concurrencyKey, PART + 1);
  }

  /**
   * The keyspaces where the record of a job may say that the job keeps its slot: while it waits for
   * a time or a signal.
   */
  public static final List<Keyspace> OF_KEEPERS = StateTraits.keyspaces(StateTraits::mayKeepSlot);

  /** The keyspaces of jobs that may hold slots of their queue's concurrency keys. */
  public static final List<Keyspace> OF_HOLDERS =
      StateTraits.keyspaces(state -> state.slot() == StateTraits.Slot.HELD || state.mayKeepSlot());

  /** Returns the key of a concurrency key that belongs to the whole engine. */
  public static byte[] keyOfEngine(byte[] concurrencyKey) {
    return key(ENGINE, concurrencyKey);
  }

  /**
   * Returns the key of the job's concurrency key, be it of its queue or of the engine; null if the
   * job has none.
   */
  public static byte @Nullable [] ofJob(int queue, JobRecord job) {
    byte[] concurrencyKey = job.concurrencyKey();
    return concurrencyKey == null
        ? null
        : key(job.engineMost() > 0 ? ENGINE : queue, concurrencyKey);
  }

  /**
   * Returns the key of the row in which the job, whose record is at the given key, counts as a
   * holder or as blocked. Null if it does neither, or if only its record could tell and is null.
   */
  public static byte @Nullable [] ofCounted(byte[] key, @Nullable JobRecord job) {
    StateTraits state = StateTraits.at(key);
    if (state.slot() == StateTraits.Slot.AWAITED) {
      return ofBlocked(key);
    }
    return job != null && job.isSlotHolder(state) ? ofJob(Keyspace.queue(key), job) : null;
  }

  /** Returns the key of the concurrency key of the job whose record is at the key in BLOCKED. */
  public static byte[] ofBlocked(byte[] blockedKey) {
    int queue = BlockedKeys.isOfEngine(blockedKey) ? ENGINE : BlockedKeys.queue(blockedKey);
    return key(queue, BlockedKeys.concurrencyKey(blockedKey));
  }

  /** Tells whether the key in SLOT is of a concurrency key of the engine, or of a turn for one. */
  public static boolean isOfEngine(byte[] key) {
    return key.length > PART && KeyLayout.queue(key) == ENGINE;
  }

  /** Tells whether the key, which is in SLOT, is of a row of a log. */
  public static boolean isOfLog(byte[] key) {
    return key.length == LOG_LENGTH && key[PART] == 0;
  }

  /**
   * Checks the row of a log, but for what it logs, and returns its key.
   *
   * @throws CorruptDataException the row is damaged
   */
  public static byte[] checkLog(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.SLOT, key, value, unread -> key);
  }

  /** Returns the exclusive end of the range that is kept for the queue's log. */
  public static byte[] logEnd(int queue) {
    byte[] end = KeyLayout.queueKey(Keyspace.SLOT, queue, PART + 1);
    end[PART] = 1;
    return end;
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static byte[] concurrencyKey(byte[] key) {
    return KeyLayout.part(check(key), PART);
  }

  /**
   * Returns the key without the number of its queue, so that a queue which was deleted and made
   * anew has the same. Never equal to that of a key of the engine.
   */
  public static byte[] withoutQueue(byte[] key) {
    return Arrays.copyOfRange(key, isOfEngine(key) ? PART - 1 : PART, key.length);
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.checkPart(key, Keyspace.SLOT, PART, 0);
  }
}
