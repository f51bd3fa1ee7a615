package io.millrace.store.rocksdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;

/** Opens RocksDB stores: {@code rocksdb:} folders. */
public final class RocksStoreFactory implements StoreFactory {

  /** The scheme, and the name that a folder's header gives to this kind of store. */
  public static final String SCHEME = RocksLimits.NAME;

  /** Creates the factory; {@link java.util.ServiceLoader} does. */
  public RocksStoreFactory() {}

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    if (!options.mayHaveLog()) {
      throw new IllegalArgumentException(
          "RocksDB's log is its own and cannot be left out: value=\""
              + options.shownLocation()
              + "\"; leave \"?log=none\" out");
    }
    return RocksStore.open(options);
  }
}
