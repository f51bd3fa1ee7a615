package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The condition of an engine. Immutable. Only Millrace implements this interface, and accessors may
 * be added.
 */
public interface EngineHealth {

  /** Returns what the engine does with requests. */
  Status status();

  /** Returns when the engine entered this status. */
  Instant since();

  /** Returns the reason for the status, in a sentence; empty while the engine is up. */
  String reason();

  /**
   * Returns how far the engine's time is ahead of the wall clock. Engine time then runs slower
   * until they meet. The value is negative after the wall clock was set forward, until engine time
   * follows: for one second, or for half a minute if the clock was set by more than ten seconds.
   */
  Duration clockDivergence();

  /** Returns the newest failure since the engine was opened, even if it is over. */
  Optional<Failure> lastError();

  /**
   * Returns the current problems that an operator should look at although the engine goes on, in a
   * sentence each. A warning disappears when its problem is over.
   */
  List<String> warnings();

  /** The ways in which an engine treats requests. */
  enum Status {
    /** All requests are carried out. */
    UP,
    /** Requests that take room in the store are refused; the others are carried out. */
    FULL,
    /** All changes are refused until the engine is reopened; reads go on. */
    POISONED,
    /** Another owner has taken the store over: as {@link #POISONED}, but nothing is in doubt. */
    NOT_OWNER,
    /** All requests are refused. */
    CLOSED
  }

  /**
   * A failure of an engine.
   *
   * @param at when the failure happened
   * @param error what went wrong
   */
  record Failure(Instant at, String error) {}
}
