package io.millrace.internal.commit;

import io.millrace.api.EngineOptions;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;

/**
 * The times at which written commits have to be durable: at once if somebody waits for that, or
 * else after the interval of buffered effects. A store whose writes are as durable as they ask to
 * be ({@link StoreInfo.Syncing#WITH_WRITE}) is told that with the batch, and then there is nothing
 * to sync.
 *
 * <p>Belongs to the loop's thread.
 */
final class SyncTimes {

  private final EngineOptions options;
  private final ReopenableStore store;
  private final EngineTime time;
  private final PendingAnswers pending;

  /** The monotonic time at which the oldest unsynced commit was written, if there is one. */
  private long unsyncedSinceNs;

  SyncTimes(EngineOptions options, ReopenableStore store, EngineTime time, PendingAnswers pending) {
    this.options = options;
    this.store = store;
    this.time = time;
    this.pending = pending;
  }

  /** Returns the durability that those who wait ask of the batch that is about to be written. */
  WriteBatch.Wanted wanted() {
    return isAwaited() ? WriteBatch.Wanted.SYNCED : WriteBatch.Wanted.BUFFERED;
  }

  /** Notes that a batch was written. */
  void wrote(WriteBatch batch) {
    if (store.store().syncedCommit() == batch.number() - 1) {
      unsyncedSinceNs = time.nowNs();
    }
  }

  /** Tells whether somebody waits for a commit to be synced, be it written or about to be. */
  boolean isAwaited() {
    return pending.syncedNeeded() > store.store().syncedCommit();
  }

  /**
   * Tells whether to sync now.
   *
   * @param isLeftToNext whether the next write, which will come, syncs what somebody waits for
   */
  boolean isDue(boolean isLeftToNext) {
    return (isAwaited() && !isLeftToNext) || (store.hasUnsynced() && overdueInNs() <= 0);
  }

  /** Returns the nanoseconds until buffered effects have to be synced. */
  long waitNs() {
    return store.hasUnsynced() ? overdueInNs() : DueWork.NEVER;
  }

  private long overdueInNs() {
    return unsyncedSinceNs + options.bufferedSyncInterval().toNanos() - time.nowNs();
  }
}
