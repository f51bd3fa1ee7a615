package io.millrace.api;

/** How a cancel ended. */
public enum CancelResult {
  /** The job was removed. */
  OK,
  /** The job is leased and stays as it is. */
  RUNNING,
  /** The job does not exist, or is done and only kept for its result; nothing was changed. */
  GONE
}
