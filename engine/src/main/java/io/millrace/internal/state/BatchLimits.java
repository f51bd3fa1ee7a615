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
        Math.min(
            operationCountMax / 4 / Cost.LEASE_ROW.operations(),
            bytesMax / 4 / Cost.LEASE_ROW.bytes());
    return (int) Math.max(1, Math.min(ROWLESS_COUNT_MAX, fitting));
  }
}
