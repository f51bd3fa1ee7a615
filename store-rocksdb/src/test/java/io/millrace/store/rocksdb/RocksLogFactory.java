package io.millrace.store.rocksdb;

import io.millrace.memtable.MemtableOptions;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;

/** Opens RocksDB stores with a log before them. */
public class RocksLogFactory implements StoreFactory {

  private final String scheme;
  private final MemtableOptions layers;

  /** With layers of the usual size. */
  public RocksLogFactory() {
    this("rocksdb-log", MemtableOptions.standard());
  }

  private RocksLogFactory(String scheme, MemtableOptions layers) {
    this.scheme = scheme;
    this.layers = layers;
  }

  @Override
  public String scheme() {
    return scheme;
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    return RocksStoreFactory.open(options, layers);
  }

  /** With layers of a few batches, so that they are folded all the time. */
  public static final class Small extends RocksLogFactory {

    /** With layers of at most 8 KiB. */
    public Small() {
      super("rocksdb-log-small", MemtableOptions.standard().layer(8 << 10, 40));
    }
  }
}
