package io.millrace.internal.commit;

import io.millrace.internal.measure.Recorder;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.OwnerName;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open store, which is replaced when the engine is reopened. Any thread may read through it;
 * only the loop writes.
 */
public final class ReopenableStore {

  private static final Logger LOG = LoggerFactory.getLogger(ReopenableStore.class);

  private static final int CLOSE_TRIES = 20;

  private final StoreFactory factory;
  private final StoreOptions options;
  private final Recorder recorder;
  private final Optional<Path> folder;
  private final String kind;
  private volatile OrderedStore store;

  /** Opens the store. */
  public ReopenableStore(StoreFactory factory, StoreOptions options, Recorder recorder) {
    this.factory = factory;
    this.options = named(options);
    this.recorder = recorder;
    this.store = factory.open(this.options);
    try {
      this.folder = store.info().folder();
      this.kind = store.info().name();
    } catch (Throwable e) {
      closeAfter(e, store::close);
      throw e;
    }
  }

  /**
   * Closes what could not be opened completely, so that the next opening may come at once. A
   * failure of that is added to the cause.
   */
  public static void closeAfter(Throwable cause, Runnable closing) {
    try {
      closing.run();
    } catch (Throwable e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
  }

  /**
   * Closes a store that could not be taken over, even if an error such as want of memory comes in
   * between. A store that is left open could not be opened again.
   */
  void abandon(Throwable cause) {
    boolean isOver = false;
    for (int i = 0; i < CLOSE_TRIES && !isOver; i++) {
      try {
        store.close();
        isOver = true;
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
        isOver = true;
      } catch (Error e) {
        LOG.debug("a store that could not be taken over is not closed yet", e);
      }
    }
  }

  /**
   * Returns the options with a name of the owner for this engine, unless the user gave one. Two
   * engines of one process are two owners; one that opens its store again keeps its name.
   */
  private static StoreOptions named(StoreOptions options) {
    boolean isNamed = !options.owner().equals(OwnerName.ofThisProcess());
    return isNamed ? options : options.owner(OwnerName.newNode());
  }

  /** Returns the recorder of the work on the store. */
  public Recorder recorder() {
    return recorder;
  }

  /** Returns the absolute path of the store's folder, if it lives in a folder of this machine. */
  public Optional<Path> folder() {
    return folder;
  }

  /** Returns the place of the store for people: its folder, or its location without passwords. */
  public String place() {
    return folder.map(Path::toString).orElse(options.shownLocation());
  }

  /** Returns the kind and place of the store for people; also works when the store is closed. */
  String location() {
    return kind + ":" + place();
  }

  /** Returns the store that is open now. */
  public OrderedStore store() {
    return store;
  }

  /** Tells whether the store has written commits that are not durable yet. */
  boolean hasUnsynced() {
    return store.syncedCommit() < store.lastCommit();
  }

  /**
   * Closes the store, whatever becomes of that, and opens it again. If opening throws, the closed
   * store stays.
   */
  void reopen() {
    try {
      store.close();
    } catch (RuntimeException | Error e) {
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

  /** Makes all written commits durable. Does not call a store that has done so with its writes. */
  void syncAll() {
    boolean isDone = store.info().syncing() == StoreInfo.Syncing.WITH_WRITE && !hasUnsynced();
    if (!isDone) {
      sync();
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
