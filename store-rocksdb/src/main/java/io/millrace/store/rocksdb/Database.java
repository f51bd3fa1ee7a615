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

  /** Number of this layout, which the header of the store's folder tells. */
  static final int FORMAT = 1;

  /** Nothing is put into the memtable when only tables are looked at. */
  private static final long TABLES_MEMTABLE_BYTES = 1L << 20;

  /** More heap than an opening takes. */
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
   * database before it takes the heap for what stands for it: without that the database is lost,
   * and its folder locked as long as the process lives.
   */
  private static void requireHeap() {
    byte[] heap = new byte[OPENING_HEAP_BYTES];
    heap[heap.length - 1] = 1;
  }

  /**
   * Closes a database, trying for ten seconds at least: RocksDB takes heap first, and one that is
   * not closed keeps its folder locked.
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

  /** Up to which of RocksDB's own numbers its operations reach. */
  long end() {
    return database.getLatestSequenceNumber();
  }

  /**
   * Up to which of RocksDB's own numbers the tables reach, whatever is in the logs.
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

  /** How often something failed on RocksDB's own threads, be it that it got over it. */
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
   * What the view sees as the newest commit; {@link Watermark#NONE} if there never was one.
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

  /** What the newest batch left. */
  Watermark held() {
    try (ReadOptions newest = new ReadOptions()) {
      return held(newest);
    }
  }

  /**
   * Writes a batch that {@link BatchBytes} made; it survives the process, not power loss. False if
   * it would have to wait for RocksDB's own work; then nothing happened.
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

  private void write(byte[] batch, WriteOptions options) throws RocksDBException {
    try (org.rocksdb.WriteBatch whole = new org.rocksdb.WriteBatch(batch)) {
      database.write(options, whole);
    }
  }

  /** Whether no batch is taken until RocksDB has caught up. */
  boolean isStopped() throws RocksDBException {
    return database.getLongProperty(IS_STOPPED) > 0;
  }

  /** Whether RocksDB is at work on what stopped writers wait for. */
  boolean isCatchingUp() throws RocksDBException {
    boolean needsFlush =
        database.getLongProperty(WAITING_MEMTABLES) >= RocksLimits.MEMTABLE_COUNT_MAX;
    return database.getLongProperty(RUNNING_FLUSHES) > 0
        || (!needsFlush && database.getLongProperty(RUNNING_COMPACTIONS) > 0);
  }

  /** To how many bytes a second writers are slowed, so that RocksDB can catch up; 0 if not. */
  long bytesPerSecondMax() throws RocksDBException {
    return database.getLongProperty(SLOWED_TO);
  }

  /** Replaces the commit record; durable on return. */
  void commitHeld(Watermark held) throws RocksDBException {
    write(BatchBytes.of(new WriteBatch(held.commit()), held.epoch()), settings.synced);
  }

  void sync() throws RocksDBException {
    database.syncWal();
  }

  /** What the rows take on disk and in memory, with those deleted or replaced but still there. */
  long usedBytes() throws RocksDBException {
    return tableBytes() + unflushedBytes();
  }

  long tableBytes() throws RocksDBException {
    return database.getLongProperty(TABLE_BYTES);
  }

  /**
   * What is in the tables as they were flushed and in the level below: one compaction may read all
   * of it, whatever is set, and be it more than is usual because compactions have fallen behind.
   */
  long newestTableBytes() throws RocksDBException {
    Map<String, String> levels = database.getMapProperty(LEVELS);
    return levelBytes(levels, "0") + levelBytes(levels, database.getProperty(BASE_LEVEL));
  }

  private static long levelBytes(Map<String, String> levels, String level) {
    return (long)
        Double.parseDouble(levels.getOrDefault("compaction.L" + level + ".SizeBytes", "0"));
  }

  /** What is in memory and in the log only. */
  long unflushedBytes() throws RocksDBException {
    return database.getLongProperty(MEMTABLE_BYTES);
  }

  /** Whether tables are being written, by us or by RocksDB itself. */
  boolean isCompacting() throws RocksDBException {
    return database.getLongProperty(RUNNING_COMPACTIONS) + database.getLongProperty(RUNNING_FLUSHES)
        > 0;
  }

  long rowCountEstimate() throws RocksDBException {
    return database.getLongProperty(ROW_COUNT);
  }

  /** Gets rid of all that was deleted or replaced; takes as long as rewriting the whole store. */
  void compact() throws RocksDBException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      database.flush(flush);
    }
    database.compactRange(null, null, null, compaction);
    // Replaced files go only after a compaction has said that it is over: this waits for that.
    database.pauseBackgroundWork();
    database.continueBackgroundWork();
  }

  /** Ends a compaction of ours under way, and all later ones until they are allowed again. */
  void cancelCompaction() {
    compaction.setCanceled(true);
  }

  void allowCompaction() {
    compaction.setCanceled(false);
  }

  /** Ends whatever RocksDB does by itself, for good; also what waits for room on the disk. */
  void cancelAllWork() {
    cancelCompaction();
    database.cancelAllBackgroundWork(false);
  }

  /** Writes a copy of the newest commit, or of a later one, into a folder that is not there yet. */
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
