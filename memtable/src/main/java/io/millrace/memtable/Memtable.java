package io.millrace.memtable;

import io.millrace.memtable.log.BatchLog;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The layers and their log, where the writer, the thread that folds and a close meet.
 *
 * <p><b>One lock</b> guards the log and every change of the layers; reading the layers needs none.
 * It is held while the log works, and not while the store beneath does. All waiting is on its one
 * condition, and every change that somebody may wait for is signalled, failure and close among
 * them.
 *
 * <p><b>Room</b> beneath is found out late: a batch is acknowledged when it is in the log, and the
 * store beneath is asked when the layer is folded. So its last answer decides how much is taken
 * before it is asked again:
 *
 * <ul>
 *   <li>{@code PLENTY}: a whole layer is taken.
 *   <li>{@code SCARCE}: a growing batch is taken only when all before it was folded as an ordinary
 *       batch. {@code PLENTY} again when as many bytes as a layer's were folded so.
 *   <li>{@code RESERVE}: the last sum had to use the reserve. Growing batches are refused, but for
 *       one by which the store is asked: one that it seems to have room for, or, if its room is not
 *       known, a small one now and then. Such a batch may not use the reserve: else asking would
 *       use it up. Batches that free something are folded at once, as an ordinary batch if they can
 *       be, which is the other way out.
 *   <li>{@code NONE}: the last sum was refused altogether. Batches that free something are added to
 *       it, and the store is asked again, as it also is now and then.
 * </ul>
 */
final class Memtable {

  private enum Room {
    PLENTY,
    SCARCE,
    RESERVE,
    NONE
  }

  /** The time from a refusal by the store beneath until it is asked again. */
  private static final long ASK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * The length of the largest growing batch that asks a store beneath whose room is not known:
   * batches that free something may join its layer and take it into the reserve.
   */
  private static final long ASK_BYTES_MAX = 64 << 10;

  /** The interval at which a close tries for the lock while the log does not answer. */
  private static final long CHECK_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * The longest time that a batch is held up while a layer is folded and the next is nearly full.
   */
  private static final long DELAY_NS_MAX = TimeUnit.MILLISECONDS.toNanos(4);

  private final BatchLog log;
  private final MemtableOptions options;

  /** Limits of a layer that takes batches. */
  private final LayerLimits limits;

  /** Limits of what is folded as one batch. */
  private final LayerLimits sumLimits;

  /**
   * The lock on the log and on changes of the layers. Fair, for a writer that syncs over and over
   * must not keep out the thread that folds.
   */
  private final ReentrantLock lock = new ReentrantLock(true);

  private final Condition changed = lock.newCondition();
  private volatile Layers layers;
  private volatile @Nullable Throwable failure;
  private Room room = Room.PLENTY;

  /**
   * The newest refusal by the store beneath, for writers that are refused; null if there was none.
   */
  private @Nullable StoreFullException refusal;

  private long refusedAtNs;

  /** The bytes that were folded as ordinary batches since the room was found scarce. */
  private long foldedBytes;

  private long activeSinceNs;

  private boolean isFolding;
  private boolean isRetryDue;

  /**
   * True while the layer to be folded is there to ask for room, and none of its batches frees any.
   */
  private boolean isAsking;

  /**
   * True once a close began. Volatile, for the close may not get the lock while the log does not
   * answer.
   */
  private volatile boolean isClosing;

  private boolean isEnding;

  Memtable(BatchLog log, Layers layers, StoreInfo base, MemtableOptions options) {
    this.log = log;
    this.layers = layers;
    this.options = options;
    this.limits = options.limits(base);
    this.sumLimits = LayerLimits.of(base);
  }

  Layers layers() {
    return layers;
  }

