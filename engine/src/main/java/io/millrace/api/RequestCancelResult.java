package io.millrace.api;

/** How a request to cancel a job ended. */
public enum RequestCancelResult {
  /** The job is leased: its holder learns of the request, and the job is not served again. */
  REQUESTED,
  /** Nobody worked on the job; it was removed. */
  CANCELLED,
  /** The job does not exist, or has ended; nothing was changed. */
  GONE
}
