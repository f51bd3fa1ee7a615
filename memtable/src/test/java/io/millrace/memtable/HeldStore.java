package io.millrace.memtable;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.ForwardingStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A store that notes what is written to it, and holds its caller where a test wants it to. */
final class HeldStore extends ForwardingStore {

  /** Where a call can be held. */
  enum Point {
    BEFORE_WRITE,
    BEFORE_SYNC,
    AFTER_SYNC
  }

  /** What happened, in its order. */
  final List<String> events = new CopyOnWriteArrayList<>();

  /** Runs at the next read, before it. */
  @Nullable Runnable beforeNextRead;

  private final Semaphore arrived = new Semaphore(0);
  private final Semaphore leave = new Semaphore(0);
  private volatile @Nullable Point holding;
  private volatile @Nullable Point pausing;

  HeldStore(OrderedStore store) {
    super(store);
  }

  /** Holds the next call that comes by the point. */
  void hold(Point point) {
    holding = point;
  }

  /** Holds the next call that comes by the point for a moment only. */
  void holdShortly(Point point) {
    pausing = point;
  }

  /** Waits until a call is held. */
  void awaitHeld() {
    try {
      if (!arrived.tryAcquire(60, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody came by " + holding);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Lets the held call go on, and those after it. */
  void letGo() {
    holding = null;
    leave.release();
  }

  private void pass(Point point) {
    if (pausing == point) {
      pausing = null;
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    if (holding == point) {
      holding = null;
      arrived.release();
      leave.acquireUninterruptibly();
    }
  }

  @Override
  public void write(WriteBatch batch) {
    pass(Point.BEFORE_WRITE);
    store.write(batch);
    events.add("write " + batch.previous() + " to " + batch.number());
  }

  @Override
  public void sync() {
    pass(Point.BEFORE_SYNC);
    store.sync();
    events.add("sync");
    pass(Point.AFTER_SYNC);
  }

  @Override
  public ReadView read() {
    Runnable before = beforeNextRead;
    beforeNextRead = null;
    if (before != null) {
      before.run();
    }
    return store.read();
  }
}
