package io.millrace.jmh.load;

import io.millrace.spi.WriteBatch;
import org.jspecify.annotations.Nullable;

/**
 * Counts of what was written to a store: batches, syncs, and rows by the first byte of their keys,
 * which is their keyspace; and the time that it took. For one thread; {@link #copy} hands it on.
 */
public final class Footprint {

  static final int KEYSPACE_COUNT = 32;

  private long batchCount;
  private long syncCount;
  private long writeNs;
  private long syncNs;
  private final long[] putCounts = new long[KEYSPACE_COUNT];
  private final long[] deleteCounts = new long[KEYSPACE_COUNT];
  private final long[] keyBytes = new long[KEYSPACE_COUNT];
  private final long[] valueBytes = new long[KEYSPACE_COUNT];

  void add(WriteBatch batch, long tookNs) {
    batchCount++;
    writeNs += tookNs;
    for (int i = 0; i < batch.size(); i++) {
      byte[] key = batch.key(i);
      int keyspace = key[0] & (KEYSPACE_COUNT - 1);
      byte @Nullable [] value = batch.value(i);
      if (value == null) {
        deleteCounts[keyspace]++;
      } else {
        putCounts[keyspace]++;
        keyBytes[keyspace] += key.length;
        valueBytes[keyspace] += value.length;
      }
    }
  }

  void addSync(long tookNs) {
    syncCount++;
    syncNs += tookNs;
  }

  Footprint copy() {
    return new Footprint().plus(this, 1);
  }

  /** Returns the footprint of what was written after the earlier one. */
  public Footprint since(Footprint earlier) {
    return copy().plus(earlier, -1);
  }

  private Footprint plus(Footprint other, int sign) {
    batchCount += sign * other.batchCount;
    syncCount += sign * other.syncCount;
    writeNs += sign * other.writeNs;
    syncNs += sign * other.syncNs;
    for (int i = 0; i < KEYSPACE_COUNT; i++) {
      putCounts[i] += sign * other.putCounts[i];
      deleteCounts[i] += sign * other.deleteCounts[i];
      keyBytes[i] += sign * other.keyBytes[i];
      valueBytes[i] += sign * other.valueBytes[i];
    }
    return this;
  }

  public long batchCount() {
    return batchCount;
  }

  long syncCount() {
    return syncCount;
  }

  /** Returns the time that the writes took, all together, in ns. */
  long writeNs() {
    return writeNs;
  }

  /** Returns the time that the syncs took, all together, in ns. */
  long syncNs() {
    return syncNs;
  }

  /** Returns the rows put per batch, on average. */
  double puts(int keyspace) {
    return (double) putCounts[keyspace] / Math.max(1, batchCount);
  }

  /** Returns the rows deleted per batch, on average. */
  double deletes(int keyspace) {
    return (double) deleteCounts[keyspace] / Math.max(1, batchCount);
  }

  /** Returns the average length of the keys put. */
  int keyBytes(int keyspace) {
    return (int) (keyBytes[keyspace] / Math.max(1, putCounts[keyspace]));
  }

  /** Returns the average length of the values put. */
  int valueBytes(int keyspace) {
    return (int) (valueBytes[keyspace] / Math.max(1, putCounts[keyspace]));
  }
}
