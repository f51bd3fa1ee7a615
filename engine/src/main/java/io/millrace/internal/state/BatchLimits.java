package io.millrace.internal.state;

import io.millrace.spi.StoreInfo;

/**
 * What one batch may hold.
 *
 * @param operationCountMax store operations
 * @param bytesMax bytes of keys and values
 */
public record BatchLimits(int operationCountMax, long bytesMax) {

  /** How many rows of leases may wait, where batches are large. */
  private static final int ROWLESS_COUNT_MAX = 8_192;

  /**
   * A row that waits takes five operations at most, with its job's time to live, the counts of its
   * queue and its agenda.
   */
  private static final int OPERATIONS_PER_ROWLESS = 5;

  private static final int BYTES_PER_ROWLESS = 1_024;

  /** What the store takes. */
  public static BatchLimits of(StoreInfo info) {
    return new BatchLimits(info.batchOperationsMax(), info.batchBytesMax());
  }

  /** Half of that. */
  public BatchLimits half() {
    return new BatchLimits(operationCountMax / 2, bytesMax / 2);
  }

  /** How many rows of leases may wait, about: they take a quarter of a batch. */
  int rowlessCountMax() {
    long fitting =
        Math.min(operationCountMax / 4 / OPERATIONS_PER_ROWLESS, bytesMax / 4 / BYTES_PER_ROWLESS);
    return (int) Math.max(1, Math.min(ROWLESS_COUNT_MAX, fitting));
  }
}
