package io.millrace.internal.commit;

import io.millrace.internal.state.Nanos;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watch over a wall clock that has leapt, which decides when the clock is believed. A clock
 * that is far from engine time is not, until it has run along with the monotonic clock for {@value
 * #BELIEVED_AFTER_MS} ms. So a clock that is wrong for a moment ends no wait and takes no instant
 * away, and one that is right again is followed within a minute, also backwards.
 *
 * <p>Belongs to the loop's thread, except for {@link #warning}.
 */
final class WallLeap {

  private static final Logger LOG = LoggerFactory.getLogger(WallLeap.class);

  /** The distance from engine time beyond which a wall clock has leapt. */
  static final long LEAP_MS = 10_000;

  /** The time for which a clock must stay where it leapt to before it is believed. */
  static final long BELIEVED_AFTER_MS = 30_000;

  private static final long LEAP_NS = Nanos.ofMs(LEAP_MS);
  private static final long BELIEVED_AFTER_NS = Nanos.ofMs(BELIEVED_AFTER_MS);

  /** The time for which health tells of a leap. */
  private static final long TOLD_NS = 600_000_000_000L;

  private boolean isWatched;

  /** The wall clock minus the monotonic clock when the watch began. */
  private long offsetNs;

  private long sinceNs;
  private volatile @Nullable Notice told;

  /** The message about the last leap. */
  private record Notice(String what, long atNs) {}

  /**
   * Looks at the wall clock.
   *
   * @param aheadNs the distance by which it is ahead of what engine time would be without it
   * @param wallLessMonotonicNs the wall clock minus the monotonic clock
   * @return whether the wall clock has leapt and is believed from now on
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
        + Duration.ofMillis(Nanos.toMs(Math.abs(aheadNs)));
  }

  private void tell(String what, long nowNs) {
    told = new Notice(what, nowNs);
    LOG.warn(what);
  }

  /** Tells whether the wall clock is somewhere else and is not followed. */
  boolean isWatched() {
    return isWatched;
  }

  /**
   * Returns the nanoseconds until the wall clock is believed, if it stays there; {@link
   * Long#MAX_VALUE} if it has not leapt.
   */
  long waitNs(long nowNs) {
    return isWatched ? Math.max(0, sinceNs + BELIEVED_AFTER_NS - nowNs) : Long.MAX_VALUE;
  }

  /** Begins, with a store whose last commit is later than the wall clock by the given time. */
  void opened(long behindMs, long nowNs) {
    isWatched = false;
    if (behindMs > LEAP_MS) {
      told =
          new Notice(
              "wall clock is behind the time of the store's last commit by "
                  + Duration.ofMillis(behindMs)
                  + "; engine time has followed it",
              nowNs);
    }
  }

  /** Returns a warning about a recent leap for the operator. For any thread. */
  Optional<String> warning(long nowNs) {
    Notice last = told;
    return last == null || nowNs - last.atNs() > TOLD_NS
        ? Optional.empty()
        : Optional.of(last.what());
  }
}
