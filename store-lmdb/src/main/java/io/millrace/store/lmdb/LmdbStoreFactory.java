package io.millrace.store.lmdb;

import io.millrace.memtable.LoggedStore;
import io.millrace.memtable.MemtableOptions;
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
    return options.mayHaveLog()
        ? open(options, MemtableOptions.standard())
        : openPlain(options, LmdbStore.CLOSE_TIMEOUT_NS);
  }

  /** Opens a store with a log and layers of this size, or smaller ones if its reserve is small. */
  static OrderedStore open(StoreOptions options, MemtableOptions layers) {
    MemtableOptions fitting = LmdbLimits.layers(layers, options.storeBytesMax());
    return LoggedStore.open(options, fitting, kind(LmdbStore.CLOSE_TIMEOUT_NS));
  }

  /** Opens a store without a log that at its close waits this long for calls under way. */
  static OrderedStore openPlain(StoreOptions options, long closeTimeoutNs) {
    MemtableOptions layers = LmdbLimits.layers(MemtableOptions.standard(), options.storeBytesMax());
    return LoggedStore.openPlain(options, layers, kind(closeTimeoutNs));
  }

  private static LoggedStore.Kind kind(long closeTimeoutNs) {
    return (options, formatMax, first) -> Opening.begin(options, formatMax, first, closeTimeoutNs);
  }
}
