package io.millrace.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store is open elsewhere, where the message says. Close it there first. A store
 * that is held by time may also be waited for.
 */
public final class StoreLockedException extends StoreException {

  private static final long serialVersionUID = 1L;

  /** A pid that no process has. */
  private static final long UNKNOWN = -1;

  private final long holderPid;
  private final transient @Nullable OwnerName holder;
  private final @Nullable Duration freeIn;

  public StoreLockedException(String message) {
    this(message, UNKNOWN);
  }

  public StoreLockedException(String message, @Nullable Throwable cause) {
    super(message, cause);
    this.holderPid = UNKNOWN;
    this.holder = null;
    this.freeIn = null;
  }

  /** Creates the exception for a store that a process on this machine holds. */
  public StoreLockedException(String message, long holderPid) {
    super(message);
    this.holderPid = holderPid;
    this.holder = null;
    this.freeIn = null;
  }

  /**
   * Creates the exception for a store whose holder told its name, and which is free after {@code
   * freeIn} unless the holder renews its time.
   */
  public StoreLockedException(String message, OwnerName holder, Duration freeIn) {
    super(message);
    this.holderPid = holder.pid();
    this.holder = holder;
    this.freeIn = freeIn;
  }

  /** Creates the exception, with its message, for a store that is held by time. */
  public static StoreLockedException held(String location, OwnerName holder, Duration freeIn) {
    return new StoreLockedException(
        "store is held by another owner; close it there, or try again when its time is over:"
            + " location="
            + location
            + ", "
            + holder
            + ", freeIn="
            + freeIn,
        holder,
        freeIn);
  }

  /** Returns the pid, on its own host, of the process that has the store open; empty if unknown. */
  public OptionalLong holderPid() {
    return holderPid == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(holderPid);
  }

  /** Returns the owner that has the store open; empty if it did not tell its name. */
  public Optional<OwnerName> holder() {
    return Optional.ofNullable(holder);
  }

  /**
   * Returns the time after which the store is free if its holder gives no sign of life; empty if
   * the store is not held by time.
   */
  public Optional<Duration> freeIn() {
    return Optional.ofNullable(freeIn);
  }
}
