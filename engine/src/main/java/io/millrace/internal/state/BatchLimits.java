package io.millrace.internal.state;

import io.millrace.spi.StoreInfo;

/**
 * The limits of what one batch may hold.
 *
 * @param operationCountMax the most store operations
 * @param bytesMax the most bytes of keys and values
 */
public record BatchLimits(int operationCountMax, long bytesMax) {

  /** The most lease rows that may wait for a batch, however large batches may be. */
  private static final int ROWLESS_COUNT_MAX = 8_192;

  /** Returns the limits of the store's batches. */
  public static BatchLimits of(StoreInfo info) {
    return new BatchLimits(info.batchOperationsMax(), info.batchBytesMax());
  }

  /** Returns half of these limits. */
  public BatchLimits half() {
    return new BatchLimits(operationCountMax / 2, bytesMax / 2);
  }

  /** Returns about how many lease rows may wait for a batch: as many as take a quarter of it. */
  int rowlessCountMax() {
    long fitting =
        Math.min(
            operationCountMax / 4 / Cost.LEASE_ROW.operations(),
            bytesMax / 4 / Cost.LEASE_ROW.bytes());
    return (int) Math.max(1, Math.min(ROWLESS_COUNT_MAX, fitting));
  }
}
