package io.millrace.internal.state;

/** The kinds of rows that may hold the counts of a queue's concurrency keys. */
public enum KeyRows {

  /** The absence of all such rows: no job has a key. */
  NONE,

  /** The rows of single keys alone: each key in use has one, and nothing is logged. */
  OWN,

  /** Any rows: some keys may be logged, which only a look into the store can tell. */
  ANY
}
