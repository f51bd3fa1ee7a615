package io.millrace.store.lmdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;

/** Opens LMDB stores: {@code lmdb:} folders. */
public final class LmdbStoreFactory implements StoreFactory {

  /** The scheme, and the name that a folder's header gives to this kind of store. */
  public static final String SCHEME = LmdbLimits.NAME;

  /** Creates the factory; {@link java.util.ServiceLoader} does. */
  public LmdbStoreFactory() {}

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    return PlainLmdb.open(options);
  }
}
