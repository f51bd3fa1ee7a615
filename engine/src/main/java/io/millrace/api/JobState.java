package io.millrace.api;

/** Where a job is in its life; a job is in exactly one state at any time. */
public enum JobState {
  /** May be claimed now. */
  READY,
  /** Will be ready at a known time. */
  DELAYED,
  /** A worker holds a lease on it. */
  LEASED,
  /** Waits for a slot of its concurrency key. */
  BLOCKED,
  /** Waits for a signal. */
  WAITING,
  /** Out of attempts, or failed for good: a dead letter. */
  DEAD,
  /** Completed, and kept for its result. */
  DONE
}
