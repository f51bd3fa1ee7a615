package io.millrace.store.rocksdb;

import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.ViewEndedException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The one place that knows what RocksDB's status codes mean to the store's caller. */
final class RocksErrors {

  /**
   * RocksDB's text of a full disk, for a status that was made of another and kept its text only.
   */
  private static final String NO_SPACE = "IO error: No space left on device";

  private RocksErrors() {}

  /** Returns the exception for calls that come after the store's close. */
  static StoreException closed() {
    return new StoreClosedException("store is closed");
  }

  /** Returns the exception for views that are older than the opening of the database. */
  static StoreException viewEnded() {
    return new ViewEndedException(
        "view has ended, for the database was opened anew after its disk had been full; open"
            + " another");
  }

  /** Returns the exception for what failed while the store was being opened, read or copied. */
  static StoreException translate(String action, Path folder, RocksDBException thrown) {
    String message = action + ": folder=" + folder + ", reason=" + thrown.getMessage();
    if (isCorrupt(thrown)) {
      return new StoreCorruptException(message, thrown);
    }
    if (isCode(thrown, Status.Code.ShutdownInProgress)) {
      return new StoreClosedException(message, thrown);
    }
    return new StoreException(message, thrown);
  }

  /**
   * Returns the exception for a batch that RocksDB takes only when it has written tables, for which
   * it has no room.
   */
  static StoreFullException stalled(Path folder) {
    return new StoreFullException(
        "store is full: folder=" + folder + ", reason=there was no room to write tables");
  }

  /**
   * Returns the exception for a batch that RocksDB did not take: nothing of it is in the log that a
   * recovery reads.
   */
  static StoreFullException full(Path folder, Throwable thrown) {
    return new StoreFullException(
        "store is full: folder=" + folder + ", reason=" + thrown.getMessage(), thrown);
  }

  /** Tells whether the failure is that the disk, or the user's share of it, is full. */
  static boolean isNoSpace(Throwable thrown) {
    Throwable cause = thrown;
    while (cause != null && !(cause instanceof RocksDBException)) {
      cause = cause.getCause();
    }
    return cause != null && isNoSpace(((RocksDBException) cause).getStatus());
  }

  static boolean isNoSpace(@Nullable Status status) {
    return status != null
        && (status.getSubCode() == Status.SubCode.NoSpace
            || (status.getState() != null && status.getState().contains(NO_SPACE)));
  }

  /** Tells whether a batch was not taken because it was not to wait and would have had to. */
  static boolean isStall(RocksDBException thrown) {
    return isCode(thrown, Status.Code.Incomplete);
  }

  /** Tells whether a compaction ended because it was told to stop. */
  static boolean isCanceled(RocksDBException thrown) {
    return isCode(thrown, Status.Code.Incomplete) || isCode(thrown, Status.Code.ShutdownInProgress);
  }

  static String text(Status status) {
    String state = status.getState();
    return status.getCodeString() + (state == null ? "" : ": " + state);
  }

  private static boolean isCorrupt(RocksDBException thrown) {
    return isCode(thrown, Status.Code.Corruption);
  }

  private static boolean isCode(RocksDBException thrown, Status.Code code) {
    return thrown.getStatus() != null && thrown.getStatus().getCode() == code;
  }
}
