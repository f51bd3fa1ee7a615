package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;

/** Spans of waiting. */
final class Waits {

  private static final long NS_PER_MS = 1_000_000;

  private Waits() {}

  /** How long until a time, on the clock that shows this now; 0 if it has come. */
  static long untilMs(long nowMs, long timeMs) {
    long ms = timeMs - nowMs;
    if (ms <= 0) {
      return 0;
    }
    return ms > DueWork.NEVER / NS_PER_MS ? DueWork.NEVER : ms * NS_PER_MS;
  }
}
