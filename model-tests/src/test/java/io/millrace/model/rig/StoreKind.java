package io.millrace.model.rig;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.store.memory.MemoryStore;
import io.millrace.store.memory.MemoryStoreFactory;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The stores that the tests run on, each of a kind that can be opened again after it was closed or
 * cut off.
 */
public enum StoreKind {
  /**
   * Outlives its closing, unlike a real store in memory: the next opening begins with the contents
   * of the last.
   */
  MEMORY {
    @Override
    public StoreFactory newFactory() {
      return new KeptMemory();
    }
  },

  /** A simulated disk that can lose power. */
  FAULTY {
    @Override
    public StoreFactory newFactory() {
      return new FaultyStore(1);
    }
  },

  LMDB {
    @Override
    public StoreFactory newFactory() {
      return found("lmdb");
    }
  },

  ROCKSDB {
    @Override
    public StoreFactory newFactory() {
      return found("rocksdb");
    }
  };

  /** Of stores that outlive their closing. */
  public abstract StoreFactory newFactory();

  private static StoreFactory found(String scheme) {
    return ServiceLoader.load(StoreFactory.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(factory -> factory.scheme().equals(scheme))
        .findFirst()
        .orElseThrow();
  }

  /** Opens each store with what the one before held. */
  private static final class KeptMemory implements StoreFactory {

    private Optional<Opened> last = Optional.empty();

    /** A store with what it says only while it is open. */
    private record Opened(MemoryStore store, StoreInfo info, long epoch) {}

    @Override
    public String scheme() {
      return MemoryStoreFactory.SCHEME;
    }

    @Override
    public OrderedStore open(StoreOptions options) {
      MemoryStore store =
          last.map(before -> reopened(before, options))
              .orElseGet(() -> (MemoryStore) new MemoryStoreFactory().open(options));
      last = Optional.of(new Opened(store, store.info(), store.epoch()));
      return store;
    }

    private static MemoryStore reopened(Opened before, StoreOptions options) {
      return new MemoryStore(
          before.info(),
          options,
          Math.max(before.epoch() + 1, options.epochLeast()),
          before.store().contents(),
          () -> {});
    }
  }
}
