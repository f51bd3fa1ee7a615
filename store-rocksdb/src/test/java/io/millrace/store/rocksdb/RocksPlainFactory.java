package io.millrace.store.rocksdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;

/** A factory of RocksDB stores without a log, in whatever folder. */
public final class RocksPlainFactory implements StoreFactory {

  static final String SCHEME = "rocksdb-plain";

  /** Creates the factory; {@link java.util.ServiceLoader} does. */
  public RocksPlainFactory() {}

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    return RocksStoreFactory.openPlain(options, RocksStore.CLOSE_TIMEOUT_NS);
  }

  static RocksStore openStore(StoreOptions options) {
    return openStore(options, RocksStore.CLOSE_TIMEOUT_NS);
  }

  /** Opens a store that at its close waits this long for calls under way. */
  static RocksStore openStore(StoreOptions options, long closeTimeoutNs) {
    return (RocksStore) RocksStoreFactory.openPlain(options, closeTimeoutNs);
  }
}
