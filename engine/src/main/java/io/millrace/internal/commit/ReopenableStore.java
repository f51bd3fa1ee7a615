package io.millrace.internal.commit;

import io.millrace.internal.measure.Recorder;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open store, which a reopening replaces. Any thread may read through it; only the loop writes.
 */
public final class ReopenableStore {

  private static final Logger LOG = LoggerFactory.getLogger(ReopenableStore.class);

  private final StoreFactory factory;
  private final StoreOptions options;
  private final Recorder recorder;
  private volatile OrderedStore store;

  /** Opens the store. */
  public ReopenableStore(StoreFactory factory, StoreOptions options, Recorder recorder) {
    this.factory = factory;
    this.options = options;
    this.recorder = recorder;
    this.store = factory.open(options);
  }

  /** What is noted about the work on it. */
  public Recorder recorder() {
    return recorder;
  }

  /** Where it lives, if it keeps anything on disk. */
  public Path folder() {
    return options.folder();
  }

  /** The store that is open now. */
  public OrderedStore store() {
    return store;
  }

  /** Whether the store has written what it has not made durable. */
  boolean hasUnsynced() {
    return store.syncedCommit() < store.lastCommit();
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
    long begunNs = recorder.begin();
    store.write(batch);
    recorder.wrote(begunNs, requestCount);
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
    long begunNs = recorder.begin();
    store.sync();
    recorder.synced(begunNs);
    event.end();
    if (event.shouldCommit()) {
      event.lastCommit = store.lastCommit();
      event.commit();
    }
  }
}
