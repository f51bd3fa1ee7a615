package io.millrace.internal.commit;

import io.millrace.MillraceException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.NotOwnerException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.spi.StoreFencedException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why the engine takes no changes until it is reopened, and what everybody is told meanwhile.
 *
 * <p>Either a write or sync failed, and what is stored is unknown: the engine is poisoned. Or
 * another owner has taken the store over, and then all is known: of the batch that met it nothing
 * happened, nor will anything of any later one.
 *
 * <p>Belongs to the loop's thread, except for {@link #cause()} and {@link #refusal()}.
 */
final class Outage {

  private static final String NO_MEMORY =
      " for want of memory, or after another error; look at the engine's health";

  /** What is told if nothing better can be made, as for want of memory: ready before that. */
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

  /** Begins it, if it has not begun. */
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
   * Whether the batch whose outcome was unknown turns out not to have happened.
   *
   * @param lastCommit of the store that was opened again
   */
  boolean hasNeverHappened(long lastCommit) {
    return lastCommit < unknownNumber;
  }

  /** Its outcome is known, and memory says the same. */
  void outcomeKnown() {
    unknownNumber = 0;
  }

  /** What somebody is told who asks for a change meanwhile; empty if it is over. */
  Optional<MillraceException> refusal() {
    Throwable known = cause;
    return known == null ? Optional.empty() : Optional.of(refusal(known));
  }

  /** What is told to those of whose requests nothing happened, nor will; always something. */
  MillraceException refusalOf(Throwable known) {
    try {
      return refusal(known);
    } catch (Throwable e) {
      return readyRefusal;
    }
  }

  /** What is told to those whose requests were under way; always something. */
  MillraceException ofGroup(Throwable known) {
    try {
      return isFenced(known) ? Refusals.notOwner(known) : unknown(known);
    } catch (Throwable e) {
      return readyUnknown;
    }
  }

  /** What is told to those whose batches were written, and are not synced; always something. */
  OutcomeUnknownException ofWritten(Throwable known) {
    try {
      return unknown(known);
    } catch (Throwable e) {
      return readyUnknown;
    }
  }

  /** What is told to those of whose requests nothing happened, nor will. */
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

  /** What is told to those who open an engine. */
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
