package io.millrace.memtable;

import io.millrace.memtable.log.BatchLog;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.CallGate;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A store whose batches go into a log and rows in memory, and from there into another store, many
 * as one.
 *
 * <p>Thread-safe as {@link OrderedStore} says. A batch is acknowledged when it is in the log. What
 * is newer than the store beneath is in immutable trees, the layers; each view holds the layers of
 * its moment. A thread of the store's own writes the sum of a layer into the store beneath, makes
 * that durable, and lets the log release it.
 *
 * <p>Owns the store beneath and the log, and closes them with itself.
 */
public final class MemtableStore implements OrderedStore {

  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

  private final OrderedStore base;
  private final BatchLog log;
  private final StoreInfo info;
  private final Memtable memtable;

  /** The thread that folds; null if the store is open for reading only. */
  private final @Nullable FoldLoop loop;

  /** A writer of copies of what a view sees; null unless the store is open for reading only. */
  private final @Nullable BiConsumer<ReadView, Path> copies;

  private final CallGate gate = new CallGate();
  private final AtomicReference<@Nullable Thread> writer = new AtomicReference<>();
  private final AtomicInteger openViews = new AtomicInteger();

  private MemtableStore(
      OrderedStore base,
      BatchLog log,
      Memtable memtable,
      @Nullable FoldLoop loop,
      @Nullable BiConsumer<ReadView, Path> copies) {
    this.base = base;
    this.log = log;
    this.info = infoOver(base);
    this.memtable = memtable;
    this.loop = loop;
    this.copies = copies;
  }

  /**
   * Opens a store over another, which must be for one owner alone and not written to by anybody
   * else from here on. What was replayed is folded first, as far as the store beneath has room.
   *
   * @param log goes on after what was replayed
   * @throws IllegalArgumentException the store beneath is shared, or the log goes on elsewhere
   * @throws StoreException what was replayed cannot be folded; whatever is thrown, the store
   *     beneath and the log are closed
   */
  public static MemtableStore open(
      OrderedStore base, BatchLog log, Replayed replayed, MemtableOptions options) {
    try {
      requireExclusive(base);
      if (log.lastNumber() != replayed.number()) {
        throw new IllegalArgumentException(
            "log goes on after another batch than what was replayed ends with: log="
                + log.lastNumber()
                + ", replayed="
                + replayed.number());
      }
      Memtable memtable = new Memtable(log, replayed.layers(), base.info(), options);
      FoldLoop loop = new FoldLoop(base, log, memtable, options.threads());
      loop.start();
      try {
        memtable.awaitSealed();
      } catch (RuntimeException | Error e) {
        loop.end(CLOSE_TIMEOUT_NS);
        throw e;
      }
      return new MemtableStore(base, log, memtable, loop, null);
    } catch (RuntimeException | Error e) {
      throw closed(base, log, e);
    }
  }

  /**
   * Opens a store over another that is open for reading only, and shows with it what was replayed.
   *
   * @param copies writes a copy of what a view sees, as {@link #backupTo} says; the view is closed
   *     by its caller
   */
  public static MemtableStore openReadOnly(
      OrderedStore base,
      BatchLog log,
      Replayed replayed,
      MemtableOptions options,
      BiConsumer<ReadView, Path> copies) {
    try {
      requireExclusive(base);
      Memtable memtable = new Memtable(log, replayed.layers(), base.info(), options);
      return new MemtableStore(base, log, memtable, null, copies);
    } catch (RuntimeException | Error e) {
      throw closed(base, log, e);
    }
  }

  private static void requireExclusive(OrderedStore base) {
    if (base.info().sharing() != StoreInfo.Sharing.EXCLUSIVE) {
      throw new IllegalArgumentException(
          "rows in memory need a store that nobody takes over: store=" + base.info().name());
    }
  }

