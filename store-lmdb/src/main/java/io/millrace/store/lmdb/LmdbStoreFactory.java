package io.millrace.store.lmdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;

/**
 * A factory of LMDB stores: {@code lmdb:} folders, with a log before the database unless {@code
 * ?log=none} stands behind the folder. Either way it opens what the other left, and goes on in its
 * own.
 */
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
    return options.mayHaveLog() ? LoggedLmdb.open(options) : PlainLmdb.open(options);
  }
}
