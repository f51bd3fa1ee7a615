package io.millrace.internal.state;

/** Which rows there may be that tell of a queue's concurrency keys. */
public enum KeyRows {

  /** None at all: nobody has a key. */
  NONE,

  /** Each key in use has a row of its own; nothing is logged. */
  OWN,

  /** Some keys may be logged: somebody has to look. */
  ANY
}
