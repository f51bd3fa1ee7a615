package io.millrace.api;

/** The states of a job. A job is in exactly one state at any time. */
public enum JobState {
  /** The job may be claimed now. */
  READY,
  /** The job will be ready at a known time. */
  DELAYED,
  /** A worker holds a lease on the job. */
  LEASED,
  /** The job waits for a slot of its concurrency key. */
  BLOCKED,
  /** The job waits for a signal. */
  WAITING,
  /** The job is a dead letter: out of attempts, or failed for good. */
  DEAD,
  /** The job was completed, and is kept for its result. */
  DONE
}
