package io.millrace.store.rocksdb;

import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches and knows what of them is durable.
 *
 * <p><b>Durability.</b> A batch is one record of the log, handed to the system before the write
 * returns: it survives the process. {@link #sync} flushes the log, and those before it that are not
 * yet flushed. What is lost with the power is the end of the log, never its middle.
 *
 * <p><b>Failure.</b> A batch that the disk had no room for is torn in the log: it is not seen, and
 * a recovery stops before it, so nothing of it happened. Any other failure of a write or a flush
 * leaves unknown what will be found after the next opening; RocksDB may get over it, but what we
 * said of the batches in between could be wrong. So this stops itself: from then on every write and
 * sync throws. The same goes for what failed on RocksDB's own threads.
 *
 * <p>For the writer's thread, inside the session; the numbers may be read by all.
 */
final class RocksWriter {

  private static final Logger LOG = LoggerFactory.getLogger(RocksWriter.class);
  private static final long WATERMARK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

  /** For so long RocksDB may refuse batches before it is helped. */
  private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(1);

  private final Database database;
  private final StoreFolder folder;
  private final Room room;
  private final Stalls stalls;
  private final long epoch;
  private final StoreInfo info;
  private volatile long lastCommit;
  private volatile long syncedCommit;
  private volatile @Nullable StoreFailedException poison;
  private long watermarkAtNs;
  private boolean isRefused;
  private long refusedSinceNs;
  private long refusedAtNs;

  /** A writer that goes on from {@code durable}, which is on stable storage. */
  RocksWriter(Database database, StoreFolder folder, Room room, Watermark durable) {
    this.database = database;
    this.folder = folder;
    this.room = room;
    this.stalls = new Stalls(database);
    this.epoch = durable.epoch();
    this.info = RocksLimits.info(folder.storeId());
    this.lastCommit = durable.commit();
    this.syncedCommit = durable.commit();
    this.watermarkAtNs = System.nanoTime();
  }

  long lastCommit() {
    return lastCommit;
  }

  long syncedCommit() {
    return syncedCommit;
  }

  void write(WriteBatch batch) {
    checkUsable();
    batch.requireAcceptable(lastCommit, info);
    try {
      room.require(batch);
      if (!stalls.write(BatchBytes.of(batch, epoch), isRefused)) {
        refused(batch);
        throw RocksErrors.stalled(folder.path());
      }
    } catch (RocksDBException e) {
      throw failed(batch, e);
    } catch (IOException e) {
      throw new StoreException(
          "free space cannot be asked for: folder=" + folder.path() + ", reason=" + e, e);
    }
    isRefused = false;
    lastCommit = batch.number();
    keepHouse();
  }

  /**
   * Whether RocksDB goes on refusing batches for want of room though there is room again, so that
   * it should be opened anew.
   */
  boolean isStuck() {
    return isRefused
        && refusedAtNs - refusedSinceNs >= STUCK_NS
        && poison == null
        && database.backgroundError() == null
        && hasRoomToOpen();
  }

  /** Whether the disk has room to open the database, which writes tables of what is in the logs. */
  boolean hasRoomToOpen() {
    return room.isEnoughToOpen();
  }

  void sync() {
    checkUsable();
    if (syncedCommit == lastCommit) {
      return;
    }
    try {
      database.sync();
    } catch (RocksDBException e) {
      throw poisoned("sync", e);
    }
    syncedCommit = lastCommit;
    keepHouse();
  }

  void settle() {
    checkUsable();
    keepHouse();
  }

  /** Makes everything durable and remembers it; nothing if a flush failed before. */
  void finish() {
    if (poison == null) {
      sync();
      rememberDurable();
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
    String background = database.backgroundError();
    if (background != null) {
      throw poisoned("background work", new StoreException(background));
    }
  }

  private StoreException failed(WriteBatch batch, RocksDBException thrown) {
    if (!RocksErrors.isNoSpace(thrown)) {
      return poisoned("write", thrown);
    }
    refused(batch);
    return RocksErrors.full(folder.path(), thrown);
  }

  private void refused(WriteBatch batch) {
    refusedAtNs = System.nanoTime();
    if (!isRefused) {
      isRefused = true;
      refusedSinceNs = refusedAtNs;
    }
    if (batch.reserve() == Reserve.USE) {
      room.makeRoom();
    }
  }

  /** Writes nothing from now on. */
  StoreFailedException poisoned(String action, Throwable thrown) {
    StoreFailedException failure = RocksErrors.failed(action, folder.path(), thrown);
    poison = failure;
    return failure;
  }

  private void keepHouse() {
    long now = System.nanoTime();
    if (now - watermarkAtNs >= WATERMARK_INTERVAL_NS) {
      watermarkAtNs = now;
      checkOwned();
      rememberDurable();
    }
  }

  /**
   * Looks whether the folder is still ours.
   *
   * @throws StoreFailedException it is not
   */
  void checkOwned() {
    try {
      folder.checkOwned();
    } catch (StoreException e) {
      throw poisoned("look at the lock", e);
    }
  }

  private void rememberDurable() {
    try {
      folder.advance(new Watermark(epoch, syncedCommit));
    } catch (StoreException e) {
      if (!room.isDiskFull()) {
        throw poisoned("watermark", e);
      }
      // Some file systems need room to overwrite. The watermark only lags, and nothing relies on
      // its being new.
      LOG.warn("watermark is not written, the disk is full: folder={}", folder.path(), e);
    }
  }
}
