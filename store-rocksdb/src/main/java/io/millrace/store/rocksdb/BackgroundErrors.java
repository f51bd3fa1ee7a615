package io.millrace.store.rocksdb;

import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of what failed on RocksDB's own threads, where there is no caller to tell.
 *
 * <p>A full disk is not among it: RocksDB gets over that by itself, and until then says so to each
 * write. Nor are the reasons that RocksDB has and its Java side does not know, such as a failed
 * manifest: those end writing, and the next write is told. Called by any thread, also by the
 * writer's inside its call.
 */
final class BackgroundErrors extends AbstractEventListener {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundErrors.class);

  private volatile @Nullable String first;

  BackgroundErrors() {
    super(EnabledEventCallback.ON_BACKGROUND_ERROR);
  }

  /** The first error that RocksDB does not get over; null if there was none. */
  @Nullable String first() {
    return first;
  }

  @Override
  public void onBackgroundError(BackgroundErrorReason reason, Status status) {
    if (RocksErrors.isNoSpace(status)) {
      LOG.warn("disk is full: during={}, status={}", reason, RocksErrors.text(status));
      return;
    }
    LOG.error("database failed: during={}, status={}", reason, RocksErrors.text(status));
    if (first == null) {
      first = "during=" + reason + ", status=" + RocksErrors.text(status);
    }
  }
}
