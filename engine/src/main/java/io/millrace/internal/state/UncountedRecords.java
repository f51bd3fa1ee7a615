package io.millrace.internal.state;

import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SlotKeys;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * Damaged records of jobs that may hold slots and are in no count of a concurrency key: the last
 * recount has passed over them. When one of them is set aside, nothing has to be counted anew.
 */
public final class UncountedRecords {

  /** More are not remembered: each of them costs a recount when it is set aside. */
  private static final int KEPT_COUNT_MAX = 65_536;

  private final TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);

  /** A recount passed over the record at the key. */
  public void add(byte[] key) {
    if (keys.size() < KEPT_COUNT_MAX) {
      keys.add(key);
    }
  }

  /** The record at the key is set aside. Answers whether it was in no count. */
  public boolean remove(byte[] key) {
    return keys.remove(key);
  }

  /** The records of the queue were read again. */
  public void clear(int queue) {
    for (Keyspace keyspace : SlotKeys.OF_HOLDERS) {
      keys.subSet(keyspace.queueStart(queue), keyspace.queueEnd(queue)).clear();
    }
  }

  /** The records of all queues were read again, or the store is to be asked again. */
  public void clear() {
    keys.clear();
  }
}
