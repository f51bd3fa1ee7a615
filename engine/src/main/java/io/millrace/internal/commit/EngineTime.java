package io.millrace.internal.commit;

import io.millrace.api.EngineClock;
import io.millrace.internal.transition.ClockLeaps;
import io.millrace.internal.transition.Moment;

/**
 * The two times that the engine lives by.
 *
 * <p><b>Engine time</b> (epoch milliseconds, stored) advances with the monotonic clock. A wall
 * clock ahead of it pulls it forward; one behind lets it run at half speed until they meet. It
 * never stands still and never goes back, also not over restarts, for the last commit's time is a
 * lower bound, though at most {@value #AHEAD_MAX_MS} ms ahead of the wall.
 *
 * <p><b>The lease clock</b> (nanoseconds, in memory only) is the monotonic clock without the gaps
 * in which the loop was away: a stopped process or a slow disk burns nobody's lease.
 *
 * <p>Belongs to the loop's thread; {@link #latestMs()} and {@link #leaseNs(long)} are for any
 * thread.
 */
final class EngineTime {

  private static final long AHEAD_MAX_MS = 1_000;
  private static final long LEAP_NS = 1_000_000_000;
  private static final long NS_PER_MS = 1_000_000;

  private final EngineClock clock;
  private final long stallNs;
  private final ClockLeaps leaps = new ClockLeaps();
  private long monotonicNs;
  private long engineNs;
  private boolean wasAway;
  private volatile long latestMs;
  private volatile long latestNs;
  private volatile long awayNs;

  EngineTime(EngineClock clock, long stallNs) {
    this.clock = clock;
    this.stallNs = stallNs;
  }

  /** Time begins, not before that of the last commit. */
  void start(long lastCommitMs) {
    long wallMs = clock.epochMs();
    monotonicNs = clock.monotonicNs();
    engineNs = Math.max(wallMs, Math.min(lastCommitMs, wallMs + AHEAD_MAX_MS)) * NS_PER_MS;
    latestMs = engineNs / NS_PER_MS;
    latestNs = monotonicNs;
  }

  /**
   * Looks at the clocks.
   *
   * @param waitedNs how long the loop meant to wait since the last look; what is beyond it was an
   *     absence
   */
  void advance(long waitedNs) {
    long nowNs = clock.monotonicNs();
    long wallNs = clock.epochMs() * NS_PER_MS;
    long elapsedNs = nowNs - monotonicNs;
    if (elapsedNs - waitedNs > stallNs) {
      awayNs = awayNs + (elapsedNs - waitedNs);
      wasAway = true;
    }
    long plainNs = engineNs + elapsedNs;
    if (wallNs - plainNs > LEAP_NS) {
      leaps.add(plainNs / NS_PER_MS, wallNs / NS_PER_MS);
    }
    engineNs = wallNs >= plainNs ? wallNs : Math.max(wallNs, engineNs + elapsedNs / 2);
    monotonicNs = nowNs;
    latestMs = engineNs / NS_PER_MS;
    latestNs = monotonicNs;
  }

  /** Whether the loop was away since this was last asked. */
  boolean takeWasAway() {
    boolean was = wasAway;
    wasAway = false;
    return was;
  }

  /** Engine time at the last look. */
  long nowMs() {
    return engineNs / NS_PER_MS;
  }

  /** Monotonic time at the last look. */
  long nowNs() {
    return monotonicNs;
  }

  /** The lease clock now, not at the last look: a lease's time begins when its holder is told. */
  long leaseNsNow() {
    return leaseNs(clock.monotonicNs());
  }

  /** What a moment of the monotonic clock was in engine time and on the lease clock. */
  Moment moment(long atNs) {
    return new Moment((engineNs - (monotonicNs - atNs)) / NS_PER_MS, leaseNs(atNs));
  }

  Moment now() {
    return moment(monotonicNs);
  }

  ClockLeaps leaps() {
    return leaps;
  }

  /** About what engine time is now; for any thread. */
  long latestMs() {
    return latestMs + Math.max(0, clock.monotonicNs() - latestNs) / NS_PER_MS;
  }

  /** A moment of the monotonic clock on the lease clock; for any thread. */
  long leaseNs(long atNs) {
    return atNs - awayNs;
  }
}
