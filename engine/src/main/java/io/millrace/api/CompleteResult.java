package io.millrace.api;

/** How a complete ended. */
public enum CompleteResult {
  /** The job is finished and will never be offered again. */
  COMPLETED,
  /** The lease is no longer the job's current one; nothing was changed. */
  STALE_LEASE,
  /** The job no longer exists; nothing was changed. */
  GONE
}
