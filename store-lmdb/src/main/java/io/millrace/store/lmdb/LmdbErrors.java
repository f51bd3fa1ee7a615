package io.millrace.store.lmdb;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFullException;
import java.io.IOException;
import java.nio.file.Path;
import jnr.constants.platform.Errno;
import org.lmdbjava.Dbi.BadDbiException;
import org.lmdbjava.Dbi.IncompatibleException;
import org.lmdbjava.Dbi.KeyNotFoundException;
import org.lmdbjava.Env.FileInvalidException;
import org.lmdbjava.Env.MapFullException;
import org.lmdbjava.Env.ReadersFullException;
import org.lmdbjava.Env.VersionMismatchException;
import org.lmdbjava.LmdbNativeException;
import org.lmdbjava.LmdbNativeException.PageCorruptedException;
import org.lmdbjava.LmdbNativeException.PageNotFoundException;

/** The one place that knows what LMDB's and the system's error codes mean to the store's caller. */
final class LmdbErrors {

  /**
   * The free disk space, in bytes, below which a disk counts as full: a write that fails then
   * failed for want of room.
   */
  static final long DISK_FULL_BYTES = 8L << 20;

  private LmdbErrors() {}

  /** Translates an exception that was thrown while the store was being opened, read or copied. */
  static StoreException translate(String action, Path folder, RuntimeException thrown) {
    String message = action + ": folder=" + folder + ", reason=" + thrown.getMessage();
    if (thrown instanceof StoreException known) {
      return known;
    }
    if (thrown instanceof VersionMismatchException) {
      return new FormatVersionException(message, thrown);
    }
    if (isCorrupt(thrown)) {
      return new StoreCorruptException(message, thrown);
    }
    if (thrown instanceof ReadersFullException) {
      return new StoreBusyException("too many views are open; " + message, thrown);
    }
    return new StoreException(message, thrown);
  }

  static StoreFullException full(Path folder, RuntimeException thrown) {
    return new StoreFullException(
        "store is full: folder=" + folder + ", reason=" + thrown.getMessage(), thrown);
  }

  static boolean isMapFull(RuntimeException thrown) {
    return thrown instanceof MapFullException;
  }

  /** Tells whether the system says that the disk, or the user's share of it, is full. */
  static boolean isNoSpace(RuntimeException thrown) {
    return isErrno(thrown, Errno.ENOSPC) || isErrno(thrown, Errno.EDQUOT);
  }

  /**
   * Tells whether an exception is what a disk that just got full causes, or a broken one: LMDB
   * calls a write that came back short an input/output error, and Java gives no code at all.
   */
  static boolean mayBeNoSpace(RuntimeException thrown) {
    return isErrno(thrown, Errno.EIO) || thrown.getCause() instanceof IOException;
  }

  private static boolean isErrno(RuntimeException thrown, Errno errno) {
    return thrown instanceof LmdbNativeException coded
        && errno.defined()
        && coded.getResultCode() == errno.intValue();
  }

  static boolean isCorrupt(RuntimeException thrown) {
    return thrown instanceof FileInvalidException
        || thrown instanceof PageCorruptedException
        || thrown instanceof PageNotFoundException
        || thrown instanceof BadDbiException
        || thrown instanceof IncompatibleException
        || thrown instanceof KeyNotFoundException;
  }
}
