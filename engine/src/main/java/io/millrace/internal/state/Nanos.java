package io.millrace.internal.state;

/** Lengths of time in nanoseconds, which clocks run on, and in milliseconds, which are stored. */
public final class Nanos {

  private static final long PER_MS = 1_000_000;

  private Nanos() {}

  /** Returns the length in nanoseconds; it must be less than 292 years. */
  public static long ofMs(long ms) {
    return ms * PER_MS;
  }

  /** Returns the whole milliseconds of the length. */
  public static long toMs(long ns) {
    return ns / PER_MS;
  }
}
