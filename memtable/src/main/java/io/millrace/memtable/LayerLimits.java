package io.millrace.memtable;

import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.store.memory.RowTree;

/** The most operations of a layer, and the most bytes of its keys and values together. */
record LayerLimits(int operationsMax, long bytesMax) {

  /** Returns the limits of what goes into the store as one batch. */
  static LayerLimits of(StoreInfo store) {
    return new LayerLimits(store.batchOperationsMax(), store.batchBytesMax());
  }

  /** Returns half of each limit, so that a second layer of that size fits beside the first. */
  LayerLimits half() {
    return new LayerLimits(Math.max(1, operationsMax / 2), Math.max(1, bytesMax / 2));
  }

  LayerLimits atMost(int operations, long bytes) {
    return new LayerLimits(Math.min(operationsMax, operations), Math.min(bytesMax, bytes));
  }

  /** Tells whether a batch fits beside the operations, even if they have no key in common. */
  boolean fit(RowTree operations, WriteBatch batch) {
    return fit(operations, batch.size(), batch.bytes());
  }

  /** Tells whether the operations are within the limits. */
  boolean fit(RowTree operations) {
    return fit(operations, 0, 0);
  }

  private boolean fit(RowTree operations, long count, long bytes) {
    return operations.rowCount() + count <= operationsMax && operations.bytes() + bytes <= bytesMax;
  }

  /** Returns how full a layer is: 0 is empty, 1 is full. */
  double fill(RowTree operations) {
    return Math.max(
        (double) operations.rowCount() / operationsMax, (double) operations.bytes() / bytesMax);
  }
}
