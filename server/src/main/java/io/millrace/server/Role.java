package io.millrace.server;

/** A part of what a server does for callers, which a token allows. */
public enum Role {

  /** Enqueue jobs, begin batches, send signals, and wait for the ends of jobs and batches. */
  ENQUEUE,

  /** Claim jobs and end their leases, and read and change tables. */
  WORK,

  /** Change jobs and queues of others: settings, cancellations, dead letters. */
  OPERATE,

  /** Look at queues, jobs with their payloads, and batches. */
  READ
}
