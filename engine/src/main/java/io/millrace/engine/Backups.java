package io.millrace.engine;

import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.internal.read.OpenViews;
import io.millrace.spi.StoreClosedException;
import java.nio.file.Path;

/** Writes backups of a store that is open. Any thread. */
final class Backups {

  private Backups() {}

  /** Writes one, which has one of the views. */
  static void write(Path folder, ReopenableStore store, OpenViews views, CommitLoop loop) {
    try {
      views.during(() -> store.store().backupTo(folder));
      Acts.onStore("backed up", "folder=" + folder);
    } catch (StoreClosedException e) {
      throw loop.storeClosed("there is no backup", e);
    }
  }
}
