package io.millrace.store.rocksdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.CallGate;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in a RocksDB database, which lies in a folder of its own inside the store's.
 *
 * <p>Every call that reaches native code passes the {@link CallGate}: native memory is freed only
 * when nobody is inside. If somebody stays inside at close, the database is leaked, and its folder
 * stays locked until the process ends.
 */
final class RocksStore implements OrderedStore {

  static final int FORMAT = 1;
  static final String DATA_FOLDER = "data";

  private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);
  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

  private final CallGate gate = new CallGate();
  private final AtomicReference<@Nullable Thread> writerThread = new AtomicReference<>();
  private final StoreFolder folder;
  private final Database database;
  private final Snapshots snapshots;
  private final @Nullable RocksWriter writer;
  private final Watermark opened;
  private final long memtableBytes;
  private final long closeTimeoutNs;
  private final StoreInfo info;

  private RocksStore(Opening opening, Database database, Watermark opened, long closeTimeoutNs)
      throws IOException {
    this.folder = opening.folder();
    this.database = database;
    this.snapshots = new Snapshots(database);
    this.opened = opened;
    this.memtableBytes = opening.memtableBytes();
    this.closeTimeoutNs = closeTimeoutNs;
    this.info = RocksLimits.info(folder.storeId());
    if (opening.isReadOnly()) {
      this.writer = null;
    } else {
      Room room = new Room(database, gate, opening.options(), folder.path(), memtableBytes);
      this.writer = new RocksWriter(database, folder, room, opened);
    }
  }

  static RocksStore open(StoreOptions options) {
    return open(options, CLOSE_TIMEOUT_NS);
  }

  /** Opens a store that at its close waits this long for calls under way. */
  static RocksStore open(StoreOptions options, long closeTimeoutNs) {
    NativeLibraries.load();
    StoreFolder folder = StoreFolder.open(options, RocksStoreFactory.SCHEME, FORMAT);
    try {
      Opening opening = Opening.of(folder, options);
      Database database = opening.openDatabase();
      try {
        return new RocksStore(opening, database, opening.raiseEpoch(database), closeTimeoutNs);
      } catch (IOException | RuntimeException | Error e) {
        database.close();
        throw e;
      }
    } catch (IOException e) {
      folder.close();
      throw new StoreException(
          "store cannot be opened: folder=" + folder.path() + ", reason=" + e, e);
    } catch (RuntimeException | Error e) {
      folder.close();
      throw e;
    }
  }

  @Override
  public StoreInfo info() {
    checkOpen();
    return info;
  }

  @Override
  public long epoch() {
    checkOpen();
    return opened.epoch();
  }

  @Override
  public long lastCommit() {
    checkOpen();
    return writer == null ? opened.commit() : writer.lastCommit();
  }

  @Override
  public long syncedCommit() {
    checkOpen();
    return writer == null ? opened.commit() : writer.syncedCommit();
  }

  @Override
  public ReadView read() {
    gate.enter();
    try {
      return new RocksView(database, gate, info, snapshots, snapshots.take());
    } finally {
      gate.exit();
    }
  }

  @Override
  public void write(WriteBatch batch) {
    gate.enter();
    try {
      writer().write(batch);
    } finally {
      gate.exit();
    }
  }

  @Override
  public void sync() {
    gate.enter();
    try {
      writer().sync();
    } finally {
      gate.exit();
    }
  }

  @Override
  public void settle() {
    gate.enter();
    try {
      writer().settle();
    } finally {
      gate.exit();
    }
  }

  @Override
  public void backupTo(Path target) {
    gate.enter();
    try {
      RocksBackup.write(database, memtableBytes, target);
    } finally {
      gate.exit();
    }
  }

  @Override
  public void close() {
    if (!gate.close()) {
      return;
    }
    if (writer != null) {
      writer.cancel();
    }
    if (!gate.awaitEmpty(closeTimeoutNs)) {
      LOG.error("store is left open, for calls to it do not end: folder={}", folder.path());
      throw new StoreFailedException(
          "store was not synced at close, for calls to it do not end; its folder stays locked until"
              + " the process ends: folder="
              + folder.path());
    }
    try {
      if (writer != null) {
        writer.finish();
      }
    } finally {
      free();
    }
  }

  private RocksWriter writer() {
    if (writer == null) {
      throw new IllegalStateException("store is open for reading only: folder=" + folder.path());
    }
    Thread caller = Thread.currentThread();
    Thread owner = writerThread.get();
    if (owner == null && writerThread.compareAndSet(null, caller)) {
      return writer;
    }
    owner = writerThread.get();
    if (owner != caller) {
      throw new IllegalStateException(
          "store is written by another thread: owner=" + owner + ", caller=" + caller);
    }
    return writer;
  }

  private void checkOpen() {
    if (gate.isClosed()) {
      gate.enter();
    }
  }

  /**
   * Frees from the inside out; whatever fails, the folder is unlocked only when RocksDB has it
   * closed.
   */
  private void free() {
    try (folder;
        database) {
      snapshots.releaseAll();
    }
  }
}
