package io.millrace.model.crash;

/** What a process asks for. */
enum Op {
  ENQUEUE,
  /** With a delay that passes during the test, or one that does not. */
  ENQUEUE_LATER,
  CLAIM,
  COMPLETE,
  /** With a lease that is completed already. */
  COMPLETE_AGAIN,
  FAIL,
  FAIL_FOR_GOOD,
  RELEASE,
  SNOOZE,
  CHECKPOINT,
  REQUEST_CANCEL,
  /** Of a job that others may work on. */
  CANCEL,
  /** Of a job that is nobody else's: a dead letter, or one whose time is far away. */
  REMOVE,
  REDRIVE,
  /** To now. */
  RESCHEDULE,
  /** Of the payload, to its next version. */
  UPDATE;

  /** What it is told. */
  enum Reply {
    OK,
    /** The job is a dead letter now. */
    DEAD,
    /** The job went, for that had been requested. */
    CANCELLED,
    /** The lease is over, the job is gone, or in no state for it; nothing happened. */
    NOTHING,
    /** The engine was closed; nothing happened. */
    REFUSED,
    UNKNOWN
  }
}
