package io.millrace.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The store is open elsewhere, where the message says. Close it there first; one that is held by
 * time may also be waited for.
 */
public final class StoreLockedException extends StoreException {

  private static final long serialVersionUID = 1L;

  /** A pid that nobody has. */
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

  /** Of a store that a process on this machine holds. */
  public StoreLockedException(String message, long holderPid) {
    super(message);
    this.holderPid = holderPid;
    this.holder = null;
    this.freeIn = null;
  }

  /** Of a store that is held by an owner who told his name, for so long unless he renews it. */
  public StoreLockedException(String message, OwnerName holder, Duration freeIn) {
    super(message);
    this.holderPid = holder.pid();
    this.holder = holder;
    this.freeIn = freeIn;
  }

  /** What a store says that is held by time. */
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

  /** The process that has the store open, if it is known; on its own host. */
  public OptionalLong holderPid() {
    return holderPid == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(holderPid);
  }

  /** Who has the store open, if he told his name. */
  public Optional<OwnerName> holder() {
    return Optional.ofNullable(holder);
  }

  /** When the store is free if its holder gives no sign of life, if it is held by time. */
  public Optional<Duration> freeIn() {
    return Optional.ofNullable(freeIn);
  }
}
