package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How an engine is. Immutable. Made by Millrace alone: it may get more accessors. */
public interface EngineHealth {

  /** What it does with requests. */
  Status status();

  /** Since when. */
  Instant since();

  /** Why, in a sentence; empty while it is up. */
  String reason();

  /**
   * How far the engine's time is ahead of the wall clock; it runs slower until they meet. Negative
   * until a wall clock that was set forward is followed: for a second, or for half a minute if it
   * was set by more than ten seconds.
   */
  Duration clockDivergence();

  /** The newest failure since the opening, also if it is over. */
  Optional<Failure> lastError();

  /**
   * What an operator should look at though the engine goes on, a sentence each; empty when it is
   * over.
   */
  List<String> warnings();

  /** What an engine does with requests. */
  enum Status {
    /** Carries them out. */
    UP,
    /** Refuses those that take room; the others are carried out. */
    FULL,
    /** Refuses all changes until it is reopened; reads go on. */
    POISONED,
    /** Another owner has taken the store over: as {@link #POISONED}, but nothing is in doubt. */
    NOT_OWNER,
    /** Refuses everything. */
    CLOSED
  }

  /**
   * Something that went wrong.
   *
   * @param at when
   * @param error what
   */
  record Failure(Instant at, String error) {}
}
