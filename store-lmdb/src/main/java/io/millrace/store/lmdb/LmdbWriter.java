package io.millrace.store.lmdb;

import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Dbi;
import org.lmdbjava.LmdbException;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Stat;
import org.lmdbjava.Txn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of batches to the database, which knows which of them are durable.
 *
 * <p><b>Durability.</b> A commit writes its pages, flushes the file, and then writes the meta page
 * that makes them count. The flush covers the meta page of the commit before. So after batch n all
 * before it is durable, and {@link #sync} makes n durable.
 *
 * <p><b>Failure.</b> A write that fails before the commit's flush leaves nothing behind. A failed
 * flush leaves unknown what is durable, for the system forgets what it could not write and says so
 * once; but LMDB would go on. So this writer stops itself: from then on every write and sync
 * throws. A disk that just got full and a disk that broke look alike (the input/output error of a
 * short write). They are told apart by the free space, or that there was none for the batch before,
 * and by a flush through a descriptor of our own, which fails if any write-back failed.
 *
 * <p>For the writer's thread, inside the gate; the numbers may be read by all.
 */
final class LmdbWriter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LmdbWriter.class);
  private static final long WATERMARK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long READER_CHECK_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);
  private static final int TREE_DEPTH_LEAST = 3;

  /**
   * The divisor for the share of a page that is filled at least, as a rule: a full page is split in
   * two.
   */
  private static final int PAGE_ROOM_FRACTION = 2;

  /** An empty array of flags, given to each put: else each would make one. */
  private static final PutFlags[] NO_FLAGS = {};

  private final Database database;
  private final DataFile file;
  private final StoreFolder folder;
  private final long epoch;
  private final StoreInfo info;
  private final long rowPagesMax;
  private final NativeBytes key = NativeBytes.allocate(LmdbLimits.KEY_BYTES_MAX);
  private volatile long lastCommit;
  private volatile long syncedCommit;
  private volatile @Nullable StoreFailedException poison;

  /** The number of pages of rows in the newest commit. */
  private volatile long rowPages;

  /** Supplier of the number of the newest batch that is durable in a log before the database. */
  private @Nullable LongSupplier logged;

  /** True if the disk had no room for the last batch. */
  private boolean wasDiskFull;

  private volatile long usedBytes;
  private int depth = TREE_DEPTH_LEAST;
  private long watermarkAtNs;
  private long readerCheckAtNs;

  /** Creates a writer that goes on from {@code durable}, which is on stable storage. */
  LmdbWriter(
      Database database, DataFile file, StoreFolder folder, Watermark durable, long storeBytesMax) {
    this.database = database;
    this.file = file;
    this.folder = folder;
    this.epoch = durable.epoch();
    this.info = LmdbLimits.info(folder.storeId(), folder.path());
    this.rowPagesMax = LmdbLimits.rowPagesMax(storeBytesMax, database.pageBytes());
    this.lastCommit = durable.commit();
    this.syncedCommit = durable.commit();
    this.usedBytes = database.usedBytes();
    this.rowPages = database.rowPages();
    this.watermarkAtNs = System.nanoTime();
    this.readerCheckAtNs = watermarkAtNs;
  }

  /** Writes the watermark from now on, also of what is durable elsewhere and comes here later. */
  void follow(LongSupplier loggedNumber) {
    logged = loggedNumber;
  }

  long lastCommit() {
    return lastCommit;
  }

  long syncedCommit() {
    return syncedCommit;
  }

  /** Returns about how much more ordinary batches may bring, keys and values together. */
  long roomBytes() {
    return Math.max(0, rowPagesMax - rowPages) * database.pageBytes() / PAGE_ROOM_FRACTION;
  }

  /** Returns how many bytes of the data file hold nothing that the newest transaction sees. */
  long unusedBytes() {
    return Math.max(0, usedBytes - rowPages * database.pageBytes());
  }

  void write(WriteBatch batch) {
    checkUsable();
    batch.requireAcceptable(lastCommit, info);
    keepOwned();
    keepFileAhead(batch);
    try {
      commit(batch);
    } catch (StoreFullException e) {
      if (batch.reserve() == Reserve.KEEP || !ripenFreedPages()) {
        throw e;
      }
      commit(batch);
    }
    syncedCommit = batch.previous();
    lastCommit = batch.number();
    wasDiskFull = false;
    keepHouse();
  }

  void sync() {
    checkUsable();
    if (syncedCommit == lastCommit) {
      return;
    }
    keepOwned();
    try {
      database.sync();
    } catch (RuntimeException e) {
      throw poisoned("sync", e);
    }
    syncedCommit = lastCommit;
    keepHouse();
  }

  void settle() {
    checkUsable();
    keepOwned();
    keepHouse();
  }

  /**
   * Makes everything durable and writes the watermark. Does nothing if the writer failed before,
   * and writes no watermark if the files may be another owner's by now.
   */
  void finish() {
    if (poison == null) {
      sync();
      checkOwned();
      rememberDurable();
      usedBytes = database.usedBytes();
    }
  }

  /**
   * Cuts the file to the length that is in use, unless the writer failed. The database must be
   * closed.
   */
  @Override
  public void close() throws IOException {
    key.free();
    try (file) {
      if (poison == null) {
        file.trim(usedBytes);
      }
    }
  }

  private void checkUsable() {
    StoreFailedException cause = poison;
    if (cause != null) {
      throw new StoreFailedException(
          "store refuses writes since one failed, close it and open it again: folder="
              + folder.path(),
          cause);
    }
  }

  private void keepFileAhead(WriteBatch batch) {
    try {
      file.reserve(
          usedBytes + LmdbLimits.growthBytesMax(batch, depth, usedBytes, database.pageBytes()));
    } catch (IOException e) {
      throw new StoreFullException(
          "data file cannot be extended: folder=" + folder.path() + ", reason=" + e, e);
    }
  }

  private void commit(WriteBatch batch) {
    try (Txn<NativeBytes> txn = database.beginWrite()) {
      checkNotFenced(txn);
      apply(txn, batch);
      database.putHeld(txn, key, epoch, batch.number());
      Stat stat = database.rows().stat(txn);
      depth = Math.max(TREE_DEPTH_LEAST, stat.depth);
      long pages = Database.pages(stat);
      if (batch.reserve() == Reserve.KEEP) {
        checkRoom(pages);
      }
      txn.commit();
      rowPages = pages;
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      throw failed(e);
    }
    usedBytes = database.usedBytes();
    assert usedBytes <= file.length() : "growth was underestimated: " + usedBytes;
  }

  /**
   * Makes sure that no other process has written since the newest commit of our own: LMDB itself
   * would let two processes take turns. A commit of our own is never taken for another's, for a
   * commit with an unknown outcome has stopped this writer.
   */
  private void checkNotFenced(Txn<NativeBytes> txn) {
    Watermark held = database.held(txn);
    if (held.epoch() != epoch || held.commit() != lastCommit) {
      StoreFencedException fenced =
          new StoreFencedException(
              "another owner writes to the store: folder="
                  + folder.path()
                  + ", epoch="
                  + held.epoch()
                  + ", commit="
                  + held.commit()
                  + ", own epoch="
                  + epoch
                  + ", own commit="
                  + lastCommit);
      poison = StoreFailedException.unknown("write", folder.path(), fenced);
      throw fenced;
    }
  }

  private void apply(Txn<NativeBytes> txn, WriteBatch batch) {
    Dbi<NativeBytes> rows = database.rows();
    for (int i = 0, count = batch.size(); i < count; i++) {
      byte[] value = batch.value(i);
      key.set(batch.key(i));
      if (value == null) {
        rows.delete(txn, key);
      } else {
        rows.reserve(txn, key, value.length, NO_FLAGS).set(value);
      }
    }
  }

  /**
   * Refuses a batch after which the rows would take more than they may. Counts pages of rows, not
   * the file's length: pages that were freed and wait to be used again do not count, so that
   * freeing rows always makes room.
   */
  private void checkRoom(long pages) {
    if (pages > rowPagesMax) {
      throw new StoreFullException(
          "store is full: folder=" + folder.path() + ", pages=" + pages + ", limit=" + rowPagesMax);
    }
  }

  /**
   * Translates an exception from a write transaction, which is rolled back by now. Stops the writer
   * if it is unknown what is durable.
   */
  private StoreException failed(RuntimeException thrown) {
    if (LmdbErrors.isMapFull(thrown)) {
      return LmdbErrors.full(folder.path(), thrown);
    }
    if (isDiskFull(thrown) && file.flush() == null && database.isWritable()) {
      syncedCommit = lastCommit;
      wasDiskFull = true;
      return LmdbErrors.full(folder.path(), thrown);
    }
    if (LmdbErrors.isCorrupt(thrown)) {
      return LmdbErrors.translate("batch cannot be applied", folder.path(), thrown);
    }
    return poisoned("write", thrown);
  }

  /** Tells whether there was no room, be there some by now: it may be made at any moment. */
  private boolean isDiskFull(RuntimeException thrown) {
    try {
      return LmdbErrors.isNoSpace(thrown)
          || (LmdbErrors.mayBeNoSpace(thrown)
              && (wasDiskFull || file.freeDiskBytes() < LmdbErrors.DISK_FULL_BYTES));
    } catch (IOException e) {
      thrown.addSuppressed(e);
      return false;
    }
  }

  private StoreFailedException poisoned(String action, RuntimeException thrown) {
    StoreFailedException failure = StoreFailedException.unknown(action, folder.path(), thrown);
    poison = failure;
    return failure;
  }

  /**
   * Commits nothing twice: pages that a commit frees may be used by the second one after it.
   * Returns false if that fails too.
   */
  private boolean ripenFreedPages() {
    try {
      commitNothing();
      commitNothing();
      return true;
    } catch (LmdbException e) {
      failed(e);
      checkUsable();
      return false;
    }
  }

  private void commitNothing() {
    try (Txn<NativeBytes> txn = database.beginWrite()) {
      checkNotFenced(txn);
      database.putHeld(txn, key, epoch, lastCommit);
      txn.commit();
    }
    usedBytes = database.usedBytes();
  }

  /**
   * Looks whether the folder is still ours, so that no write is told if another owner came
   * meanwhile. From time to time writes the watermark and frees the slots of dead readers.
   */
  private void keepHouse() {
    try {
      folder.keepOwned();
    } catch (StoreException e) {
      throw poisoned("look at the lock", e);
    }
    long now = System.nanoTime();
    if (now - watermarkAtNs >= WATERMARK_INTERVAL_NS) {
      watermarkAtNs = now;
      rememberDurable();
    }
    if (now - readerCheckAtNs >= READER_CHECK_INTERVAL_NS) {
      readerCheckAtNs = now;
      database.freeDeadReaders();
    }
  }

  /** Looks whether the folder is ours before something is written, unless that was just done. */
  private void keepOwned() {
    try {
      folder.keepOwned();
    } catch (StoreFencedException e) {
      poison = StoreFailedException.unknown("look at the lock", folder.path(), e);
      throw e;
    } catch (StoreException e) {
      throw poisoned("look at the lock", e);
    }
  }

  private void checkOwned() {
    try {
      folder.checkOwned();
    } catch (StoreException e) {
      throw poisoned("look at the lock", e);
    }
  }

  private void rememberDurable() {
    LongSupplier elsewhere = logged;
    if (elsewhere == null) {
      // What is durable is known to the opening alone as long as that is under way.
      return;
    }
    try {
      folder.advance(new Watermark(epoch, Math.max(syncedCommit, elsewhere.getAsLong())));
    } catch (StoreException e) {
      if (!isDiskFull(e)) {
        throw poisoned("watermark", e);
      }
      // Some file systems need room to overwrite. The watermark only lags, and nothing relies on
      // its being new.
      LOG.warn("watermark is not written, the disk is full: folder={}", folder.path(), e);
    }
  }
}
