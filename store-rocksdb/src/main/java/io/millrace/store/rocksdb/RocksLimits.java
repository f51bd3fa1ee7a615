package io.millrace.store.rocksdb;

import io.millrace.memtable.MemtableOptions;
import io.millrace.spi.StoreInfo;
import java.nio.file.Path;

/**
 * The limits of a store that its users are told, and the sizes in memory and on disk that it works
 * with.
 */
final class RocksLimits {

  /** The name of this kind of store. */
  static final String NAME = "rocksdb";

  static final int KEY_BYTES_MAX = 511;
  static final int VALUE_BYTES_MAX = 32 << 20;
  static final long BATCH_BYTES_MAX = 64L << 20;
  static final int BATCH_OPERATIONS_MAX = 131_072;

  /** The most views that may be open at a time. */
  static final int VIEW_COUNT_MAX = 512;

  static final int MEMTABLE_COUNT_MAX = 2;

  /**
   * The most bytes that are gathered in memory before they are sorted into a table. The logs are up
   * to twice as long, and are read twice when the store of a killed process is opened, which must
   * take less than a second.
   */
  private static final long MEMTABLE_BYTES_MOST = 16L << 20;

  private static final long MEMTABLE_BYTES_LEAST = 64L << 10;
  private static final int MEMTABLE_FRACTION_OF_STORE = 16;
  private static final int MEMTABLE_FRACTION_OF_DISK = 64;

  private static final int COMPACTION_MEMTABLES = 3;

  /**
   * The bytes that a compaction may read for each that it takes of a level: that one, and ten of
   * the level below, which is at most ten times as large.
   */
  private static final int COMPACTION_LEVELS_FACTOR = 1 + 10;

  /**
   * The divisor of a store's limit, or of its reserve if that is less, that gives the most bytes
   * written to the store as one batch of layers.
   */
  private static final int LAYER_FRACTION = 8;

  /** The bytes that an operation takes beside its key and value. */
  static final int OPERATION_BYTES = 32;

  private static final long RESERVE_BYTES_LEAST = 4L << 20;
  private static final long RESERVE_BYTES_MOST = 256L << 20;
  private static final int RESERVE_FRACTION = 8;

  private RocksLimits() {}

  /**
   * Returns the size of a memtable, in bytes: small for small stores and small disks, so that their
   * bookkeeping fits too.
   */
  static long memtableBytes(long storeBytesMax, long diskBytes) {
    long fraction =
        Math.min(storeBytesMax / MEMTABLE_FRACTION_OF_STORE, diskBytes / MEMTABLE_FRACTION_OF_DISK);
    return Math.max(MEMTABLE_BYTES_LEAST, Math.min(MEMTABLE_BYTES_MOST, fraction));
  }

  /**
   * Returns the most bytes that one compaction takes of a level, and that a table may overlap in
   * the level below it.
   */
  static long compactionBytesMax(long memtableBytes) {
    return COMPACTION_MEMTABLES * memtableBytes;
  }

  /**
   * Returns the bytes of disk that a compaction takes until it ends, for what it replaces goes only
   * then: as many as it reads, of a level and of the one below. A compaction of the newest tables
   * may take more.
   */
  static long compactionRoomBytes(long memtableBytes) {
    return COMPACTION_LEVELS_FACTOR * compactionBytesMax(memtableBytes);
  }

  /**
   * Returns the bytes put by for a full disk. They are enough to open the database, with the logs
   * of all memtables and of the one that has just begun, for which RocksDB takes room at once, and
   * to go on for a bit.
   */
  static long ballastBytes(long memtableBytes) {
    return (MEMTABLE_COUNT_MAX + 4) * memtableBytes;
  }

  /**
   * Returns the bytes by which a store may go beyond its limit with batches that free something.
   */
  static long reserveBytes(long storeBytesMax) {
    return Math.max(
        RESERVE_BYTES_LEAST, Math.min(RESERVE_BYTES_MOST, storeBytesMax / RESERVE_FRACTION));
  }

  /**
   * Returns the options of rows in memory with their layers limited: each has room in the reserve
   * when it is written as one batch.
   */
  static MemtableOptions layers(MemtableOptions standard, long storeBytesMax) {
    long bytes = Math.min(storeBytesMax, reserveBytes(storeBytesMax)) / LAYER_FRACTION;
    return standard.layerAtMost(bytes, (int) (bytes / OPERATION_BYTES));
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
