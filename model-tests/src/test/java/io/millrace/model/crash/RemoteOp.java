package io.millrace.model.crash;

/** What a client asks a server for. */
enum RemoteOp {
  ENQUEUE,
  /** With the same unique key until it is answered. */
  ENQUEUE_ONCE,
  /** In a transaction that makes a row, too. */
  ENQUEUE_WITH_ROW,
  /** By {@code submit}, which waits for the job's end. */
  SUBMIT,
  /** What {@code submit} waited for: told without having been asked. */
  END,
  CLAIM,
  EXTEND,
  COMPLETE,
  /** In a transaction that adds one to the job's row, too. */
  COMPLETE_AND_COUNT,
  FAIL,
  RELEASE;

  boolean isEnqueue() {
    return compareTo(SUBMIT) <= 0;
  }

  boolean isCompletion() {
    return this == COMPLETE || this == COMPLETE_AND_COUNT;
  }
}
