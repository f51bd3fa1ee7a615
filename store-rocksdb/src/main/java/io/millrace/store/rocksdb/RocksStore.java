package io.millrace.store.rocksdb;

import io.millrace.memtable.FolderOpening;
import io.millrace.memtable.Replayed;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in a RocksDB database, which lies in a folder of its own inside the store's.
 *
 * <p>Every call that reaches native code enters the current {@link Session}. If a call stays inside
 * at close, the last one out closes the database, and the folder stays locked until then.
 */
final class RocksStore implements FolderOpening.Base {

  private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);
  static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

  /**
   * The longest wait for calls to leave before the database is opened anew. Readers stay for
   * moments, and a backup is not worth waiting for.
   */
  private static final long RENEWAL_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final AtomicReference<@Nullable Thread> writerThread = new AtomicReference<>();
  private final StoreFolder folder;
  private final DatabaseFolder place;
  private final long closeTimeoutNs;
  private final long epoch;
  private final StoreInfo info;
  private volatile @Nullable LongSupplier logged;
  private volatile Session session;
  private volatile boolean isClosed;

  /** Creates a store that owns the database and its folder, and closes them. */
  RocksStore(DatabaseFolder place, Database database, Watermark opened, long closeTimeoutNs)
      throws IOException {
    this.folder = place.folder();
    this.place = place;
    this.closeTimeoutNs = closeTimeoutNs;
    this.epoch = opened.epoch();
    this.info = RocksLimits.info(folder.storeId(), folder.path());
    this.session = new Session(place, database, opened);
  }

  /**
   * Begins to write the watermark. It also covers the batches up to {@code loggedNumber}, which are
   * durable in the log and come here later.
   */
  void follow(LongSupplier loggedNumber) {
    logged = loggedNumber;
    session.writer().follow(loggedNumber);
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
  public long roomBytes() {
    Session now = session;
    if (!now.tryEnter()) {
      return 0;
    }
    try {
      return now.writer().roomBytes();
    } finally {
      now.exit();
    }
  }

  @Override
  public void write(WriteBatch batch) {
    checkWriter();
    put(batch);
  }

  /** Writes a batch, without asking whether the caller is the writer's thread. */
  void put(WriteBatch batch) {
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
    checkWriter();
    flush();
  }

  /** Makes durable what was written, without asking whether the caller is the writer's thread. */
  void flush() {
    Session now = session;
    // What was taken is flushed where it was taken: a fold that is told of a full disk here, when
    // the database cannot be opened anew, would take it for a failed flush.
    Session entered = now.tryEnter() ? now : enterToWrite();
    try {
      entered.writer().sync();
    } finally {
      entered.exit();
    }
  }

  @Override
  public void settle() {
    checkWriter();
    if (isRenewalDue()) {
      // Whoever asks how much room there is, or must read before it writes, waits for this.
      tryRenew();
    }
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
    copy(List.of(), target);
  }

  @Override
  public void copy(ReadView all, Replayed above, Path target) {
    copy(above.sums(Reserve.USE), target);
  }

  private void copy(List<WriteBatch> above, Path target) {
    Session entered = enter();
    try {
      RocksBackup backup =
          new RocksBackup(entered.database(), place.options().access(), this::checkOpen);
      backup.write(place.memtableBytes(), above, target);
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

  /**
   * Closes the store on the thread of the last call to leave, which has its own result to tell, so
   * that failures are logged.
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
    // Whatever fails, the folder is unlocked only when RocksDB has it closed.
    try (folder) {
      session.close();
    }
  }

  /**
   * Opens the database anew, unless calls are inside all the time. Open views end. Nothing that was
   * written is lost by that.
   *
   * @throws StoreFullException the database cannot be opened before its disk has room; until then
   *     there is nothing to read, and the next write tries again
   * @throws StoreFailedException the database cannot be opened, or is another owner's by now; the
   *     store is of no use until it is closed and opened again
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

  private void tryRenew() {
    try {
      renew();
    } catch (StoreFullException e) {
      LOG.warn("database has no room to be opened anew: folder={}", folder.path(), e);
    }
  }

  private Session openAnew(long commit) throws IOException {
    Watermark held = new Watermark(epoch, commit);
    Database database = place.openAgain(held);
    try {
      Session anew = new Session(place, database, held);
      anew.writer().follow(logged);
      return anew;
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

  /** Enters the current session and returns it. */
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

  /**
   * Enters the current session to write and returns it. Opens the database anew before, if that is
   * due.
   */
  private Session enterToWrite() {
    if (isRenewalDue()) {
      renew();
    }
    return enter();
  }

  /**
   * Tells whether the database is to be opened anew: its writer is stuck, or it was closed for that
   * and had no room to be opened, and has now.
   */
  private boolean isRenewalDue() {
    RocksWriter writer = session.writer();
    return writer.isStuck() || (session.hasEnded() && writer.canGoOnAnew());
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
