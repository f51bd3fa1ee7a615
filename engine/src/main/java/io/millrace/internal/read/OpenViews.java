package io.millrace.internal.read;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The views that readers hold open, so that one that stays open can be seen: it keeps the store
 * from using space again. Any thread.
 */
public final class OpenViews {

  private final LongSupplier nowNs;
  private final Set<Use> uses = ConcurrentHashMap.newKeySet();

  /** No view is open yet; the supplier tells the monotonic time. */
  public OpenViews(LongSupplier nowNs) {
    this.nowNs = nowNs;
  }

  /** How long the oldest has been open; empty if none is. */
  public Optional<Duration> oldestAge() {
    long now = nowNs.getAsLong();
    return uses.stream()
        .map(use -> Duration.ofNanos(Math.max(0, now - use.begunNs)))
        .max(Duration::compareTo);
  }

  /** Does something that holds a view of its own, such as a backup. */
  public void during(Runnable work) {
    Use use = begin();
    try {
      work.run();
    } finally {
      uses.remove(use);
    }
  }

  /** Opens a view, which is watched until it is closed. */
  ReadView open(OrderedStore store) {
    ReadView view = store.read();
    return new WatchedView(view, begin());
  }

  /** The monotonic time now. */
  long nowNs() {
    return nowNs.getAsLong();
  }

  private Use begin() {
    Use use = new Use(nowNs.getAsLong());
    uses.add(use);
    return use;
  }

  /** Each is itself: two that begin at the same time are two. */
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
    public int scan(
        byte[] startInclusive, byte[] endExclusive, int rowCountMax, RowVisitor visitor) {
      return view.scan(startInclusive, endExclusive, rowCountMax, visitor);
    }

    @Override
    public void close() {
      uses.remove(use);
      view.close();
    }
  }
}
