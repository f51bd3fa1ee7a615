package io.millrace.store.rocksdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in a RocksDB database, which lies in a folder of its own inside the store's.
 *
 * <p>Every call that reaches native code enters the {@link Session} of the day. If somebody stays
 * inside at close, the last one out closes the database, and its folder stays locked until then.
 */
final class RocksStore implements OrderedStore {

  private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);
  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

  /** Readers are in for moments; for a backup it is not worth waiting. */
  private static final long RENEWAL_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final AtomicReference<@Nullable Thread> writerThread = new AtomicReference<>();
  private final StoreFolder folder;
  private final Opening opening;
  private final long closeTimeoutNs;
  private final long epoch;
  private final StoreInfo info;
  private volatile Session session;
  private volatile boolean isClosed;

  private RocksStore(Opening opening, Database database, Watermark opened, long closeTimeoutNs)
      throws IOException {
    this.folder = opening.folder();
    this.opening = opening;
    this.closeTimeoutNs = closeTimeoutNs;
    this.epoch = opened.epoch();
    this.info = RocksLimits.info(folder.storeId(), folder.path());
    this.session = new Session(opening, database, opened);
  }

  static RocksStore open(StoreOptions options) {
    return open(options, CLOSE_TIMEOUT_NS);
  }

  /** Opens a store that at its close waits this long for calls under way. */
  static RocksStore open(StoreOptions options, long closeTimeoutNs) {
    NativeLibraries.load();
    StoreFolder folder = StoreFolder.open(options, RocksLimits.NAME, Database.FORMAT);
    try {
      if (folder.isOpenToOthers()) {
        LOG.warn(
            "store folder is another user's and is left as it is: others may look into it:"
                + " folder={}",
            folder.path());
      }
      if (options.access() == StoreOptions.Access.READ_WRITE) {
        RocksBackup.clearStages(folder.path());
      }
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
    return epoch;
  }

  @Override
  public long lastCommit() {
    checkOpen();
    return session.lastCommit();
  }

  @Override
  public long syncedCommit() {
    checkOpen();
    return session.syncedCommit();
  }

  @Override
  public ReadView read() {
    Session entered = enter();
    try {
      return new RocksView(entered, info);
    } finally {
      entered.exit();
    }
  }

  @Override
  public void write(WriteBatch batch) {
    if (!tryWrite(batch)) {
      // What frees jobs must get through, and RocksDB would refuse it for seconds.
      renew();
      if (!tryWrite(batch)) {
        throw RocksErrors.stalled(folder.path());
      }
    }
  }

  private boolean tryWrite(WriteBatch batch) {
    Session entered = enterToWrite();
    try {
      return entered.writer().write(batch);
    } finally {
      entered.exit();
    }
  }

  @Override
  public void sync() {
    Session entered = enterToWrite();
    try {
      entered.writer().sync();
    } finally {
      entered.exit();
    }
  }

  @Override
  public void settle() {
    checkWriter();
    Session now = session;
    // There is nothing to settle while the database is closed for want of room.
    if (now.tryEnter()) {
      try {
        now.writer().settle();
      } finally {
        now.exit();
      }
    }
  }

  @Override
  public void backupTo(Path target) {
    Session entered = enter();
    try {
      RocksBackup backup =
          new RocksBackup(entered.database(), opening.options().access(), this::checkOpen);
      backup.write(opening.memtableBytes(), target);
    } finally {
      entered.exit();
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      session.refuse(RocksErrors::closed);
    }
    if (!session.awaitEmpty(closeTimeoutNs)) {
      session.leaveToLast(this::finishLate);
      throw new StoreFailedException(
          "store was not synced at close, for calls to it did not end in time; the last of them"
              + " syncs and closes it, and its folder stays locked until then: folder="
              + folder.path());
    }
    finish();
  }

  /** On the thread of a call that has its own result to tell. */
  private void finishLate() {
    try {
      finish();
      LOG.info("store was closed by the last call to leave it: folder={}", folder.path());
    } catch (RuntimeException e) {
      LOG.error("store failed when the last call left it: folder={}", folder.path(), e);
    }
  }

  private void finish() {
    // Whatever fails, the folder is unlocked only when RocksDB has it closed.
    try (folder) {
      session.close();
    }
  }

  /**
   * Opens the database anew, unless somebody uses it all the time; views that are open end. Nothing
   * that was written is lost by that.
   *
   * @throws StoreFullException it cannot be opened before its disk has room; until then there is
   *     nothing to read, and the next write tries again
   * @throws StoreFailedException it cannot be opened, or is another's by now; the store is of no
   *     use until it is closed and opened again
   */
  synchronized void renew() {
    Session old = session;
    if (isClosed) {
      return;
    }
    old.writer().checkOwned();
    if (!old.tryEnd(RENEWAL_TIMEOUT_NS, () -> unlessClosed(RocksErrors.viewEnded()))) {
      return;
    }
    try {
      session = openAnew(old.lastCommit());
    } catch (IOException | RuntimeException | Error e) {
      Supplier<StoreException> told = failure(old.writer(), e);
      old.refuse(() -> unlessClosed(told.get()));
      throw told.get();
    }
    LOG.info("database was opened anew after its disk had been full: folder={}", folder.path());
  }

  private Session openAnew(long commit) throws IOException {
    Database database = opening.openDatabase();
    try {
      Watermark held = new Watermark(epoch, commit);
      opening.requireHeld(database, held);
      return new Session(opening, database, held);
    } catch (IOException | RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  private Supplier<StoreException> failure(RocksWriter writer, Throwable thrown) {
    if (RocksErrors.isNoSpace(thrown) || !writer.hasRoomToOpen()) {
      return () -> RocksErrors.full(folder.path(), thrown);
    }
    StoreFailedException poison = writer.poisoned("opening the database anew", thrown);
    return () -> new StoreFailedException(String.valueOf(poison.getMessage()), poison);
  }

  private StoreException unlessClosed(StoreException told) {
    return isClosed ? RocksErrors.closed() : told;
  }

  /** The session as it is now, entered. */
  private Session enter() {
    Session entered = session;
    while (!entered.tryEnter()) {
      entered = after(entered);
    }
    return entered;
  }

  private synchronized Session after(Session ended) {
    if (session == ended) {
      throw ended.ended();
    }
    return session;
  }

  /** The session as it is now, entered by the one thread that may write. */
  private Session enterToWrite() {
    checkWriter();
    if (session.writer().isStuck()) {
      renew();
    }
    return enter();
  }

  private void checkWriter() {
    checkOpen();
    session.writer();
    Thread caller = Thread.currentThread();
    if (!writerThread.compareAndSet(null, caller) && writerThread.get() != caller) {
      throw new IllegalStateException(
          "store is written by another thread: owner=" + writerThread + ", caller=" + caller);
    }
  }

  private void checkOpen() {
    if (isClosed) {
      throw RocksErrors.closed();
    }
  }
}
