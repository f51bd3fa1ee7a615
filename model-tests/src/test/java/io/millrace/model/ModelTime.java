package io.millrace.model;

/**
 * Engine time: advances with the monotonic clock; a wall clock ahead pulls it forward; one behind
 * lets it run at half speed until they meet. One that is more than ten seconds off has leapt, and
 * pulls it only after thirty seconds there, back too. Steady time: the same but for what the wall
 * clock does, unless that is ahead by a millisecond at most: a tick, which nobody set.
 *
 * <p>Both are kept in half milliseconds, which makes half speed exact.
 */
public final class ModelTime {

  private static final long AHEAD_AT_OPENING_MS_MAX = 1_000;
  private static final long LEAP_MS = 10_000;
  private static final long BELIEVED_AFTER_MS = 30_000;
  private static final long TICK_HALF_MS = 2;

  private long monotonicMs;
  private long wallMs;
  private long engineHalfMs;
  private long steadyHalfMs;
  private boolean hasLeapt;
  private long leaptToMs;
  private long leaptAtMs;

  ModelTime(long wallMs) {
    this.wallMs = wallMs;
    this.engineHalfMs = 2 * wallMs;
    this.steadyHalfMs = 2 * wallMs;
  }

  public long monotonicMs() {
    return monotonicMs;
  }

  public long wallMs() {
    return wallMs;
  }

  public long nowMs() {
    return engineHalfMs >> 1;
  }

  long steadyMs() {
    return steadyHalfMs >> 1;
  }

  /** How far steady time is ahead of engine time. */
  public long steadyLeadMs() {
    return steadyMs() - nowMs();
  }

  public boolean isAheadOfWall() {
    return engineHalfMs > 2 * wallMs;
  }

  public void advance(long ms) {
    monotonicMs += ms;
    steadyHalfMs += 2 * ms;
    wallMs += ms;
    look(ms);
  }

  public void stepWall(long ms) {
    wallMs += ms;
    look(0);
  }

  private void look(long passedMs) {
    long offsetMs = wallMs - monotonicMs;
    long aheadHalfMs = 2 * wallMs - (engineHalfMs + 2 * passedMs);
    boolean isFar = Math.abs(aheadHalfMs) > 2 * LEAP_MS;
    if (!isFar) {
      hasLeapt = false;
      if (aheadHalfMs > 0 && aheadHalfMs <= TICK_HALF_MS) {
        steadyHalfMs += aheadHalfMs;
      }
      // Behind by less than a tick of its own, nobody has set it.
      boolean isBehind = aheadHalfMs <= -TICK_HALF_MS;
      engineHalfMs = Math.max(engineHalfMs + (isBehind ? passedMs : 2 * passedMs), 2 * wallMs);
    } else if (!hasLeapt || Math.abs(offsetMs - leaptToMs) > LEAP_MS) {
      hasLeapt = true;
      leaptToMs = offsetMs;
      leaptAtMs = monotonicMs;
      engineHalfMs += 2 * passedMs;
    } else if (monotonicMs < believedMonotonicMs()) {
      engineHalfMs += 2 * passedMs;
    } else {
      hasLeapt = false;
      engineHalfMs = 2 * (aheadHalfMs < 0 ? wallMs + AHEAD_AT_OPENING_MS_MAX : wallMs);
    }
  }

  /** When a wall clock that has leapt is believed, if it stays; never if it has not. */
  public long believedMonotonicMs() {
    return hasLeapt ? leaptAtMs + BELIEVED_AFTER_MS : Long.MAX_VALUE;
  }

  /**
   * An opening forgets engine time but for the last commit's, at most one second ahead of the wall,
   * and that the wall clock has leapt. Steady time goes on as far as engine time did.
   *
   * @param isClean what closes in order follows a clock that is ahead
   */
  public void reopen(boolean isClean) {
    long lastMs = isClean ? Math.max(nowMs(), wallMs) : nowMs();
    hasLeapt = false;
    engineHalfMs = 2 * Math.max(wallMs, Math.min(lastMs, wallMs + AHEAD_AT_OPENING_MS_MAX));
    steadyHalfMs = 2 * (steadyMs() + Math.max(0, nowMs() - lastMs));
  }

  /** When the monotonic clock will show that engine time has come to the given millisecond. */
  long monotonicWhen(long engineMs) {
    long atHalfSpeed = 2 * engineMs - engineHalfMs;
    long atFullSpeed = engineMs - wallMs;
    if (hasLeapt) {
      long atOwnSpeed = (atHalfSpeed + 1) >> 1;
      long believedInMs = believedMonotonicMs() - monotonicMs;
      return monotonicMs + Math.max(0, Math.min(atOwnSpeed, Math.max(atFullSpeed, believedInMs)));
    }
    return monotonicMs + Math.max(0, Math.min(atHalfSpeed, atFullSpeed));
  }
}
