package io.millrace.internal.commit;

import io.millrace.api.EngineClock;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.state.Nanos;
import io.millrace.internal.transition.SubmitTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The three times that the engine lives by.
 *
 * <p><b>Engine time</b> (epoch milliseconds, stored) advances with the monotonic clock. A wall
 * clock that is ahead by at most {@value WallLeap#LEAP_MS} ms pulls it forward. One that is behind
 * by no more lets it run at half speed until they meet. One that is farther off has leapt, and is
 * believed only after it has stayed there for {@value WallLeap#BELIEVED_AFTER_MS} ms, as {@link
 * WallLeap} says. Engine time then goes where the wall clock is or, if that is back, to {@value
 * #AHEAD_MAX_MS} ms ahead of it. But for such steps engine time never stands still and never goes
 * back. Over restarts the last commit's time is a lower bound, though at most {@value
 * #AHEAD_MAX_MS} ms ahead of the wall clock.
 *
 * <p><b>Steady time</b> (epoch milliseconds, stored) is engine time as it would be if nobody ever
 * set the wall clock: it advances with the monotonic clock (and follows the wall clock's tick of a
 * millisecond, which nobody set), and over a restart by what engine time advances. Delays of a
 * length run on it, so that a wall clock that is set makes none of them shorter or longer; instants
 * run on engine time. On an ordinary day the two are the same.
 *
 * <p><b>The lease clock</b> (nanoseconds, in memory only) is the monotonic clock without the gaps
 * in which the loop was away: a stopped process or a slow disk shortens no lease. {@link
 * io.millrace.internal.state.LeaseTable} bounds how much longer one lease may become by that.
 *
 * <p>Belongs to the loop's thread, except for {@link #latestMs()}, {@link #leaseNs(long)} and
 * {@link #warnings}.
 */
final class EngineTime {

  private static final Logger LOG = LoggerFactory.getLogger(EngineTime.class);
  private static final long AHEAD_MAX_MS = 1_000;
  private static final long WALL_MS_MAX = Nanos.toMs(Long.MAX_VALUE / 2);

  /** The most by which a wall clock of whole milliseconds seems to be off though nobody set it. */
  private static final long TICK_NS = Nanos.ofMs(1);

  /**
   * The most attempts to read both clocks without a pause in between; the last reading counts
   * anyway.
   */
  private static final int READS_MAX = 5;

  private final EngineClock clock;
  private final long stallNs;
  private final Gaps gaps;
  private long monotonicNs;
  private long engineNs;
  private long steadyNs;
  private long wallMs;
  private boolean wasAway;
  private boolean wasSetBack;
  private final WallLeap leap = new WallLeap();
  private final ClockWatch clockWatch = new ClockWatch();

  /** Engine time minus the monotonic clock: one number, so that no reader sees half of a look. */
  private volatile long engineAheadNs;

  private volatile long awayNs;

  /** The receiver of absences of the loop: their length, and the lease clock after them. */
  interface Gaps {
    void wereAway(long gapNs, long leaseNs);
  }

  EngineTime(EngineClock clock, long stallNs, Gaps gaps) {
    this.clock = clock;
    this.stallNs = stallNs;
    this.gaps = gaps;
  }

  /** Starts the clocks from the wall clock and from the times of the last commit. */
  void start(MetaRecords.Time last) {
    monotonicNs = readClocks();
    long lastMs = last.lastCommitMs();
    engineNs = Nanos.ofMs(Math.max(wallMs, Math.min(lastMs, wallMs + AHEAD_MAX_MS)));
    steadyNs = Nanos.ofMs(last.steadyMs()) + Math.max(0, engineNs - Nanos.ofMs(lastMs));
    engineAheadNs = engineNs - monotonicNs;
    leap.opened(lastMs - wallMs, monotonicNs);
  }

  /**
   * Looks at the clocks and advances all three times.
   *
   * @param waitedNs how long the loop meant to wait since the last look; what is beyond it was an
   *     absence
   */
  void advance(long waitedNs) {
    long nowNs = readClocks();
    long wallNs = Nanos.ofMs(wallMs);
    long elapsedNs = nowNs - monotonicNs;
    long gapNs = elapsedNs - waitedNs > stallNs ? elapsedNs - waitedNs : 0;
    if (gapNs > 0) {
      // Leases first: who asks in between how long a lease has left is told too little, not too
      // much.
      gaps.wereAway(gapNs, nowNs - awayNs - gapNs);
      awayNs = awayNs + gapNs;
      wasAway = true;
    }
    long aheadNs = wallNs - (engineNs + elapsedNs);
    if (leap.look(aheadNs, wallNs - nowNs, nowNs)) {
      wasSetBack = aheadNs < 0;
      engineNs = wasSetBack ? wallNs + Nanos.ofMs(AHEAD_MAX_MS) : wallNs;
    } else if (leap.isWatched()) {
      engineNs = engineNs + elapsedNs;
    } else {
      // A wall clock that is behind by less than a tick was not set. If engine time ran slower for
      // that, the next tick would pull it forward again, and steady time with it.
      long ownNs = engineNs + (aheadNs > -TICK_NS ? elapsedNs : elapsedNs / 2);
      engineNs = Math.max(wallNs, ownNs);
    }
    steadyNs = steadyNs + elapsedNs + (aheadNs > 0 && aheadNs <= TICK_NS ? aheadNs : 0);
    monotonicNs = nowNs;
    engineAheadNs = engineNs - monotonicNs;
    clockWatch.look(aheadMs(), nowNs).ifPresent(LOG::warn);
  }

  /**
   * Reads both clocks as of one moment. If the thread were paused between the two, the wall clock
   * would look as if it had been set.
   *
   * @return the monotonic clock
   */
  private long readClocks() {
    for (int reads = 1; ; reads++) {
      long beforeNs = clock.monotonicNs();
      wallMs = wallMs();
      long afterNs = clock.monotonicNs();
      if (afterNs - beforeNs <= TICK_NS || reads == READS_MAX) {
        return afterNs;
      }
    }
  }

  /** Returns the wall clock's time, bounded to what a long can count in nanoseconds. */
  private long wallMs() {
    return Math.max(0, Math.min(clock.epochMs(), WALL_MS_MAX));
  }

  /** Tells whether the loop was away since the last call. */
  boolean takeWasAway() {
    boolean was = wasAway;
    wasAway = false;
    return was;
  }

  /**
   * Tells whether engine time went back since the last call. If so, what was read by it is void.
   */
  boolean takeWasSetBack() {
    boolean was = wasSetBack;
    wasSetBack = false;
    return was;
  }

  /** Returns the nanoseconds until a wall clock that has leapt is believed; never 0. */
  long leapWaitNs() {
    return Math.max(1, leap.waitNs(monotonicNs));
  }

  /**
   * Moves engine time up to a wall clock that is ahead, believed or not. The last commit must not
   * be earlier than the next start, or steady time would advance over the restart by the leap.
   */
  void followAhead() {
    engineNs = Math.max(engineNs, Nanos.ofMs(wallMs));
  }

  /** Returns the warnings about the wall clock for the operator. For any thread. */
  List<String> warnings(Duration ahead) {
    List<String> warnings = new ArrayList<>();
    leap.warning(clock.monotonicNs()).ifPresent(warnings::add);
    ClockWatch.behind(ahead).ifPresent(warnings::add);
    return warnings;
  }

  /** Returns engine time at the last look. */
  long nowMs() {
    return Nanos.toMs(engineNs);
  }

  /** Returns how many milliseconds engine time was ahead of the wall clock at the last look. */
  long aheadMs() {
    return nowMs() - wallMs;
  }

  /** Returns steady time at the last look. */
  long steadyMs() {
    return Nanos.toMs(steadyNs);
  }

  /** Returns monotonic time at the last look. */
  long nowNs() {
    return monotonicNs;
  }

  /**
   * Returns the lease clock now, not at the last look: a lease's time begins when its holder is
   * told.
   */
  long leaseNsNow() {
    return leaseNs(clock.monotonicNs());
  }

  /** Converts a moment of the monotonic clock to engine time, steady time and the lease clock. */
  SubmitTime submitTime(long atNs) {
    long agoNs = monotonicNs - atNs;
    return new SubmitTime(
        Nanos.toMs(engineNs - agoNs), Nanos.toMs(steadyNs - agoNs), leaseNs(atNs));
  }

  SubmitTime now() {
    return submitTime(monotonicNs);
  }

  /** Returns engine time now, by the last look and the monotonic clock since. For any thread. */
  long latestMs() {
    return Nanos.toMs(engineAheadNs + clock.monotonicNs());
  }

  /** Converts a moment of the monotonic clock to the lease clock. For any thread. */
  long leaseNs(long atNs) {
    return atNs - awayNs;
  }
}
