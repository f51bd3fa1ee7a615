package io.millrace.internal.read;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The views that readers hold open: as many as the store has room for beside the writer's, in the
 * order in which they were asked for. A view that stays open can be seen, for it keeps the store
 * from using space again. Any thread.
 *
 * <p>A store tells at once that it has no view left. Waiting for one is done here, on the reader's
 * thread, for all stores; and because nobody else takes views of a store that is written to, the
 * writer's own never fails because others read.
 */
public final class OpenViews {

  /** The number of views that the commit loop has open at a time. */
  private static final int WRITER_VIEW_COUNT = 1;

  private final LongSupplier nowNs;
  private final int countMax;
  private final long waitNs;
  private final Semaphore free;
  private final Set<Use> uses = ConcurrentHashMap.newKeySet();

  /**
   * Creates the views of a store; none is open yet.
   *
   * @param nowNs the monotonic time
   * @param store the store whose views these are
   * @param wait how long a reader waits for a view
   */
  public OpenViews(LongSupplier nowNs, StoreInfo store, Duration wait) {
    this(nowNs, store.viewCountMax() - WRITER_VIEW_COUNT, wait);
  }

  /** Creates the views of a store, of which at most {@code countMax} are open at a time. */
  OpenViews(LongSupplier nowNs, int countMax, Duration wait) {
    this.nowNs = nowNs;
    this.countMax = countMax;
    this.waitNs = wait.toNanos();
    this.free = new Semaphore(countMax, true);
  }

  /** Returns how long the oldest view has been open; empty if none is. */
  public Optional<Duration> oldestAge() {
    long now = nowNs.getAsLong();
    return uses.stream()
        .map(use -> Duration.ofNanos(Math.max(0, now - use.begunNs)))
        .max(Duration::compareTo);
  }

  /**
   * Does work that holds a view of its own, such as a backup.
   *
   * @throws StoreBusyException there is no view for it; nothing was done
   */
  public void during(Runnable work) {
    Use use = begin();
    try {
      work.run();
    } finally {
      end(use);
    }
  }

  /**
   * Opens a view, which is watched until it is closed.
   *
   * @throws StoreBusyException none was closed for as long as a reader waits
   */
  public ReadView open(OrderedStore store) {
    Use use = begin();
    try {
      return new WatchedView(store.read(), use);
    } catch (Throwable e) {
      end(use);
      throw e;
    }
  }

  /**
   * Reads some rows as of one moment.
   *
   * @throws StoreBusyException there was no view for it for as long as a reader waits
   */
  public List<byte @Nullable []> getAll(OrderedStore store, List<byte[]> keys) {
    Use use = begin();
    try {
      return store.getAll(keys);
    } finally {
      end(use);
    }
  }

  /** Returns the monotonic time now. */
  long nowNs() {
    return nowNs.getAsLong();
  }

  private Use begin() {
    if (!isTaken()) {
      throw new StoreBusyException(
          "too many reads are under way: limit="
              + countMax
              + ", waitedMs="
              + TimeUnit.NANOSECONDS.toMillis(waitNs)
              + "; nothing happened, try again later");
    }
    Use use = new Use(nowNs.getAsLong());
    uses.add(use);
    return use;
  }

  private boolean isTaken() {
    try {
      return free.tryAcquire(waitNs, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      // Who is interrupted does not wait, but may read.
      return free.tryAcquire();
    }
  }

  private void end(Use use) {
    if (uses.remove(use)) {
      free.release();
    }
  }

  /** A use of a view. Each is equal to itself alone: two that begin at the same time are two. */
  private static final class Use {
    private final long begunNs;

    private Use(long begunNs) {
      this.begunNs = begunNs;
    }
  }

  private final class WatchedView implements ReadView {

    private final ReadView view;
    private final Use use;

    WatchedView(ReadView view, Use use) {
      this.view = view;
      this.use = use;
    }

    @Override
    public long commit() {
      return view.commit();
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return view.get(key);
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      return view.getAll(keys);
    }

    @Override
    public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
      return view.scan(startInclusive, endExclusive, size, visitor);
    }

    @Override
    public void close() {
      try {
        view.close();
      } finally {
        // Not before: the next reader may open its own at once.
        end(use);
      }
    }
  }
}
