package io.millrace.store.rocksdb;

import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.Watermark;
import io.millrace.store.rocksdb.Settings.Logs;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteOptions;

/**
 * The open RocksDB database: all rows in one column family, and the commit record under the empty
 * key, which is no row's.
 *
 * <p>Thread-safe but for {@link #close}, which must find nobody inside.
 */
final class Database implements AutoCloseable {

  /** The size of a memtable while only tables are looked at, which puts nothing into it. */
  private static final long TABLES_MEMTABLE_BYTES = 1L << 20;

  /** An amount of heap that is more than an opening takes. */
  private static final int OPENING_HEAP_BYTES = 1 << 20;

  private static final int CLOSE_COUNT_MAX = 10_000;

  private static final String TABLE_BYTES = "rocksdb.total-sst-files-size";
  private static final String MEMTABLE_BYTES = "rocksdb.cur-size-all-mem-tables";
  private static final String RUNNING_COMPACTIONS = "rocksdb.num-running-compactions";
  private static final String RUNNING_FLUSHES = "rocksdb.num-running-flushes";
  private static final String IS_STOPPED = "rocksdb.is-write-stopped";
  private static final String WAITING_MEMTABLES = "rocksdb.num-immutable-mem-table";
  private static final String SLOWED_TO = "rocksdb.actual-delayed-write-rate";
  private static final String ROW_COUNT = "rocksdb.estimate-num-keys";
  private static final String FAILURE_COUNT = "rocksdb.background-errors";
  private static final String BASE_LEVEL = "rocksdb.base-level";
  private static final String LEVELS = "rocksdb.cfstats";

  private final Path folder;
  private final DatabaseLog log;
  private final Settings settings;
  private final RocksDB database;
  private final CompactRangeOptions compaction = new CompactRangeOptions();

  private Database(Path folder, DatabaseLog log, Settings settings, RocksDB database) {
    this.folder = folder;
    this.log = log;
    this.settings = settings;
    this.database = database;
    // While a full store is compacted, batches that free something go on.
    compaction.setExclusiveManualCompaction(false);
  }

  /**
   * Opens the database in the folder, creating it for {@link Access#READ_WRITE}; for {@link
   * Access#READ_ONLY} no file is touched.
   */
  static Database open(Path folder, long memtableBytes, Access access, Logs logs) {
    DatabaseLog log = new DatabaseLog();
    Settings settings = new Settings(access, logs, memtableBytes, log);
    RocksDB database = null;
    try {
      String path = folder.toString();
      requireHeap();
      database =
          access == Access.READ_ONLY
              ? RocksDB.openReadOnly(settings.options, path)
              : RocksDB.open(settings.options, path);
      return new Database(folder, log, settings, database);
    } catch (RocksDBException e) {
      close(settings, log);
      throw RocksErrors.translate("store cannot be opened", folder, e);
    } catch (RuntimeException | Error e) {
      if (database != null) {
        close(database);
      }
      close(settings, log);
      throw e;
    }
  }

  /**
   * Throws {@link OutOfMemoryError} if there is less heap than an opening takes. RocksDB opens a
   * database before it takes the heap for the Java object that stands for it. If there is none, the
   * database is lost, and its folder stays locked as long as the process lives.
   */
  private static void requireHeap() {
    byte[] heap = new byte[OPENING_HEAP_BYTES];
    heap[heap.length - 1] = 1;
  }

