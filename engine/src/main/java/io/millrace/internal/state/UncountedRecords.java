package io.millrace.internal.state;

import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SlotKeys;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * Damaged records of jobs that may hold slots and are in no count of a concurrency key, since the
 * last recount has passed over them. When one of them is set aside, nothing has to be counted anew.
 */
public final class UncountedRecords {

  /**
   * The most records that are remembered; each record beyond that costs a recount when it is set
   * aside.
   */
  private static final int KEPT_COUNT_MAX = 65_536;

  private final TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);

  /** Adds a record that a recount passed over, by its key. */
  public void add(byte[] key) {
    if (keys.size() < KEPT_COUNT_MAX) {
      keys.add(key);
    }
  }

  /** Removes the record at the key, which is set aside, and returns whether it was in no count. */
  public boolean remove(byte[] key) {
    return keys.remove(key);
  }

  /** Forgets the records of the queue, which were read again. */
  public void clear(int queue) {
    for (Keyspace keyspace : SlotKeys.OF_HOLDERS) {
      keys.subSet(keyspace.queueStart(queue), keyspace.queueEnd(queue)).clear();
    }
  }

  /**
   * Forgets all records: those of all queues were read again, or the store is to be asked again.
   */
  public void clear() {
    keys.clear();
  }
}
