package io.millrace.model;

/**
 * Engine time: advances with the monotonic clock; a wall clock ahead pulls it forward; one behind
 * lets it run at half speed until they meet. Steady time: the same but for what the wall clock
 * does.
 *
 * <p>Engine time is kept in half milliseconds, which makes half speed exact.
 */
public final class ModelTime {

  private static final long AHEAD_AT_OPENING_MS_MAX = 1_000;

  private long monotonicMs;
  private long wallMs;
  private long engineHalfMs;
  private long steadyMs;

  ModelTime(long wallMs) {
    this.wallMs = wallMs;
    this.engineHalfMs = 2 * wallMs;
    this.steadyMs = wallMs;
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
    return steadyMs;
  }

  /** How far steady time is ahead of engine time. */
  public long steadyLeadMs() {
    return steadyMs - nowMs();
  }

  public boolean isAheadOfWall() {
    return engineHalfMs > 2 * wallMs;
  }

  public void advance(long ms) {
    monotonicMs += ms;
    steadyMs += ms;
    wallMs += ms;
    // Behind by less than a tick of its own, nobody has set it.
    boolean isBehind = engineHalfMs + 2 * ms - 2 * wallMs >= 2;
    engineHalfMs = Math.max(engineHalfMs + (isBehind ? ms : 2 * ms), 2 * wallMs);
  }

  public void stepWall(long ms) {
    wallMs += ms;
    engineHalfMs = Math.max(engineHalfMs, 2 * wallMs);
  }

  /**
   * An opening forgets engine time but for the last commit's, at most one second ahead of the wall.
   * Steady time goes on as far as engine time did.
   */
  public void reopen() {
    long lastMs = nowMs();
    engineHalfMs = 2 * Math.max(wallMs, Math.min(lastMs, wallMs + AHEAD_AT_OPENING_MS_MAX));
    steadyMs += Math.max(0, nowMs() - lastMs);
  }

  /** When the monotonic clock will show that engine time has come to the given millisecond. */
  long monotonicWhen(long engineMs) {
    long atHalfSpeed = 2 * engineMs - engineHalfMs;
    long atFullSpeed = engineMs - wallMs;
    return monotonicMs + Math.max(0, Math.min(atHalfSpeed, atFullSpeed));
  }
}