  /**
   * Closes the store and the log that could not be opened, and throws the cause. Never returns; the
   * caller throws the result, for javac to see that.
   */
  private static RuntimeException closed(OrderedStore base, BatchLog log, Throwable cause) {
    try (base;
        log) {
      if (cause instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) cause;
    }
  }

  private static StoreInfo infoOver(OrderedStore base) {
    return base.info().syncing(StoreInfo.Syncing.SEPARATE);
  }

  @Override
  public StoreInfo info() {
    requireOpen();
    return info;
  }

  @Override
  public long epoch() {
    requireOpen();
    return base.epoch();
  }

  @Override
  public long lastCommit() {
    requireOpen();
    return memtable.layers().number();
  }

  @Override
  public long syncedCommit() {
    gate.enter();
    try {
      long synced = Math.max(base.syncedCommit(), log.syncedNumber());
      return Math.min(synced, memtable.layers().number());
    } finally {
      gate.exit();
    }
  }

  @Override
  public OptionalLong usedBytes() {
    gate.enter();
    try {
      OptionalLong below = base.usedBytes();
      return below.isEmpty()
          ? below
          : OptionalLong.of(below.getAsLong() + memtable.layers().bytes());
    } finally {
      gate.exit();
    }
  }

  @Override
  public ReadView read() {
    gate.enter();
    try {
      if (openViews.incrementAndGet() > info.viewCountMax()) {
        throw StoreBusyException.tooManyViews(info.viewCountMax());
      }
      return new LayeredView(gate, info, base, memtable::layers, openViews::decrementAndGet);
    } catch (RuntimeException | Error e) {
      openViews.decrementAndGet();
      throw e;
    } finally {
      gate.exit();
    }
  }

  @Override
  public void write(WriteBatch batch) {
    gate.enter();
    try {
      requireWriter();
      memtable.requireSound();
      batch.requireAcceptable(memtable.layers().number(), info);
      memtable.take(batch);
    } finally {
      gate.exit();
    }
  }

  @Override
  public void sync() {
    gate.enter();
    try {
      requireWriter();
      memtable.sync();
    } finally {
      gate.exit();
    }
  }

  @Override
  public void settle() {
    gate.enter();
    try {
      requireWriter();
      memtable.settle();
    } finally {
      gate.exit();
    }
  }

  /** {@inheritDoc} Those of the store beneath: a log is looked at when it is replayed. */
  @Override
  public List<String> flaws() {
    requireOpen();
    return base.flaws();
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreException the store beneath has no room for what is only in the log yet
   */
  @Override
  public void backupTo(Path folder) {
    if (copies != null) {
      try (ReadView all = read()) {
        copies.accept(all, folder);
      }
      return;
    }
    gate.enter();
    try {
      memtable.foldAll();
    } finally {
      gate.exit();
    }
    // Not behind the gate: that would keep close from telling it to stop.
    base.backupTo(folder);
  }

  @Override
  public void close() {
    if (!gate.close()) {
      return;
    }
    boolean isAnswered = memtable.leave(CLOSE_TIMEOUT_NS);
    if (!gate.awaitEmpty(isAnswered ? CLOSE_TIMEOUT_NS : 0)) {
      gate.leaveToLast(this::finish);
      throw new StoreFailedException(
          "store was not synced at close, for calls to it did not end in time; the last of them"
              + " syncs and closes it");
    }
    finish();
  }

  private void finish() {
    try (base;
        log) {
      if (loop != null) {
        loop.end(CLOSE_TIMEOUT_NS);
      }
    }
  }

  private void requireOpen() {
    gate.enter();
    gate.exit();
  }

  private void requireWriter() {
    if (loop == null) {
      throw new IllegalStateException("the store is open for reading only");
    }
    Thread current = Thread.currentThread();
    Thread owner = writer.get();
    if (owner != current && !writer.compareAndSet(null, current)) {
      throw new IllegalStateException(
          "the store belongs to another writer thread: owner="
              + writer.get()
              + ", caller="
              + current.getName());
    }
  }
}
