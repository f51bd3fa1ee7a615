package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How an engine is.
 *
 * @param status what it does with requests
 * @param since since when
 * @param reason why, in a sentence; empty while it is up
 * @param clockDivergence how far the engine's time is ahead of the wall clock; it runs slower until
 *     they meet. Negative for at most a second, until a wall clock that was set forward is noticed
 * @param lastError the newest failure since the opening, also if it is over
 * @param warnings what an operator should look at though the engine goes on, a sentence each; empty
 *     when it is over
 */
public record EngineHealth(
    Status status,
    Instant since,
    String reason,
    Duration clockDivergence,
    Optional<Failure> lastError,
    List<String> warnings) {

  public EngineHealth {
    warnings = List.copyOf(warnings);
  }

  /** What an engine does with requests. */
  public enum Status {
    /** Carries them out. */
    UP,
    /** Refuses those that take room; the others are carried out. */
    FULL,
    /** Refuses all changes until it is reopened; reads go on. */
    POISONED,
    /** Refuses everything. */
    CLOSED
  }

  /**
   * Something that went wrong.
   *
   * @param at when
   * @param error what
   */
  public record Failure(Instant at, String error) {}
}
