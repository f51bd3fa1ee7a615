package io.millrace.internal.commit;

import io.millrace.api.EngineOptions;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;

/**
 * When what was written has to be durable: at once if somebody waits for it, or else after the
 * interval of buffered effects. A store whose writes are as durable as they ask to be ({@link
 * StoreInfo.Syncing#WITH_WRITE}) is told that with the batch, and then there is nothing to sync.
 *
 * <p>Belongs to the loop's thread.
 */
final class SyncTimes {

  private final EngineOptions options;
  private final ReopenableStore store;
  private final EngineTime time;
  private final PendingAnswers pending;

  /** When the oldest commit was written that is not synced, if there is one. */
  private long unsyncedSinceNs;

  SyncTimes(EngineOptions options, ReopenableStore store, EngineTime time, PendingAnswers pending) {
    this.options = options;
    this.store = store;
    this.time = time;
    this.pending = pending;
  }

  /** What those who wait ask of the batch that is about to be written. */
  WriteBatch.Wanted wanted() {
    return isAwaited() ? WriteBatch.Wanted.SYNCED : WriteBatch.Wanted.BUFFERED;
  }

  /** A batch was written. */
  void wrote(WriteBatch batch) {
    if (store.store().syncedCommit() == batch.number() - 1) {
      unsyncedSinceNs = time.nowNs();
    }
  }

  /** Whether somebody waits for what was written, or is about to be, to be synced. */
  boolean isAwaited() {
    return pending.syncedNeeded() > store.store().syncedCommit();
  }

  /**
   * Whether to sync now.
   *
   * @param isLeftToNext whether the next write, which will come, syncs what somebody waits for
   */
  boolean isDue(boolean isLeftToNext) {
    return (isAwaited() && !isLeftToNext) || (store.hasUnsynced() && overdueInNs() <= 0);
  }

  /** How long until buffered effects have to be synced. */
  long waitNs() {
    return store.hasUnsynced() ? overdueInNs() : DueWork.NEVER;
  }

  private long overdueInNs() {
    return unsyncedSinceNs + options.bufferedSyncInterval().toNanos() - time.nowNs();
  }
}
