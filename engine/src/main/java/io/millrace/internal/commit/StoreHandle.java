package io.millrace.internal.commit;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open store, which a reopening replaces. Any thread may read through it; only the loop writes.
 */
public final class StoreHandle {

  private static final Logger LOG = LoggerFactory.getLogger(StoreHandle.class);

  private final StoreFactory factory;
  private final StoreOptions options;
  private volatile OrderedStore store;

  /** Opens the store. */
  public StoreHandle(StoreFactory factory, StoreOptions options) {
    this.factory = factory;
    this.options = options;
    this.store = factory.open(options);
  }

  /** The store that is open now. */
  public OrderedStore store() {
    return store;
  }

  /**
   * Closes the store, whatever becomes of that, and opens it again. If opening throws, the closed
   * one stays.
   */
  void reopen() {
    try {
      store.close();
    } catch (RuntimeException e) {
      // It failed before: closing it is only to let go of its files.
      LOG.debug("closing the failed store failed", e);
    }
    store = factory.open(options);
  }

  void write(WriteBatch batch, int requestCount) {
    CommitEvent event = new CommitEvent();
    event.begin();
    store.write(batch);
    event.end();
    if (event.shouldCommit()) {
      event.number = batch.number();
      event.requestCount = requestCount;
      event.operationCount = batch.size();
      event.bytes = batch.bytes();
      event.commit();
    }
  }

  void sync() {
    SyncEvent event = new SyncEvent();
    event.begin();
    store.sync();
    event.end();
    if (event.shouldCommit()) {
      event.lastCommit = store.lastCommit();
      event.commit();
    }
  }
}
