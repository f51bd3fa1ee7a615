package io.millrace.spi;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The store is open elsewhere, in the process that the message names. Close it there first. */
public final class StoreLockedException extends StoreException {

  private static final long serialVersionUID = 1L;

  /** A pid that nobody has. */
  private static final long UNKNOWN = -1;

  private final long holderPid;

  public StoreLockedException(String message) {
    this(message, UNKNOWN);
  }

  public StoreLockedException(String message, @Nullable Throwable cause) {
    super(message, cause);
    this.holderPid = UNKNOWN;
  }

  public StoreLockedException(String message, long holderPid) {
    super(message);
    this.holderPid = holderPid;
  }

  /** The process that has the store open, if it is known. */
  public OptionalLong holderPid() {
    return holderPid == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(holderPid);
  }
}
