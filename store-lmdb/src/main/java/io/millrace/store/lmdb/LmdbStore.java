package io.millrace.store.lmdb;

import io.millrace.memtable.FolderOpening;
import io.millrace.memtable.Replayed;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.CallGate;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in an LMDB environment.
 *
 * <p>Every call that reaches native code passes the {@link CallGate}: native memory is unmapped
 * only when no call is inside. If a call stays inside at close, the last one out closes the
 * environment, and its folder stays locked until then: an environment must not be opened twice in a
 * process.
 */
final class LmdbStore implements FolderOpening.Base {

  private static final Logger LOG = LoggerFactory.getLogger(LmdbStore.class);
  static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

  private final CallGate gate = new CallGate();
  private final AtomicReference<@Nullable Thread> writerThread = new AtomicReference<>();
  private final StoreFolder folder;
  private final Database database;
  private final ReaderPool pool;
  private final @Nullable LmdbWriter writer;
  private final Watermark opened;
  private final long closeTimeoutNs;
  private final StoreInfo info;
  private final DiskRoom disk;

  /** Creates a store that owns its folder, database and writer, and closes them. */
  LmdbStore(
      StoreFolder folder,
      Database database,
      Watermark opened,
      @Nullable LmdbWriter writer,
      long closeTimeoutNs) {
    this.folder = folder;
    this.database = database;
    this.pool = new ReaderPool(database);
    this.opened = opened;
    this.writer = writer;
    this.closeTimeoutNs = closeTimeoutNs;
    this.info = LmdbLimits.info(folder.storeId(), folder.path());
    this.disk = new DiskRoom(folder.path());
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
  public long roomBytes() {
    return writer == null ? 0 : Math.min(writer.roomBytes(), disk.bytes(writer.unusedBytes()));
  }

  @Override
  public ReadView read() {
    return view();
  }

  private LmdbView view() {
    gate.enter();
    try {
      return new LmdbView(database, gate, pool, info);
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

  /**
   * {@inheritDoc}
   *
   * <p>Looks at the file and not through LMDB, so that no page can lead it astray; a view keeps the
   * pages from being overwritten meanwhile.
   */
  @Override
  public List<String> flaws() {
    Optional<List<String>> flaws = Optional.empty();
    while (flaws.isEmpty()) {
      try (LmdbView pinned = view()) {
        flaws = DataFile.flaws(folder.path(), pinned.transaction(), this::checkOpen);
      } catch (IOException e) {
        throw new StoreException(
            "data file cannot be read: folder=" + folder.path() + ", reason=" + e, e);
      }
    }
    checkOpen();
    return flaws.get();
  }

  @Override
  public void backupTo(Path target) {
    try (LmdbView view = view()) {
      copy(view, 0, target);
    }
  }

  @Override
  public void copy(ReadView all, Replayed above, Path target) {
    copy(all, above.bytes(), target);
  }

  private void copy(ReadView view, long bytesAbove, Path target) {
    requireSound();
    try {
      long epoch = opened.epoch() + COPY_EPOCH_STEP;
      // Twice: long values lie on pages of their own.
      long bytes = Files.size(folder.path().resolve(DataFile.FILE_NAME)) + 2 * bytesAbove;
      LmdbBackup.write(view, new Watermark(epoch, view.commit()), bytes, target);
    } catch (IOException e) {
      throw new StoreException(
          "data file cannot be read: folder=" + folder.path() + ", reason=" + e, e);
    }
  }

  @Override
  public void close() {
    if (!gate.close()) {
      return;
    }
    if (!gate.awaitEmpty(closeTimeoutNs)) {
      gate.leaveToLast(this::finishLate);
      throw new StoreFailedException(
          "store was not synced at close, for calls to it did not end in time; the last of them"
              + " syncs and closes it, and its folder stays locked until then: folder="
              + folder.path());
    }
    finish();
  }

  /**
   * Closes the store on the thread of the last call out, which has its own result to tell: so a
   * failure is logged.
   */
  private void finishLate() {
    try {
      finish();
      LOG.info("store was closed by the last call to leave it: folder={}", folder.path());
    } catch (RuntimeException e) {
      LOG.error("store failed when the last call left it: folder={}", folder.path(), e);
    }
  }

  private void finish() {
    try {
      if (writer != null) {
        writer.finish();
      }
    } finally {
      free();
    }
  }

  /**
   * Makes sure that no page is damaged: a copy of damaged pages would only be found out when it is
   * needed.
   */
  private void requireSound() {
    List<String> flaws = flaws();
    if (!flaws.isEmpty()) {
      throw new StoreCorruptException(flaws.get(0));
    }
  }

  private LmdbWriter writer() {
    if (writer == null) {
      throw new IllegalStateException("store is open for reading only: folder=" + folder.path());
    }
    Thread caller = Thread.currentThread();
    if (writerThread.get() != caller && !writerThread.compareAndSet(null, caller)) {
      throw new IllegalStateException(
          "store is written by another thread: owner=" + writerThread + ", caller=" + caller);
    }
    return writer;
  }

  private void checkOpen() {
    if (gate.isClosed()) {
      gate.enter();
    }
  }

  /**
   * Frees everything from the inside out. Whatever fails, the folder is unlocked only when LMDB has
   * closed.
   */
  private void free() {
    try (folder;
        writer;
        database) {
      pool.free();
    } catch (IOException e) {
      throw new StoreException("data file cannot be closed: folder=" + folder.path(), e);
    }
  }
}
