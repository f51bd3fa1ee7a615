package io.millrace.store.rocksdb;

import io.millrace.spi.folder.CallGate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compactions of a full store, each on a thread of its own, so that the writer need not wait to the
 * end: a large store takes minutes, and batches that free jobs must go on meanwhile. Not
 * thread-safe: {@link Room} guards it.
 */
final class Compactor {

  private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);

  private final Database database;
  private final CallGate gate;
  private @Nullable CompletableFuture<Boolean> running;

  Compactor(Database database, CallGate gate) {
    this.database = database;
    this.gate = gate;
  }

  /**
   * Compacts the store and waits for that.
   *
   * @return true if all that was written before this call is compacted; false if that takes longer,
   *     an earlier compaction is still under way, or the compaction failed
   */
  boolean compactAndAwait(long timeoutMs) {
    CompletableFuture<Boolean> earlier = running;
    if (earlier != null && !isEnded(earlier, timeoutMs)) {
      return false;
    }
    CompletableFuture<Boolean> compaction =
        CompletableFuture.supplyAsync(this::compact, Compactor::start);
    running = compaction;
    return isEnded(compaction, timeoutMs) && compaction.join();
  }

  /** Waits for the compaction, through interrupts; false if it takes longer. */
  private static boolean isEnded(CompletableFuture<Boolean> compaction, long timeoutMs) {
    return compaction
        .thenApply(isCompacted -> true)
        .completeOnTimeout(false, timeoutMs, TimeUnit.MILLISECONDS)
        .join();
  }

  private boolean compact() {
    if (!gate.tryEnter()) {
      return false;
    }
    try {
      database.compact();
      return true;
    } catch (RocksDBException e) {
      if (!RocksErrors.isCanceled(e)) {
        LOG.warn("full store cannot be compacted: folder={}", database.folder(), e);
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
