package io.millrace.internal.state;

/** The clocks that delayed jobs wait on. */
public enum DelayClock {
  /** Engine time, which follows the wall clock: of jobs that were given an instant. */
  ENGINE,

  /** Steady time, which does not: of jobs that were given a length of time. */
  STEADY
}
