package io.millrace.store.memory;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.CallGate;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store whose rows live in memory and end with it.
 *
 * <p>Thread-safe as {@link OrderedStore} says. The writer never waits for readers, nor they for it:
 * both take the newest tree, which never changes. Reading a view takes a turn at one shared
 * counter, so that {@code close} can wait for it.
 *
 * <p>Keeps the arrays of the batches that it is given. {@code storeBytesMax} limits the bytes of
 * keys and values, without the heap that the tree itself takes. Batches that may use the reserve
 * get {@link #RESERVE_BYTES} more.
 */
public final class MemoryStore implements OrderedStore {

  /** The bytes by which the store may exceed its limit for batches that free space. */
  public static final long RESERVE_BYTES = 1L << 20;

  private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

  private final StoreInfo info;
  private final long storeBytesMax;
  private final StoreOptions.Access access;
  private final long epoch;
  private final Runnable onClose;
  private final CallGate gate = new CallGate();
  private final AtomicReference<@Nullable Thread> writer = new AtomicReference<>();
  private final AtomicInteger openViews = new AtomicInteger();
  private volatile Contents contents;
  private volatile long syncedCommit;

  /** Contents of a store after a commit. */
  public record Contents(long commit, RowTree rows) {
    /** The contents of a new store. */
    public static final Contents EMPTY = new Contents(0, RowTree.EMPTY);
  }

  /**
   * Opens a store that begins with given contents, all of them counted as synced.
   *
   * @param onClose runs once, at the end of the first close
   */
  public MemoryStore(
      StoreInfo info, StoreOptions options, long epoch, Contents contents, Runnable onClose) {
    this.info = info;
    this.storeBytesMax = options.storeBytesMax();
    this.access = options.access();
    this.epoch = epoch;
    this.contents = contents;
    this.syncedCommit = contents.commit();
    this.onClose = onClose;
  }

  /** Returns what the store holds now; also after it was closed. */
  public Contents contents() {
    return contents;
  }

  @Override
  public StoreInfo info() {
    requireOpen();
    return info;
  }

  @Override
  public long epoch() {
    requireOpen();
    return epoch;
  }

  @Override
  public long lastCommit() {
    requireOpen();
    return contents.commit();
  }

  @Override
  public long syncedCommit() {
    requireOpen();
    return syncedCommit;
  }

  @Override
  public OptionalLong usedBytes() {
    requireOpen();
    return OptionalLong.of(contents.rows().bytes());
  }

  @Override
  public ReadView read() {
    requireOpen();
    if (openViews.incrementAndGet() > info.viewCountMax()) {
      openViews.decrementAndGet();
      throw StoreBusyException.tooManyViews(info.viewCountMax());
    }
    return new MemoryView(gate, info, contents, openViews::decrementAndGet);
  }

  /**
   * Returns the contents that {@link #write} would leave, or throws what it would. Changes nothing.
   *
   * @throws IllegalArgumentException as {@link #write}
   * @throws IllegalStateException as {@link #write}
   * @throws StoreFullException as {@link #write}
   */
  public Contents prepare(WriteBatch batch) {
    gate.enter();
    try {
      return next(batch);
    } finally {
      gate.exit();
    }
  }

  @Override
  public void write(WriteBatch batch) {
    gate.enter();
    try {
      contents = next(batch);
    } finally {
      gate.exit();
    }
  }

  @Override
  public void sync() {
    gate.enter();
    try {
      requireWritable();
      if (info.syncing() != StoreInfo.Syncing.BESIDE_WRITE) {
        requireWriterThread();
      }
      syncedCommit = contents.commit();
    } finally {
      gate.exit();
    }
  }

  @Override
  public void settle() {
    gate.enter();
    try {
      requireWritable();
      requireWriterThread();
    } finally {
      gate.exit();
    }
  }

  @Override
  public void backupTo(Path folder) {
    requireOpen();
    throw new StoreException(
        "a store in memory keeps nothing that could be backed up: folder=" + folder);
  }

  @Override
  public synchronized void close() {
    if (gate.close()) {
      // Whoever is inside for longer works on a tree that nobody frees.
      gate.awaitEmpty(CLOSE_TIMEOUT_NS);
      onClose.run();
    }
  }

  private void requireOpen() {
    gate.enter();
    gate.exit();
  }

  private Contents next(WriteBatch batch) {
    requireWritable();
    requireWriterThread();
    Contents before = contents;
    batch.requireAcceptable(before.commit(), info);
    RowTree rows = before.rows().with(batch);
    requireRoom(before.rows().bytes(), rows.bytes(), batch.reserve());
    return new Contents(batch.number(), rows);
  }

  private void requireWritable() {
    if (access == StoreOptions.Access.READ_ONLY) {
      throw new IllegalStateException("the store is open for reading only");
    }
  }

  private void requireWriterThread() {
    Thread current = Thread.currentThread();
    Thread owner = writer.compareAndExchange(null, current);
    if (owner != null && owner != current) {
      throw new IllegalStateException(
          "the store belongs to another writer thread: owner="
              + owner.getName()
              + ", caller="
              + current.getName());
    }
  }

  private void requireRoom(long bytesBefore, long bytesAfter, WriteBatch.Reserve reserve) {
    long limit = storeBytesMax + (reserve == WriteBatch.Reserve.USE ? RESERVE_BYTES : 0);
    if (bytesAfter > limit && bytesAfter > bytesBefore) {
      throw new StoreFullException(
          "the store is full: bytes=" + bytesBefore + ", needed=" + bytesAfter + ", most=" + limit);
    }
  }
}
