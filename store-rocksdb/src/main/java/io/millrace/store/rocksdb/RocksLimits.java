package io.millrace.store.rocksdb;

import io.millrace.spi.StoreInfo;

/** What fits into a batch, and how much of disk and memory a store takes to do its work. */
final class RocksLimits {

  static final int KEY_BYTES_MAX = 511;
  static final int VALUE_BYTES_MAX = 32 << 20;
  static final long BATCH_BYTES_MAX = 64L << 20;
  static final int BATCH_OPERATIONS_MAX = 131_072;

  /** As many views may be open at a time. */
  static final int VIEW_COUNT_MAX = 512;

  /**
   * How much is gathered in memory before it is sorted into a table. The log is up to twice as
   * long, and read twice when a killed store opens, which must not take a second.
   */
  private static final long MEMTABLE_BYTES_MOST = 16L << 20;

  private static final long MEMTABLE_BYTES_LEAST = 64L << 10;
  private static final int MEMTABLE_FRACTION_OF_STORE = 16;
  private static final int MEMTABLE_FRACTION_OF_DISK = 64;

  private static final int COMPACTION_MEMTABLES = 8;

  private static final long RESERVE_BYTES_LEAST = 4L << 20;
  private static final long RESERVE_BYTES_MOST = 256L << 20;
  private static final int RESERVE_FRACTION = 8;

  private RocksLimits() {}

  /** Small stores and small disks get by with little, so that their bookkeeping fits too. */
  static long memtableBytes(long storeBytesMax, long diskBytes) {
    long fraction =
        Math.min(storeBytesMax / MEMTABLE_FRACTION_OF_STORE, diskBytes / MEMTABLE_FRACTION_OF_DISK);
    return Math.max(MEMTABLE_BYTES_LEAST, Math.min(MEMTABLE_BYTES_MOST, fraction));
  }

  /** How much one compaction writes at the most. */
  static long compactionBytesMax(long memtableBytes) {
    return COMPACTION_MEMTABLES * memtableBytes;
  }

  /**
   * What compactions take for a while: there are two at a time, and what each replaces goes only
   * after it has ended.
   */
  static long compactionRoomBytes(long memtableBytes) {
    return Settings.BACKGROUND_THREADS * compactionBytesMax(memtableBytes);
  }

  /** What is put by for a full disk: to open the database, with full logs, and to go on a bit. */
  static long ballastBytes(long memtableBytes) {
    return (Settings.MEMTABLE_COUNT_MAX + 2) * memtableBytes;
  }

  /** How far beyond its limit a store may go with batches that free something. */
  static long reserveBytes(long storeBytesMax) {
    return Math.max(
        RESERVE_BYTES_LEAST, Math.min(RESERVE_BYTES_MOST, storeBytesMax / RESERVE_FRACTION));
  }

  static StoreInfo info(String storeId) {
    return new StoreInfo(
        RocksStoreFactory.SCHEME,
        storeId,
        KEY_BYTES_MAX,
        VALUE_BYTES_MAX,
        BATCH_BYTES_MAX,
        BATCH_OPERATIONS_MAX,
        StoreInfo.Durability.POWER_LOSS,
        StoreInfo.Syncing.SEPARATE);
  }
}
