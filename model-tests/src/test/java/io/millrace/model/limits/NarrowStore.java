package io.millrace.model.limits;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.ForwardingStore;

/** A store that takes smaller batches than the one behind it, and says so. */
final class NarrowStore extends ForwardingStore {

  private final StoreInfo info;

  private NarrowStore(OrderedStore store, int batchOperationsMax, long batchBytesMax) {
    super(store);
    this.info = store.info().batchBytesMax(batchBytesMax).batchOperationsMax(batchOperationsMax);
  }

  /** Puts such a store in front of each that the other opens. */
  static StoreFactory factory(StoreFactory wide, int batchOperationsMax, long batchBytesMax) {
    return factory(wide, store -> new NarrowStore(store, batchOperationsMax, batchBytesMax));
  }

  @Override
  public StoreInfo info() {
    return info;
  }

  @Override
  public void write(WriteBatch batch) {
    batch.requireAcceptable(lastCommit(), info);
    store.write(batch);
  }
}
