package io.millrace.jmh.load;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;

/**
 * A factory of stores whose writes and syncs are counted and timed, so that the same can be written
 * without the engine.
 */
public final class Metering implements StoreFactory {

  private final StoreFactory factory;
  private final Footprint total = new Footprint();

  public Metering(StoreFactory factory) {
    this.factory = factory;
  }

  /** Returns the footprint of everything written since the stores were opened. Any thread. */
  public Footprint total() {
    synchronized (total) {
      return total.copy();
    }
  }

  @Override
  public String scheme() {
    return factory.scheme();
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    return new Metered(factory.open(options));
  }

  private final class Metered implements OrderedStore {

    private final OrderedStore store;

    Metered(OrderedStore store) {
      this.store = store;
    }

    @Override
    public void write(WriteBatch batch) {
      long startNs = System.nanoTime();
      store.write(batch);
      long tookNs = System.nanoTime() - startNs;
      synchronized (total) {
        total.add(batch, tookNs);
      }
    }

    @Override
    public void sync() {
      long startNs = System.nanoTime();
      store.sync();
      long tookNs = System.nanoTime() - startNs;
      synchronized (total) {
        total.addSync(tookNs);
      }
    }

    @Override
    public void settle() {
      store.settle();
    }

    @Override
    public StoreInfo info() {
      return store.info();
    }

    @Override
    public long epoch() {
      return store.epoch();
    }

    @Override
    public long lastCommit() {
      return store.lastCommit();
    }

    @Override
    public long syncedCommit() {
      return store.syncedCommit();
    }

    @Override
    public ReadView read() {
      return store.read();
    }

    @Override
    public void backupTo(Path folder) {
      store.backupTo(folder);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
