package io.millrace.store.rocksdb;

import io.millrace.spi.StoreException;
import io.millrace.spi.folder.CallGate;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An opening of the database, with all that lives no longer than that. A store has one at a time: a
 * database that does not get over a full disk by itself is opened anew, in another session.
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

  /** The exception for calls that come too late; null while the session lasts. */
  private volatile @Nullable Supplier<StoreException> end;

  private boolean isFreed;

  /**
   * Begins a session on a database that holds {@code durable}, and closes the database at the end.
   */
  Session(DatabaseFolder place, Database database, Watermark durable) throws IOException {
    this.database = database;
    this.snapshots = new Snapshots(database);
    this.durable = durable;
    if (place.isReadOnly()) {
      this.writer = null;
    } else {
      Room room = new Room(database, gate, place);
      this.writer = new RocksWriter(database, place.folder(), room, durable);
    }
  }

  /**
   * Lets a call in, which must {@link #exit}. Waits while the session is about to end.
   *
   * @return false if the session has ended
   */
  boolean tryEnter() {
    while (!gate.tryEnter()) {
      // The monitor is for who must wait until it is decided; a close may hold it for long.
      if (hasEnded() || isEndDecided()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Lets a call in that is of use in this session only, and throws {@link #ended} if it has ended.
   */
  void enter() {
    if (!tryEnter()) {
      throw ended();
    }
  }

  void exit() {
    gate.exit();
  }

  /** Tells whether the session has ended: no call can enter any more. */
  boolean hasEnded() {
    return end != null;
  }

  /** Returns the exception for calls that come too late. */
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
   * Returns the writer.
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

  /** Returns the newest commit, also when the session has ended. */
  long lastCommit() {
    return writer == null ? durable.commit() : writer.lastCommit();
  }

  /** Returns the newest commit that is durable, also when the session has ended. */
  long syncedCommit() {
    return writer == null ? durable.commit() : writer.syncedCommit();
  }

  /**
   * Ends the session and closes the database, if all calls inside come out in time. If not, the
   * session goes on.
   *
   * @param told gives the exception for calls that come too late
   * @return false if the session goes on
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

  /** Lets no call in any more, and changes the exception for calls that come too late. */
  synchronized void refuse(Supplier<StoreException> told) {
    end = told;
    gate.close();
  }

  /** Ends all work on RocksDB's own threads, and waits for the calls inside; false if some stay. */
  boolean awaitEmpty(long timeoutNs) {
    cancelAllWork();
    return gate.awaitEmpty(timeoutNs);
  }

  /** Leaves the rest to the last call that exits; no call can enter any more. */
  void leaveToLast(Runnable rest) {
    gate.leaveToLast(rest);
  }

  private synchronized void cancelAllWork() {
    if (writer != null && !isFreed) {
      database.cancelAllWork();
    }
  }

  /**
   * Makes everything durable and closes the database, if it is still open; no call may be inside.
   */
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

  /** Releases the snapshots, and then closes the database that they are of. */
  private void free() {
    isFreed = true;
    try (database) {
      snapshots.releaseAll();
    }
  }

  /** Tells whether the session has ended, once a thread that is about to end it has done so. */
  private synchronized boolean isEndDecided() {
    return end != null;
  }
}
