package io.millrace.store.lmdb;

import io.millrace.memtable.MemtableOptions;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;

/** Opens LMDB stores with a log before them. */
public class LmdbLogFactory implements StoreFactory {

  private final String scheme;
  private final MemtableOptions layers;

  /** With layers of the usual size. */
  public LmdbLogFactory() {
    this("lmdb-log", MemtableOptions.standard());
  }

  private LmdbLogFactory(String scheme, MemtableOptions layers) {
    this.scheme = scheme;
    this.layers = layers;
  }

  @Override
  public String scheme() {
    return scheme;
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    return LmdbStoreFactory.open(options, layers);
  }

  /** With layers of a few batches, so that they are folded all the time. */
  public static final class Small extends LmdbLogFactory {

    /** With layers of at most 8 KiB. */
    public Small() {
      super("lmdb-log-small", MemtableOptions.standard().layer(8 << 10, 40));
    }
  }
}
