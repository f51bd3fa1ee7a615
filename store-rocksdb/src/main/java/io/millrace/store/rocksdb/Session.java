package io.millrace.store.rocksdb;

import io.millrace.spi.StoreException;
import io.millrace.spi.folder.CallGate;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One opening of the database, with all that lives no longer than that. A store has one at a time:
 * a database that does not get over a full disk by itself is opened anew.
 *
 * <p>Every call that reaches native code enters and exits: memory is freed only when nobody is
 * inside. Thread-safe.
 */
final class Session {

  private final CallGate gate = new CallGate();
  private final Database database;
  private final Snapshots snapshots;
  private final @Nullable RocksWriter writer;
  private final Watermark durable;

  /** What those are told who come too late; null while it lasts. */
  private volatile @Nullable Supplier<StoreException> end;

  private boolean isFreed;

  /** Begins with a database that holds {@code durable}, and closes it at the end. */
  Session(Opening opening, Database database, Watermark durable) throws IOException {
    this.database = database;
    this.snapshots = new Snapshots(database);
    this.durable = durable;
    if (opening.isReadOnly()) {
      this.writer = null;
    } else {
      Room room = new Room(database, gate, opening);
      this.writer = new RocksWriter(database, opening.folder(), room, durable);
    }
  }

  /**
   * Lets a call in, which must {@link #exit}; false if the session has ended. Waits while it is
   * about to end.
   */
  boolean tryEnter() {
    while (!gate.tryEnter()) {
      // The monitor is for who must wait until it is decided; a close may hold it for long.
      if (end != null || hasEnded()) {
        return false;
      }
    }
    return true;
  }

  /** Lets a call in that is of use in this session only. */
  void enter() {
    if (!tryEnter()) {
      throw ended();
    }
  }

  void exit() {
    gate.exit();
  }

  /** What to tell those who come too late. */
  StoreException ended() {
    Supplier<StoreException> told = end;
    if (told == null) {
      throw new IllegalStateException("session has not ended");
    }
    return told.get();
  }

  Database database() {
    return database;
  }

  Snapshots snapshots() {
    return snapshots;
  }

  /**
   * Who writes.
   *
   * @throws IllegalStateException the store is open for reading only
   */
  RocksWriter writer() {
    if (writer == null) {
      throw new IllegalStateException(
          "store is open for reading only: folder=" + database.folder().getParent());
    }
    return writer;
  }

  /** The newest commit, also when the session has ended. */
  long lastCommit() {
    return writer == null ? durable.commit() : writer.lastCommit();
  }

  /** The newest commit that is durable, also when the session has ended. */
  long syncedCommit() {
    return writer == null ? durable.commit() : writer.syncedCommit();
  }

  /**
   * Ends the session and closes the database, if all who are inside come out in time; else goes on
   * and answers false.
   */
  synchronized boolean tryEnd(long timeoutNs, Supplier<StoreException> told) {
    if (isFreed) {
      return true;
    }
    gate.close();
    database.cancelCompaction();
    if (!gate.awaitEmpty(timeoutNs)) {
      database.allowCompaction();
      gate.open();
      return false;
    }
    end = told;
    free();
    return true;
  }

  /** Lets nobody in any more, and changes what those are told who come too late. */
  synchronized void refuse(Supplier<StoreException> told) {
    end = told;
    gate.close();
  }

  /** Ends all work that is done besides, and waits for those who are inside; false if they stay. */
  boolean awaitEmpty(long timeoutNs) {
    cancelAllWork();
    return gate.awaitEmpty(timeoutNs);
  }

  /** Leaves the rest to the last call that exits; nobody can enter any more. */
  void leaveToLast(Runnable rest) {
    gate.leaveToLast(rest);
  }

  private synchronized void cancelAllWork() {
    if (writer != null && !isFreed) {
      database.cancelAllWork();
    }
  }

  /** Makes all durable and closes the database, if it is still open; nobody may be inside. */
  synchronized void close() {
    if (isFreed) {
      return;
    }
    try {
      if (writer != null) {
        writer.finish();
      }
    } finally {
      free();
    }
  }

  /** Frees from the inside out. */
  private void free() {
    isFreed = true;
    try (database) {
      snapshots.releaseAll();
    }
  }

  private synchronized boolean hasEnded() {
    return end != null;
  }
}
