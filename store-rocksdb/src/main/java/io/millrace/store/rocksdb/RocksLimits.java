package io.millrace.store.rocksdb;

import io.millrace.spi.StoreInfo;
import java.nio.file.Path;

/**
 * What a store says of itself, what fits into a batch, and how much of disk and memory a store
 * takes to do its work.
 */
final class RocksLimits {

  /** The kind of store. */
  static final String NAME = "rocksdb";

  static final int KEY_BYTES_MAX = 511;
  static final int VALUE_BYTES_MAX = 32 << 20;
  static final long BATCH_BYTES_MAX = 64L << 20;
  static final int BATCH_OPERATIONS_MAX = 131_072;

  /** As many views may be open at a time. */
  static final int VIEW_COUNT_MAX = 512;

  static final int MEMTABLE_COUNT_MAX = 2;

  /**
   * How much is gathered in memory before it is sorted into a table. The log is up to twice as
   * long, and read twice when a killed store opens, which must not take a second.
   */
  private static final long MEMTABLE_BYTES_MOST = 16L << 20;

  private static final long MEMTABLE_BYTES_LEAST = 64L << 10;
  private static final int MEMTABLE_FRACTION_OF_STORE = 16;
  private static final int MEMTABLE_FRACTION_OF_DISK = 64;

  private static final int COMPACTION_MEMTABLES = 3;

  /** A level is at most ten times as large as the one above, and so is what a compaction adds. */
  private static final int COMPACTION_LEVELS_FACTOR = 1 + 10;

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

  /** How much of a level one compaction takes at the most, and how much a table may overlap. */
  static long compactionBytesMax(long memtableBytes) {
    return COMPACTION_MEMTABLES * memtableBytes;
  }

  /**
   * What a compaction takes for a while, for what it replaces goes only after it has ended: as much
   * as it reads, of a level and of the one below. That of the newest tables may take more.
   */
  static long compactionRoomBytes(long memtableBytes) {
    return COMPACTION_LEVELS_FACTOR * compactionBytesMax(memtableBytes);
  }

  /**
   * What is put by for a full disk: to open the database, with the logs of all memtables and of the
   * one that has just begun, whose room RocksDB takes at once, and to go on a bit.
   */
  static long ballastBytes(long memtableBytes) {
    return (MEMTABLE_COUNT_MAX + 4) * memtableBytes;
  }

  /** How far beyond its limit a store may go with batches that free something. */
  static long reserveBytes(long storeBytesMax) {
    return Math.max(
        RESERVE_BYTES_LEAST, Math.min(RESERVE_BYTES_MOST, storeBytesMax / RESERVE_FRACTION));
  }

  static StoreInfo info(String storeId, Path folder) {
    return StoreInfo.of(NAME, storeId)
        .keyBytesMax(KEY_BYTES_MAX)
        .valueBytesMax(VALUE_BYTES_MAX)
        .batchBytesMax(BATCH_BYTES_MAX)
        .batchOperationsMax(BATCH_OPERATIONS_MAX)
        .viewCountMax(VIEW_COUNT_MAX)
        .durability(StoreInfo.Durability.POWER_LOSS)
        .syncing(StoreInfo.Syncing.SEPARATE)
        .folder(folder);
  }
}
