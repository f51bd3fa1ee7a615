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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of batches, which knows what of them is durable.
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

  /** The time for which batches may be refused before the database is opened anew. */
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
  private volatile @Nullable LongSupplier logged;
  private long watermarkAtNs;
  private long failureCount;

  /** The batches that RocksDB refused; any batch that it takes ends the series. */
  private final RefusedBatches refused = new RefusedBatches();

  /**
   * The batches that {@link Room} refused after RocksDB had failed at its own work, or that were
   * kept out above this store for want of room; an ordinary batch that is taken ends the series.
   */
  private final RefusedBatches keptOut = new RefusedBatches();

  /** True if somebody was told of little room since the last look. */
  private volatile boolean wasToldOfLittle;

  /** True if a batch that frees something has waited for room, and no batch was taken since. */
  private boolean hasWaited;

  /**
   * True if a batch that frees something asked to have the database opened anew, and no batch was
   * taken since.
   */
  private boolean wasHelped;

  /** Creates a writer that goes on from {@code durable}, which is on stable storage. */
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

  /**
   * Begins to write the watermark. It also covers the batches up to {@code loggedNumber}, which are
   * durable in the log and come here later.
   */
  void follow(@Nullable LongSupplier loggedNumber) {
    logged = loggedNumber;
  }

  long lastCommit() {
    return lastCommit;
  }

  long syncedCommit() {
    return syncedCommit;
  }

  /** Returns about how many more bytes ordinary batches may bring. For any thread. */
  long roomBytes() {
    try {
      long bytes = room.bytes();
      if (room.isLittle(bytes)) {
        wasToldOfLittle = true;
      }
      return bytes;
    } catch (RocksDBException e) {
      throw RocksErrors.translate("room cannot be measured", folder.path(), e);
    } catch (IOException e) {
      throw unmeasured(e);
    }
  }

  private StoreException unmeasured(IOException cause) {
    return new StoreException(
        "free space cannot be asked for: folder=" + folder.path() + ", reason=" + cause, cause);
  }

  /**
   * Writes the batch, if there is room.
   *
   * @return false if RocksDB has no room for a batch that frees something, but would have it when
   *     opened anew, which the caller should do before trying again; nothing happened
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
      throw unmeasured(e);
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
   * Tells whether batches have been refused for {@link #STUCK_NS} for want of room that RocksDB
   * would have when opened anew.
   */
  boolean isStuck() {
    return (refused.haveLasted(STUCK_NS) || keptOut.haveLasted(STUCK_NS)) && canGoOnAnew();
  }

  /**
   * Tells whether it would be of use to open the database anew: nothing failed, and room is there.
   */
  boolean canGoOnAnew() {
    return poison == null && hasRoomToOpen();
  }

  /**
   * Tells whether the disk has room to open the database, which writes tables of what is in the
   * logs.
   */
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
    noteKeptOut();
    if (keepHouse()) {
      room.growBallast();
      checkFailures();
    }
  }

  /** Counts ordinary batches that were kept out above this store, and so never came here. */
  private void noteKeptOut() {
    if (!wasToldOfLittle) {
      return;
    }
    wasToldOfLittle = false;
    try {
      if (database.failureCount() > 0) {
        keptOut.add();
      }
    } catch (RocksDBException e) {
      throw poisoned("background work", e);
    }
  }

  /** Lets RocksDB tell whether it got over the failures on its own threads since the last look. */
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

  /**
   * Makes everything durable and advances the watermark; does nothing if a write or flush failed
   * before.
   */
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

  /**
   * Notes that RocksDB refused the batch, and waits for room if the batch frees something.
   *
   * @return whether the batch should be tried again on the database opened anew
   */
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

  /** Stops this writer for good, and returns the exception that says why. */
  StoreFailedException poisoned(String action, Throwable thrown) {
    StoreFailedException failure = StoreFailedException.unknown(action, folder.path(), thrown);
    poison = failure;
    return failure;
  }

  /**
   * Looks whether the folder is still ours and writes the watermark, each if its time has come.
   * Called after each write and flush: neither is acknowledged before a look, for another owner may
   * have come meanwhile.
   *
   * @return whether it was time for the watermark
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

  /**
   * Looks whether the folder is still ours, unless that was just done. Called before each write and
   * flush.
   *
   * @throws StoreFencedException another owner may have the folder
   */
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
    LongSupplier elsewhere = logged;
    if (elsewhere == null) {
      // What is durable is known to the opening alone as long as that is under way.
      return;
    }
    try {
      folder.advance(new Watermark(epoch, Math.max(syncedCommit, elsewhere.getAsLong())));
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
