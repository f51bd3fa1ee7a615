package io.millrace.internal.state;

/** The kinds of rows that may hold the counts of a queue's concurrency keys. */
public enum KeyRows {

  /** No rows at all: no job has a key. */
  NONE,

  /** A row for each key in use, and none in the log. */
  OWN,

  /** Rows of keys, and perhaps rows of the log: the store has to be asked. */
  ANY
}
