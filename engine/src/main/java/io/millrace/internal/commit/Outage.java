package io.millrace.internal.commit;

import io.millrace.MillraceException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.NotOwnerException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.spi.StoreFencedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reason why the engine takes no changes until it is reopened, and the exceptions that callers
 * get meanwhile.
 *
 * <p>Either a write or sync failed, and what is stored is unknown: the engine is poisoned. Or
 * another owner has taken the store over, and then all is known: nothing happened of the batch that
 * met it, nor will anything happen of a later one.
 *
 * <p>Belongs to the loop's thread, except for {@link #cause()} and {@link #refusal()}.
 */
final class Outage {

  private static final String NO_MEMORY =
      " for want of memory, or after another error; look at the engine's health";

  /** The refusal for when none can be made, as for want of memory; created before it is needed. */
  private final MillraceException readyRefusal =
      new EnginePoisonedException("engine takes no changes" + NO_MEMORY, null);

  private final OutcomeUnknownException readyUnknown =
      new OutcomeUnknownException("outcome is unknown" + NO_MEMORY);

  private volatile @Nullable Throwable cause;

  /** The number of the batch whose outcome is unknown; 0 if there is none. */
  private long unknownNumber;

  Optional<Throwable> cause() {
    return Optional.ofNullable(cause);
  }

  boolean isOver() {
    return cause == null;
  }

  /** Begins the outage unless one has begun; returns whether this call began it. */
  boolean begin(Throwable thrown, long batchNumber) {
    if (cause != null) {
      return false;
    }
    unknownNumber = isFenced(thrown) ? 0 : batchNumber;
    cause = thrown;
    return true;
  }

  void end() {
    cause = null;
  }

  /**
   * Tells whether the batch whose outcome was unknown turns out not to have happened.
   *
   * @param lastCommit the last commit of the store that was opened again
   */
  boolean hasNeverHappened(long lastCommit) {
    return lastCommit < unknownNumber;
  }

  /** Notes that the batch's outcome is known, and that memory agrees with the store. */
  void outcomeKnown() {
    unknownNumber = 0;
  }

  /** Returns the exception for a caller who asks for a change; empty if the outage is over. */
  Optional<MillraceException> refusal() {
    Throwable known = cause;
    return known == null ? Optional.empty() : Optional.of(refusal(known));
  }

  /** Returns the exception for requests of which nothing happened, nor will. Never throws. */
  MillraceException refusalOf(Throwable known) {
    try {
      return refusal(known);
    } catch (Throwable e) {
      return readyRefusal;
    }
  }

  /** Returns the exception for requests that were under way. Never throws. */
  MillraceException ofGroup(Throwable known) {
    try {
      return isFenced(known) ? Refusals.notOwner(known) : unknown(known);
    } catch (Throwable e) {
      return readyUnknown;
    }
  }

  /** Returns the exception for requests whose batches were written but not synced. Never throws. */
  OutcomeUnknownException ofWritten(Throwable known) {
    try {
      return unknown(known);
    } catch (Throwable e) {
      return readyUnknown;
    }
  }

  /** Creates the exception for requests of which nothing happened, nor will. */
  private static MillraceException refusal(Throwable cause) {
    return isFenced(cause) ? Refusals.notOwner(cause) : Refusals.poisoned(cause);
  }

  private static OutcomeUnknownException unknown(Throwable cause) {
    String what =
        isFenced(cause)
            ? "outcome is unknown: another owner took the store over before the commit was synced;"
                + " look there"
            : "outcome is unknown: the store failed during the commit; reopen the engine and look";
    return new OutcomeUnknownException(what, cause);
  }

  /** Returns the exception for a caller who opens an engine and meets the given failure. */
  static Throwable ofOpening(Throwable cause) {
    return cause instanceof StoreFencedException
        ? new NotOwnerException(
            "another owner took the store over while it was being opened; nothing happened, open"
                + " it again when it is free",
            cause)
        : cause;
  }

  static boolean isFenced(Throwable cause) {
    return cause instanceof StoreFencedException;
  }
}
