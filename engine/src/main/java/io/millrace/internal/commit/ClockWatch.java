package io.millrace.internal.commit;

import java.time.Duration;
import java.util.Optional;

/**
 * What to tell of a wall clock that is behind the engine's time: once when it falls behind, again
 * when it is behind twice as far, and when they have met; at most once a minute.
 */
final class ClockWatch {

  /** From which distance on something is told. */
  static final long BEHIND_LEAST_MS = 1_000;

  private static final long TELL_NS = 60_000_000_000L;

  /** How far it was behind when that was told; 0 if nothing is told. */
  private long toldMs;

  private boolean hasTold;
  private long toldAtNs;

  /** What to tell of a store whose last commit has a later time than the wall clock shows. */
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

  /** What to tell of a wall clock that is so far behind now. */
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

  /** That the wall clock is behind engine time, if it is. */
  static Optional<String> behind(Duration ahead) {
    return ahead.toMillis() > BEHIND_LEAST_MS ? Optional.of(behind()) : Optional.empty();
  }

  /** That the wall clock is behind. */
  static String behind() {
    return "wall clock is behind engine time, which runs at half its speed until they meet:"
        + " instants come early by the wall clock, leases and delays of a length are as they"
        + " were";
  }
}
