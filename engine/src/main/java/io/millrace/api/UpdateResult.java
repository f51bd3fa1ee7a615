package io.millrace.api;

/** How an update ended. */
public enum UpdateResult {
  /** The job is as the update says. */
  OK,
  /** The job is leased and stays as it is. */
  RUNNING,
  /** The job does not exist, or has ended; nothing was changed. */
  GONE
}
