package io.millrace.memtable;

import io.millrace.memtable.log.BatchLog;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.WriteBatch.Reserve;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that folds layers: the only one that writes to the store beneath, which it also
 * settles about once a second.
 *
 * <p>A layer is written there as one batch. When that is durable, the log releases the layer's
 * batches, and only then do readers let go of the layer: in another order what was acknowledged
 * could be lost or go unseen.
 */
final class FoldLoop implements Runnable {

  private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long TELL_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final OrderedStore base;
  private final BatchLog log;
  private final Memtable memtable;
  private final Thread thread;

  FoldLoop(OrderedStore base, BatchLog log, Memtable memtable, ThreadFactory threads) {
    this.base = base;
    this.log = log;
    this.memtable = memtable;
    this.thread = threads.newThread(this);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    try {
      while (!memtable.isOver()) {
        // Whoever interrupts has no say in when it ends, and must not keep it from waiting.
        Thread.interrupted();
        Layer layer = memtable.next(SETTLE_NS);
        if (layer != null) {
          fold(layer);
        }
        base.settle();
      }
      if (memtable.hasFailed()) {
        // It is told what the log has found out, such as another owner, before it is closed.
        base.settle();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  /**
   * Tells all who wait that folding failed, trying again while there is no memory to wait for the
   * lock.
   */
  private void fail(Throwable cause) {
    boolean isTold = false;
    while (!isTold) {
      try {
        memtable.fail(cause);
        isTold = true;
      } catch (OutOfMemoryError e) {
        LockSupport.parkNanos(this, TELL_AGAIN_NS);
      }
    }
  }

  private void fold(Layer layer) {
    StoreFullException full = null;
    try {
      base.write(layer.sum(Reserve.KEEP));
    } catch (StoreFullException e) {
      full = e;
    }
    if (full != null && !(memtable.mayUseReserve() && isInReserve(layer))) {
      memtable.refused(full);
      return;
    }
    base.sync();
    log.release(layer.number());
    memtable.folded(full == null ? Reserve.KEEP : Reserve.USE, full);
  }

  private boolean isInReserve(Layer layer) {
    try {
      base.write(layer.sum(Reserve.USE));
      return true;
    } catch (StoreFullException e) {
      return false;
    }
  }

  /**
   * Lets the thread fold all layers, if the store beneath has room, and waits until the thread has
   * ended.
   *
   * @throws StoreFailedException that took longer than {@code timeoutNs}
   */
  void end(long timeoutNs) {
    long deadline = System.nanoTime() + timeoutNs;
    boolean isInterrupted = false;
    long leftNs = memtable.end(timeoutNs) ? deadline - System.nanoTime() : 0;
    while (thread.isAlive() && leftNs > 0) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, leftNs);
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
      leftNs = deadline - System.nanoTime();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new StoreFailedException(
          "rows in memory were not put into the store beneath in time, and are in the log alone");
    }
  }
}