  /**
   * Closes a database, trying for ten seconds at least while there is no heap: closing takes heap
   * first, and a database that is not closed keeps its folder locked.
   */
  private static void close(RocksDB database) {
    for (int i = 1; ; i++) {
      try {
        database.close();
        return;
      } catch (OutOfMemoryError e) {
        if (i == CLOSE_COUNT_MAX) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /** Returns the newest of RocksDB's own operation numbers. */
  long end() {
    return database.getLatestSequenceNumber();
  }

  /**
   * Returns the newest of RocksDB's own operation numbers in the tables, whatever is in the logs.
   *
   * @param noLogs a folder without any log
   */
  static long tablesEnd(Path folder, Path noLogs) {
    DatabaseLog log = new DatabaseLog();
    try (log;
        Settings settings = new Settings(Access.READ_ONLY, Logs.ANY, TABLES_MEMTABLE_BYTES, log)) {
      settings.options.setWalDir(noLogs.toString());
      try (RocksDB tables = RocksDB.openReadOnly(settings.options, folder.toString())) {
        return tables.getLatestSequenceNumber();
      }
    } catch (RocksDBException e) {
      throw RocksErrors.translate("store cannot be opened", folder, e);
    }
  }

  private static void close(Settings settings, DatabaseLog log) {
    settings.close();
    log.close();
  }

  Path folder() {
    return folder;
  }

  /** Returns the count of failures on RocksDB's own threads, including those that it got over. */
  long failureCount() throws RocksDBException {
    return database.getLongProperty(FAILURE_COUNT);
  }

  Snapshot snapshot() {
    return database.getSnapshot();
  }

  void release(Snapshot snapshot) {
    database.releaseSnapshot(snapshot);
  }

  byte @Nullable [] get(ReadOptions view, byte[] key) throws RocksDBException {
    return database.get(view, key);
  }

  @SuppressWarnings("NullAway") // Null for a key without a row, which RocksDB has no type for.
  List<byte @Nullable []> getAll(ReadOptions view, List<byte[]> keys) throws RocksDBException {
    return database.multiGetAsList(view, keys);
  }

  RocksIterator iterator(ReadOptions view) {
    return database.newIterator(view);
  }

  /**
   * Returns the newest commit that the view sees; {@link Watermark#NONE} if there never was one.
   *
   * @throws StoreCorruptException the commit record cannot be read
   */
  Watermark held(ReadOptions view) {
    byte[] record;
    try {
      record = database.get(view, BatchBytes.COMMIT_KEY);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("commit record cannot be read", folder, e);
    }
    if (record == null) {
      return Watermark.NONE;
    }
    if (record.length != BatchBytes.COMMIT_RECORD_BYTES) {
      throw new StoreCorruptException(
          "commit record is damaged: folder=" + folder + ", length=" + record.length);
    }
    ByteBuffer fields = ByteBuffer.wrap(record);
    return new Watermark(fields.getLong(), fields.getLong());
  }

  /** Returns the newest commit, as {@link #held(ReadOptions)} does. */
  Watermark held() {
    try (ReadOptions newest = new ReadOptions()) {
      return held(newest);
    }
  }

  /**
   * Writes a batch that {@link BatchBytes} made, unless it would have to wait for RocksDB's own
   * work. A batch that is written survives the process, but not power loss.
   *
   * @return false if the batch would have to wait; nothing happened
   */
  boolean tryWrite(byte[] batch) throws RocksDBException {
    try {
      write(batch, settings.unsynced);
      return true;
    } catch (RocksDBException e) {
      if (RocksErrors.isStall(e)) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Writes a batch that {@link BatchBytes} made, waiting for RocksDB's own work; not durable yet.
   */
  void write(byte[] batch) throws RocksDBException {
    write(batch, settings.waiting);
  }

  private void write(byte[] batch, WriteOptions options) throws RocksDBException {
    try (org.rocksdb.WriteBatch whole = new org.rocksdb.WriteBatch(batch)) {
      database.write(options, whole);
    }
  }

  /** Tells whether RocksDB takes no batch until its own work has caught up. */
  boolean isStopped() throws RocksDBException {
    return database.getLongProperty(IS_STOPPED) > 0;
  }

  /** Tells whether RocksDB is doing the work that stopped writers wait for. */
  boolean isCatchingUp() throws RocksDBException {
    boolean needsFlush =
        database.getLongProperty(WAITING_MEMTABLES) >= RocksLimits.MEMTABLE_COUNT_MAX;
    return database.getLongProperty(RUNNING_FLUSHES) > 0
        || (!needsFlush && database.getLongProperty(RUNNING_COMPACTIONS) > 0);
  }

  /**
   * Returns the rate to which writers are slowed so that RocksDB can catch up, in bytes per second;
   * 0 if they are not slowed.
   */
  long bytesPerSecondMax() throws RocksDBException {
    return database.getLongProperty(SLOWED_TO);
  }

  /** Replaces the commit record; durable on return. */
  void commitHeld(Watermark held) throws RocksDBException {
    write(BatchBytes.of(new WriteBatch(held.commit()), held.epoch()), settings.synced);
  }

  /** Lets RocksDB compact on its own from now on: a database is opened without. */
  void beginCompactions() throws RocksDBException {
    database.enableAutoCompaction(List.of(database.getDefaultColumnFamily()));
  }

  void sync() throws RocksDBException {
    database.syncWal();
  }

  /**
   * Returns the bytes that rows take on disk and in memory, with those deleted or replaced but not
   * yet compacted away.
   */
  long usedBytes() throws RocksDBException {
    return tableBytes() + unflushedBytes();
  }

  long tableBytes() throws RocksDBException {
    return database.getLongProperty(TABLE_BYTES);
  }

  /**
   * Returns the bytes of the tables as they were flushed and of the level below them. One
   * compaction may read all of these, whatever limit is set, and they are more than usual when
   * compactions have fallen behind.
   */
  long newestTableBytes() throws RocksDBException {
    Map<String, String> levels = database.getMapProperty(LEVELS);
    return levelBytes(levels, "0") + levelBytes(levels, database.getProperty(BASE_LEVEL));
  }

  private static long levelBytes(Map<String, String> levels, String level) {
    return (long)
        Double.parseDouble(levels.getOrDefault("compaction.L" + level + ".SizeBytes", "0"));
  }

  /** Returns the bytes of the memtables, whose rows are in memory and in the log only. */
  long unflushedBytes() throws RocksDBException {
    return database.getLongProperty(MEMTABLE_BYTES);
  }

  /** Tells whether tables are being written, by a compaction of ours or by RocksDB itself. */
  boolean isCompacting() throws RocksDBException {
    return database.getLongProperty(RUNNING_COMPACTIONS) + database.getLongProperty(RUNNING_FLUSHES)
        > 0;
  }

  long rowCountEstimate() throws RocksDBException {
    return database.getLongProperty(ROW_COUNT);
  }

  /**
   * Compacts all rows, which removes those deleted or replaced; takes as long as rewriting the
   * whole store.
   */
  void compact() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      database.flush(flush);
    }
    database.compactRange(null, null, null, compaction);
    // Replaced files go only after a compaction has said that it is over: this waits for that.
    database.pauseBackgroundWork();
    database.continueBackgroundWork();
  }

  /** Ends a compaction of ours under way, and any later one until {@link #allowCompaction}. */
  void cancelCompaction() {
    compaction.setCanceled(true);
  }

  void allowCompaction() {
    compaction.setCanceled(false);
  }

  /**
   * Ends all that RocksDB does by itself, for good, including work that waits for room on the disk.
   */
  void cancelAllWork() {
    cancelCompaction();
    database.cancelAllBackgroundWork(false);
  }

  /**
   * Writes a copy of the newest commit, or of a later one, into a folder that does not exist yet.
   */
  void copyTo(Path target) throws RocksDBException {
    try (Checkpoint checkpoint = Checkpoint.create(database)) {
      checkpoint.createCheckpoint(target.toString());
    }
  }

  @Override
  public void close() {
    close(database);
    compaction.close();
    close(settings, log);
  }
}
