package io.millrace.internal.commit;

import java.time.Duration;
import java.util.Optional;

/**
 * The log messages about a wall clock that is behind engine time: one when it falls behind, another
 * when it is behind twice as far, and one when they have met. At most one is due in a minute.
 */
final class ClockWatch {

  /** The distance, in milliseconds, beyond which a clock that is behind is told. */
  static final long BEHIND_LEAST_MS = 1_000;

  private static final long TELL_NS = 60_000_000_000L;

  /** The distance that was last told; 0 if the clocks have met since or none was told. */
  private long toldMs;

  private boolean hasTold;
  private long toldAtNs;

  /**
   * Returns a warning if the time of the store's last commit is later than the wall clock by more
   * than {@link #BEHIND_LEAST_MS}.
   */
  static Optional<String> opened(long lastCommitMs, long wallMs) {
    long behindMs = lastCommitMs - wallMs;
    return behindMs <= BEHIND_LEAST_MS
        ? Optional.empty()
        : Optional.of(
            "wall clock is behind the time of the store's last commit: behindMs="
                + behindMs
                + "; engine time begins at most "
                + BEHIND_LEAST_MS
                + " ms ahead of the wall clock: instants come when that shows them, delays of a"
                + " length go on");
  }

  /** Returns the message that is due now for a wall clock that is this far behind, if any. */
  Optional<String> look(long behindMs, long nowNs) {
    boolean isBehind = behindMs > BEHIND_LEAST_MS;
    boolean isNews = isBehind ? toldMs == 0 || behindMs >= 2 * toldMs : behindMs <= 0 && toldMs > 0;
    if (!isNews || hasTold && nowNs - toldAtNs < TELL_NS) {
      return Optional.empty();
    }
    hasTold = true;
    toldAtNs = nowNs;
    toldMs = isBehind ? behindMs : 0;
    return Optional.of(
        isBehind ? behind() + ": behindMs=" + behindMs : "wall clock and engine time have met");
  }

  /**
   * Returns the warning for health if engine time is ahead of the wall clock by enough to be told.
   */
  static Optional<String> behind(Duration ahead) {
    return ahead.toMillis() > BEHIND_LEAST_MS ? Optional.of(behind()) : Optional.empty();
  }

  /** Returns the sentence which says that the wall clock is behind. */
  static String behind() {
    return "wall clock is behind engine time, which runs at half its speed until they meet:"
        + " instants come early by the wall clock, leases and delays of a length are as they"
        + " were";
  }
}
