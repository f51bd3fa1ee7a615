package io.millrace.store.rocksdb;

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
 * sync throws.
 *
 * <p><b>What fails on RocksDB's own threads</b> ends writing inside it, and the next write is told
 * the cause. RocksDB would also tell a listener, but its Java side knows half of the reasons: a
 * flush that fails is not among them, and what becomes of it is a stack trace on standard error. So
 * there is no listener. Who does not write finds out by {@link #settle}, which writes when there
 * were failures.
 *
 * <p>For the writer's thread, inside the session; the numbers may be read by all.
 */
final class RocksWriter {

  private static final Logger LOG = LoggerFactory.getLogger(RocksWriter.class);
  private static final long WATERMARK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

  /** For so long batches may be refused before RocksDB is helped. */
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
  private long failureCount;

  /** By RocksDB, ended by any batch that it takes. */
  private final Refusals refused = new Refusals();

  /** By us after RocksDB had failed to make room, ended by an ordinary batch that is taken. */
  private final Refusals keptOut = new Refusals();

  /** Whether a freeing batch has waited for room, and none was taken since. */
  private boolean hasWaited;

  /** Whether a freeing batch was to have the database opened anew, and none was taken since. */
  private boolean wasHelped;

  /** A writer that goes on from {@code durable}, which is on stable storage. */
  RocksWriter(Database database, StoreFolder folder, Room room, Watermark durable) {
    this.database = database;
    this.folder = folder;
    this.room = room;
    this.stalls = new Stalls(database);
    this.epoch = durable.epoch();
    this.info = RocksLimits.info(folder.storeId(), folder.path());
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

  /**
   * Writes the batch, if there is room.
   *
   * @return false if RocksDB has none for a batch that frees something, but would have when opened
   *     anew, which should be done before it is tried again; nothing happened
   */
  boolean write(WriteBatch batch) {
    checkUsable();
    batch.requireAcceptable(lastCommit, info);
    keepOwned();
    try {
      requireRoom(batch);
      if (!stalls.write(BatchBytes.of(batch, epoch), refused.isOn())) {
        if (refuse(batch)) {
          return false;
        }
        throw RocksErrors.stalled(folder.path());
      }
    } catch (RocksDBException e) {
      if (!RocksErrors.isNoSpace(e)) {
        throw poisoned("write", e);
      }
      if (refuse(batch)) {
        return false;
      }
      throw RocksErrors.full(folder.path(), e);
    } catch (IOException e) {
      throw new StoreException(
          "free space cannot be asked for: folder=" + folder.path() + ", reason=" + e, e);
    }
    taken(batch);
    keepHouse();
    return true;
  }

  private void taken(WriteBatch batch) {
    lastCommit = batch.number();
    refused.end();
    hasWaited = false;
    wasHelped = false;
    if (batch.reserve() == Reserve.KEEP) {
      keptOut.end();
    }
  }

  private void requireRoom(WriteBatch batch) throws RocksDBException, IOException {
    try {
      room.require(batch);
    } catch (StoreFullException e) {
      // After one had no room RocksDB begins no compaction before it sees twice the room that it
      // takes, which may be never: then nothing that is freed gives any.
      if (database.failureCount() > 0) {
        keptOut.add();
      }
      throw e;
    }
  }

  /**
   * Whether batches go on being refused for want of room that RocksDB would have when opened anew.
   */
  boolean isStuck() {
    return (refused.haveLasted(STUCK_NS) || keptOut.haveLasted(STUCK_NS))
        && poison == null
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
    keepOwned();
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
    keepOwned();
    if (keepHouse()) {
      checkFailures();
    }
  }

  /** Lets RocksDB tell whether it got over what failed on its own threads since the last look. */
  private void checkFailures() {
    try {
      long count = database.failureCount();
      if (count == failureCount || room.isDiskFull()) {
        return;
      }
      failureCount = count;
      database.tryWrite(BatchBytes.of(new WriteBatch(lastCommit), epoch));
    } catch (RocksDBException e) {
      if (!RocksErrors.isNoSpace(e)) {
        throw poisoned("background work", e);
      }
    }
  }

  /** Makes everything durable and remembers it; nothing if a flush failed before. */
  void finish() {
    if (poison == null) {
      sync();
      checkOwned();
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
  }

  /** Whether the refused batch should be tried again on the database opened anew. */
  private boolean refuse(WriteBatch batch) {
    refused.add();
    if (batch.reserve() == Reserve.KEEP) {
      return false;
    }
    room.makeRoom();
    boolean hasRoom = hasWaited ? hasRoomToOpen() : stalls.awaitRoom(this::hasRoomToOpen);
    hasWaited = true;
    boolean isHelped = hasRoom && !wasHelped;
    wasHelped |= isHelped;
    return isHelped;
  }

  /** Writes nothing from now on. */
  StoreFailedException poisoned(String action, Throwable thrown) {
    StoreFailedException failure = StoreFailedException.unknown(action, folder.path(), thrown);
    poison = failure;
    return failure;
  }

  /**
   * Now and then; answers whether it was time. What was written is not told before a look whether
   * the folder is ours, either: somebody may have come meanwhile.
   */
  private boolean keepHouse() {
    try {
      folder.keepOwned();
    } catch (StoreException e) {
      throw poisoned("look at the lock", e);
    }
    long now = System.nanoTime();
    boolean isTime = now - watermarkAtNs >= WATERMARK_INTERVAL_NS;
    if (isTime) {
      watermarkAtNs = now;
      rememberDurable();
    }
    return isTime;
  }

  /** Before something is written: looks whether the folder is ours, unless that was just done. */
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
