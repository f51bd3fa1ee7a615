package io.millrace.store.lmdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;

/** A factory of LMDB stores without a log, in whatever folder. */
public final class LmdbPlainFactory implements StoreFactory {

  static final String SCHEME = "lmdb-plain";

  /** Creates the factory; {@link java.util.ServiceLoader} does. */
  public LmdbPlainFactory() {}

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    return LmdbStoreFactory.openPlain(options, LmdbStore.CLOSE_TIMEOUT_NS);
  }
}