  /** Puts a batch into the log and the active layer, when there is room. */
  void take(WriteBatch batch) {
    lock.lock();
    try {
      slowDown();
      awaitRoom(batch);
      append(batch);
      if (layers.active().isEmpty()) {
        activeSinceNs = options.nowNs();
      }
      layers = layers.with(batch);
      isRetryDue |= room == Room.NONE;
      isAsking &= batch.reserve() == Reserve.KEEP;
      if (room != Room.PLENTY) {
        changed.signalAll();
      }
    } catch (StoreException | IllegalArgumentException e) {
      throw e;
    } catch (Throwable e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  void sync() {
    lock.lock();
    try {
      requireSound();
      logged(log::sync);
    } finally {
      lock.unlock();
    }
  }

  /** Seals the active layer if its time has come. */
  void settle() {
    lock.lock();
    try {
      requireSound();
      if (isAged()) {
        seal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all batches that were taken before are folded. */
  void foldAll() {
    lock.lock();
    try {
      long number = layers.number();
      while (layers.folded() < number) {
        requireSound();
        if (room == Room.NONE && isAsking) {
          // A copy is worth the reserve.
          isAsking = false;
          isRetryDue = true;
          changed.signalAll();
        }
        if (room == Room.NONE && !isFoldDue()) {
          throw full();
        }
        if (!layers.hasSealed()) {
          seal();
        }
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the sealed layers are folded, or cannot be for now. */
  void awaitSealed() {
    lock.lock();
    try {
      requireSound();
      while (layers.hasSealed() && isFoldDue()) {
        changed.awaitUninterruptibly();
        requireSound();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tells all callers that wait, or come from now on, that the store is closed.
   *
   * @return false if the log did not answer in time; those who wait are then told a little later
   */
  boolean leave(long timeoutNs) {
    isClosing = true;
    boolean isMine = lockWithin(timeoutNs);
    if (isMine) {
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
    return isMine;
  }

  /**
   * Lets the thread that folds fold all layers one last time, and then end.
   *
   * @return false if the log did not answer in time; the thread is not told then
   */
  boolean end(long timeoutNs) {
    isClosing = true;
    boolean isMine = lockWithin(timeoutNs);
    if (isMine) {
      try {
        isEnding = true;
        isRetryDue = room == Room.NONE;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
    return isMine;
  }

  /** Takes the lock, through interrupts; false if that takes longer than {@code timeoutNs}. */
  private boolean lockWithin(long timeoutNs) {
    long deadline = System.nanoTime() + timeoutNs;
    boolean isInterrupted = false;
    boolean isMine = lock.tryLock();
    while (!isMine && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(this, CHECK_NS);
      isInterrupted |= Thread.interrupted();
      isMine = lock.tryLock();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return isMine;
  }

  /**
   * Checks that the store is open and nothing has failed.
   *
   * @throws StoreClosedException the store is closing
   * @throws StoreFencedException another owner has the store
   * @throws StoreFailedException something failed for good
   */
  void requireSound() {
    if (isClosing) {
      throw new StoreClosedException("store is closed");
    }
    Throwable cause = failure;
    if (cause instanceof StoreFencedException) {
      throw new StoreFencedException("another owner has the store", cause);
    }
    if (cause != null) {
      throw new StoreFailedException(
          "store refuses writes since its log or the store beneath failed, close it and open it"
              + " again: reason="
              + cause.getMessage(),
          cause);
    }
  }

  boolean hasFailed() {
    return failure != null;
  }

  /** Stops all writing for good because of a failure, and tells all who wait. */
  void fail(Throwable cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the next layer to fold, for the thread that folds, which waits at most {@code waitNs}
   * for one.
   *
   * @return null if there is nothing to fold now
   */
  @Nullable Layer next(long waitNs) {
    lock.lock();
    try {
      if (isClosing) {
        // Who closes may not have got the lock.
        changed.signalAll();
      }
      if (!isFoldDue() && !isEnding && failure == null) {
        await(waitNs);
      }
      isRetryDue |= room == Room.NONE && isTimeToAsk();
      boolean isLast = isEnding && !layers.isEmpty();
      if (failure != null || !(isFoldDue() || isLast)) {
        return null;
      }
      if (isEnding || room == Room.NONE) {
        layers = layers.merge(sumLimits);
      } else if (!layers.hasSealed()) {
        seal();
      }
      isFolding = true;
      isRetryDue = false;
      return layers.oldest();
    } finally {
      lock.unlock();
    }
  }

  /** Tells the thread that folds whether it has nothing to do any more. */
  boolean isOver() {
    lock.lock();
    try {
      boolean isStuck = room == Room.NONE && !isRetryDue;
      return failure != null || (isEnding && (layers.isEmpty() || isStuck));
    } finally {
      lock.unlock();
    }
  }

  /** Tells the thread that folds whether a layer that is refused may be tried with the reserve. */
  boolean mayUseReserve() {
    lock.lock();
    try {
      return !isAsking;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops the oldest layer, which is in the store beneath for good.
   *
   * @param reserve whether the layer had to use the reserve
   * @param why the refusal of the layer without the reserve; null if there was none
   */
  void folded(Reserve reserve, @Nullable StoreFullException why) {
    lock.lock();
    try {
      if (reserve == Reserve.USE) {
        refuse(Room.RESERVE, why);
      } else if (room != Room.PLENTY) {
        foldedBytes += layers.oldest().operations().bytes();
        room = foldedBytes >= limits.bytesMax() ? Room.PLENTY : Room.SCARCE;
      }
      layers = layers.withoutOldest();
      isFolding = false;
      isAsking = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Keeps the oldest layer: the store beneath had no room for it, not even in the reserve. */
  void refused(StoreFullException why) {
    lock.lock();
    try {
      refuse(Room.NONE, why);
      isFolding = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void refuse(Room left, @Nullable StoreFullException why) {
    room = left;
    refusal = why;
    refusedAtNs = options.nowNs();
    foldedBytes = 0;
  }

  /** Tells whether the thread that folds is at work, or about to be. */
  private boolean isFoldDue() {
    return isFolding
        || switch (room) {
          case PLENTY -> layers.hasSealed();
          case SCARCE, RESERVE -> !layers.isEmpty();
          case NONE -> isRetryDue;
        };
  }

  private boolean isTimeToAsk() {
    return options.nowNs() - refusedAtNs >= ASK_AGAIN_NS;
  }

  private boolean isAged() {
    return !layers.active().isEmpty()
        && !layers.hasSealed()
        && options.nowNs() - activeSinceNs >= options.layerAgeNs();
  }

  private void slowDown() {
    if (layers.hasSealed() && room != Room.NONE) {
      double over = 2 * limits.fill(layers.active().operations()) - 1;
      if (over > 0) {
        await((long) (Math.min(1, over * over) * DELAY_NS_MAX));
      }
    }
  }

  /**
   * Waits until the batch may be taken.
   *
   * @throws StoreFullException it may not be, for now
   */
  private void awaitRoom(WriteBatch batch) {
    requireSound();
    while (!admits(batch) || !makesPlace(batch)) {
      changed.awaitUninterruptibly();
      requireSound();
    }
  }

  /**
   * Tells whether the store beneath will take the batch, as far as is known; if not, the caller
   * waits.
   *
   * @throws StoreFullException waiting is of no use for now
   */
  private boolean admits(WriteBatch batch) {
    boolean isGrowing = batch.reserve() == Reserve.KEEP;
    if (isGrowing && room == Room.PLENTY && layers.bytes() + batch.bytes() > options.roomBytes()) {
      // What the layers take is not what it will come to: that is known when they are folded.
      room = Room.SCARCE;
      foldedBytes = 0;
      changed.signalAll();
    }
    if (room == Room.PLENTY || (!isGrowing && room != Room.NONE)) {
      return true;
    }
    if (room == Room.NONE && !isGrowing && sumLimits.fit(layers.active().operations(), batch)) {
      return true;
    }
    if (isFoldDue()) {
      return false;
    }
    if (room == Room.SCARCE && batch.bytes() <= options.roomBytes()) {
      return true;
    }
    if (room == Room.RESERVE && mayAsk(batch)) {
      // By this very batch.
      room = Room.SCARCE;
      isAsking = admits(batch);
      return isAsking;
    }
    if (room == Room.NONE && isTimeToAsk()) {
      isRetryDue = true;
      changed.signalAll();
      return false;
    }
    throw full();
  }

  /** Tells whether the store beneath may be asked by a growing batch, though it had no room. */
  private boolean mayAsk(WriteBatch batch) {
    // Where room is known by batches of any length: there may be no short ones.
    return options.knowsRoom()
        ? batch.bytes() <= options.roomBytes()
        : isTimeToAsk() && batch.bytes() <= ASK_BYTES_MAX;
  }

  /**
   * Makes sure that the active layer has a place for the batch, and seals that layer first if it
   * must and can be; false if the caller has to wait.
   */
  private boolean makesPlace(WriteBatch batch) {
    if (isAged()) {
      seal();
    }
    Layer active = layers.active();
    if (active.isEmpty() || room == Room.NONE) {
      return true;
    }
    if (limits.fit(active.operations(), batch) && log.partBytes() < options.partBytes()) {
      return true;
    }
    if (layers.hasSealed()) {
      return false;
    }
    seal();
    return true;
  }

  /** Seals the active layer, and ends the part of the log with it if there is room for another. */
  private void seal() {
    turn();
    layers = layers.seal();
    changed.signalAll();
  }

  private void turn() {
    try {
      logged(log::turn);
    } catch (StoreFullException e) {
      // The part goes on, and is let go of later; but nothing is folded that the log may lose.
      logged(log::sync);
    }
  }

  private void append(WriteBatch batch) {
    int partCount = 0;
    boolean isAppended = false;
    while (!isAppended) {
      try {
        logged(() -> log.append(batch));
        isAppended = true;
      } catch (StoreFullException e) {
        // What is folded gives its part back, and then what is active gives its own.
        partCount++;
        if (partCount > 2) {
          throw e;
        }
        beginPart();
      }
    }
  }

  private void beginPart() {
    awaitSealed();
    turn();
    if (!layers.active().isEmpty() && !layers.hasSealed()) {
      layers = layers.seal();
      changed.signalAll();
    }
  }

  private void logged(Runnable call) {
    try {
      call.run();
    } catch (StoreFullException | IllegalArgumentException e) {
      throw e;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private StoreException failed(Throwable cause) {
    fail(cause);
    if (cause instanceof StoreFailedException || cause instanceof StoreFencedException) {
      return (StoreException) cause;
    }
    return new StoreFailedException(
        "log failed and what is in it is unknown, close the store and open it again: reason="
            + cause.getMessage(),
        cause);
  }

  private StoreFullException full() {
    String reason = refusal == null ? "its room is used up" : refusal.getMessage();
    return new StoreFullException("store beneath the log is full: reason=" + reason, refusal);
  }

  private void await(long waitNs) {
    try {
      changed.awaitNanos(waitNs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
