package io.millrace.store.rocksdb;

import io.millrace.spi.folder.CallGate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tidies a full store on a thread of its own, so that the writer waits for it no longer than a
 * moment: to compact a large store takes minutes, and what frees jobs must go on meanwhile. For the
 * writer's thread.
 */
final class Compactor {

  private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);
  private static final long WAIT_MS = 500;

  private final Database database;
  private final CallGate gate;
  private @Nullable CompletableFuture<Boolean> running;

  Compactor(Database database, CallGate gate) {
    this.database = database;
    this.gate = gate;
  }

  /** How far to tidy. */
  enum Work {
    /** What is in memory only goes into a table: the work of a moment. */
    FLUSH,
    /** And all that was deleted or replaced is got rid of. */
    COMPACT
  }

  /**
   * Does the work, or waits for what is under way already; false if that has not ended yet, or
   * failed.
   */
  boolean runAndAwait(Work work) {
    CompletableFuture<Boolean> tidying = running;
    if (tidying == null) {
      tidying = CompletableFuture.supplyAsync(() -> run(work), Compactor::start);
      running = tidying;
    }
    boolean isEnded =
        tidying
            .thenApply(isDone -> true)
            .completeOnTimeout(false, WAIT_MS, TimeUnit.MILLISECONDS)
            .join();
    if (isEnded) {
      running = null;
      return tidying.join();
    }
    return false;
  }

  private boolean run(Work work) {
    if (!gate.tryEnter()) {
      return false;
    }
    try {
      database.flush();
      if (work == Work.COMPACT) {
        database.compact();
      }
      return true;
    } catch (RocksDBException e) {
      if (!RocksErrors.isCanceled(e)) {
        LOG.warn("full store cannot be tidied: folder={}", database.folder(), e);
      }
      return false;
    } finally {
      gate.exit();
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "millrace-rocksdb-compactor");
    thread.setDaemon(true);
    thread.start();
  }
}
