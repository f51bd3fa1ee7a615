package io.millrace.model.fault;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.ForwardingStore;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A store whose views stay open while they are held, but for those of the engine's own threads: as
 * many readers as one likes are in the middle of their reads.
 */
final class HeldReaders implements StoreFactory {

  private final StoreFactory factory;
  private final AtomicInteger heldCount = new AtomicInteger();
  private final CountDownLatch letGo = new CountDownLatch(1);

  HeldReaders(StoreFactory factory) {
    this.factory = factory;
  }

  /** How many views are open and held. */
  int heldCount() {
    return heldCount.get();
  }

  /** All go on, now and later. */
  void letGo() {
    letGo.countDown();
  }

  @Override
  public String scheme() {
    return factory.scheme();
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    return new ForwardingStore(factory.open(options)) {
      @Override
      public ReadView read() {
        ReadView view = store.read();
        boolean isEngines = Thread.currentThread().getName().startsWith("millrace-");
        return isEngines ? view : new HeldView(view);
      }
    };
  }

  /** Is held at the first look into it. */
  private final class HeldView implements ReadView {

    private final ReadView view;

    HeldView(ReadView view) {
      this.view = view;
    }

    private ReadView held() {
      heldCount.incrementAndGet();
      try {
        letGo.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      } finally {
        heldCount.decrementAndGet();
      }
      return view;
    }

    @Override
    public long commit() {
      return held().commit();
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return held().get(key);
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      return held().getAll(keys);
    }

    @Override
    public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
      return held().scan(startInclusive, endExclusive, size, visitor);
    }

    @Override
    public void close() {
      view.close();
    }
  }
}
