package io.millrace.store.rocksdb;

import io.millrace.spi.StoreOptions.Access;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.LoggerInterface;
import org.rocksdb.Options;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/**
 * The settings with which we run RocksDB. What is not set here is RocksDB's default, and what is
 * set to a default is what the store stands on.
 *
 * <p>Closed after the database that was opened with it.
 */
final class Settings implements AutoCloseable {

  static final int BACKGROUND_THREADS = 2;
  private static final int OPEN_FILES_MAX = 512;
  private static final long BLOCK_CACHE_BYTES = 32L << 20;
  private static final double BLOOM_BITS_PER_KEY = 10;

  /**
   * The bytes of a table that are written back to the disk at a time, so that no sync waits behind
   * megabytes.
   */
  private static final long WRITE_BACK_BYTES = 1L << 20;

  private static final long MANIFEST_BYTES_MAX = 4L << 20;

  /** The options of rows that the Java binding has no setter for. */
  private static final Properties ROWS = new Properties();

  static {
    // A scan that meets as many deleted rows in memory has them sorted out into a table: else each
    // claim at the head of a queue would wade through what was served before.
    ROWS.setProperty("memtable_op_scan_flush_trigger", "1000");
    // Rows of a kind, told by their first byte, come in key order: in memory the place of the next
    // is looked for beside the last one's.
    ROWS.setProperty("memtable_insert_with_hint_prefix_extractor", "fixed:1");
  }

  /**
   * The option by which each log says which one it follows and where that ended, so that a recovery
   * stops at a log that is missing instead of going on behind the gap.
   */
  private static final String CHAINED_LOGS = "track_and_verify_wals";

  final Options options;

  /** The options of batches that fail where they would have to wait for RocksDB's own work. */
  final WriteOptions unsynced =
      new WriteOptions().setSync(false).setDisableWAL(false).setNoSlowdown(true);

  /** The options of batches that wait for RocksDB's own work. */
  final WriteOptions waiting = new WriteOptions().setSync(false).setDisableWAL(false);

  final WriteOptions synced = new WriteOptions().setSync(true).setDisableWAL(false);
  private final LRUCache cache = new LRUCache(BLOCK_CACHE_BYTES);
  private final BloomFilter bloom = new BloomFilter(BLOOM_BITS_PER_KEY);

  /** The logs that a recovery reads. */
  enum Logs {
    /** An unbroken chain of logs, of which there must be one at least. */
    CHAINED,
    /** The logs that there are, chained or not. */
    ANY
  }

  Settings(Access access, Logs logs, long memtableBytes, LoggerInterface logger) {
    try (DBOptions db = database(logs);
        ColumnFamilyOptions rows = rows(access)) {
      options = new Options(db, rows);
    }
    options
        .setCreateIfMissing(true)
        .setParanoidChecks(true)
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        .setManualWalFlush(false)
        .setMaxTotalWalSize(RocksLimits.MEMTABLE_COUNT_MAX * memtableBytes)
        // One thread writes: what makes several writers faster costs it.
        .setEnablePipelinedWrite(false)
        .setUnorderedWrite(false)
        .setAllowConcurrentMemtableWrite(false)
        .setMaxBackgroundJobs(BACKGROUND_THREADS)
        .setMaxOpenFiles(OPEN_FILES_MAX)
        .setMaxManifestFileSize(MANIFEST_BYTES_MAX)
        .setBytesPerSync(WRITE_BACK_BYTES)
        .setAvoidUnnecessaryBlockingIO(true)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0)
        .setLogger(logger);
    options
        .setWriteBufferSize(memtableBytes)
        .setMaxWriteBufferNumber(RocksLimits.MEMTABLE_COUNT_MAX)
        .setTargetFileSizeBase(memtableBytes)
        // On a full disk they would take the room that the opening needs.
        .setDisableAutoCompactions(true)
        .setMaxCompactionBytes(RocksLimits.compactionBytesMax(memtableBytes))
        .setMaxBytesForLevelBase(4 * memtableBytes)
        .setLevelCompactionDynamicLevelBytes(true)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(bloom));
  }

  private static DBOptions database(Logs logs) {
    Properties properties = new Properties();
    properties.setProperty(CHAINED_LOGS, Boolean.toString(logs == Logs.CHAINED));
    return DBOptions.getDBOptionsFromProps(properties);
  }

  private static ColumnFamilyOptions rows(Access access) {
    // Opened for reading only, nothing is sorted into a table, and RocksDB would warn of that.
    return access == Access.READ_ONLY
        ? new ColumnFamilyOptions()
        : ColumnFamilyOptions.getColumnFamilyOptionsFromProps(ROWS);
  }

  @Override
  public void close() {
    unsynced.close();
    waiting.close();
    synced.close();
    options.close();
    bloom.close();
    cache.close();
  }
}
