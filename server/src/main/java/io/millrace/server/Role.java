package io.millrace.server;

/** A part of what a server does for callers, which a token allows. */
public enum Role {

  /** Enqueue jobs, send signals, and wait for the ends of jobs. */
  ENQUEUE,

  /** Claim jobs and end their leases, and use tables. */
  WORK,

  /** Change jobs and queues of others: settings, cancellations, dead letters. */
  OPERATE,

  /** Look at everything, payloads included. */
  READ
}
