package io.millrace.internal.commit;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wall clock that has leapt, and whether it is believed. One that is far from engine time is not,
 * until it has run along with the monotonic clock for {@value #BELIEVED_AFTER_MS} ms: so a clock
 * that is wrong for a moment ends no wait and takes no instant, and one that is right again is
 * followed within a minute, back too.
 *
 * <p>Belongs to the loop's thread, except for {@link #warning}.
 */
final class WallLeap {

  private static final Logger LOG = LoggerFactory.getLogger(WallLeap.class);

  /** A wall clock that is farther from engine time than this has leapt. */
  static final long LEAP_MS = 10_000;

  /** For so long it must stay there to be believed. */
  static final long BELIEVED_AFTER_MS = 30_000;

  private static final long NS_PER_MS = 1_000_000;
  private static final long LEAP_NS = LEAP_MS * NS_PER_MS;
  private static final long BELIEVED_AFTER_NS = BELIEVED_AFTER_MS * NS_PER_MS;

  /** For so long it is told in health that the clock has leapt. */
  private static final long TOLD_NS = 600_000_000_000L;

  private boolean isWatched;

  /** The wall clock less the monotonic clock when it was watched first. */
  private long offsetNs;

  private long sinceNs;
  private volatile @Nullable Told told;

  /** The leap that was seen last. */
  private record Told(String what, long atNs) {}

  /**
   * Looks at the wall clock.
   *
   * @param aheadNs how far it is ahead of what engine time would be without it
   * @param wallLessMonotonicNs how it runs along with the monotonic clock
   * @return whether it has leapt and is believed from now on
   */
  boolean look(long aheadNs, long wallLessMonotonicNs, long nowNs) {
    if (aheadNs <= LEAP_NS && aheadNs >= -LEAP_NS) {
      if (isWatched) {
        tell("wall clock is where it was before it leapt; nothing followed it", nowNs);
      }
      isWatched = false;
      return false;
    }
    long movedNs = wallLessMonotonicNs - offsetNs;
    if (!isWatched || movedNs > LEAP_NS || movedNs < -LEAP_NS) {
      isWatched = true;
      offsetNs = wallLessMonotonicNs;
      sinceNs = nowNs;
      tell(
          leapt(aheadNs)
              + "; engine time follows it if it stays there for "
              + Duration.ofMillis(BELIEVED_AFTER_MS),
          nowNs);
      return false;
    }
    if (nowNs - sinceNs < BELIEVED_AFTER_NS) {
      return false;
    }
    isWatched = false;
    tell(leapt(aheadNs) + ", and engine time has followed it", nowNs);
    return true;
  }

  private static String leapt(long aheadNs) {
    return "wall clock has leapt "
        + (aheadNs > 0 ? "ahead" : "back")
        + " by "
        + Duration.ofMillis(Math.abs(aheadNs) / NS_PER_MS);
  }

  private void tell(String what, long nowNs) {
    told = new Told(what, nowNs);
    LOG.warn(what);
  }

  /** Whether the wall clock is somewhere else and is not followed. */
  boolean isWatched() {
    return isWatched;
  }

  /** How long until it is believed, if it stays there. */
  long waitNs(long nowNs) {
    return isWatched ? Math.max(0, sinceNs + BELIEVED_AFTER_NS - nowNs) : Long.MAX_VALUE;
  }

  /** Time begins, in a store whose last commit is so much later than the wall clock. */
  void opened(long behindMs, long nowNs) {
    isWatched = false;
    if (behindMs > LEAP_MS) {
      told =
          new Told(
              "wall clock is behind the time of the store's last commit by "
                  + Duration.ofMillis(behindMs)
                  + "; engine time has followed it",
              nowNs);
    }
  }

  /** What an operator should know of it. For any thread. */
  Optional<String> warning(long nowNs) {
    Told last = told;
    return last == null || nowNs - last.atNs() > TOLD_NS
        ? Optional.empty()
        : Optional.of(last.what());
  }
}
