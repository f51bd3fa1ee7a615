package io.millrace.model;

/**
 * Engine time: advances with the monotonic clock; a wall clock ahead pulls it forward; one behind
 * lets it run at half speed until they meet.
 *
 * <p>Kept in half milliseconds, which makes half speed exact.
 */
final class ModelTime {

  private static final long AHEAD_AT_OPENING_MS_MAX = 1_000;

  private long monotonicMs;
  private long wallMs;
  private long engineHalfMs;

  ModelTime(long wallMs) {
    this.wallMs = wallMs;
    this.engineHalfMs = 2 * wallMs;
  }

  long monotonicMs() {
    return monotonicMs;
  }

  long wallMs() {
    return wallMs;
  }

  long nowMs() {
    return engineHalfMs >> 1;
  }

  boolean isAheadOfWall() {
    return engineHalfMs > 2 * wallMs;
  }

  void advance(long ms) {
    monotonicMs += ms;
    wallMs += ms;
    engineHalfMs = Math.max(engineHalfMs + ms, 2 * wallMs);
  }

  void stepWall(long ms) {
    wallMs += ms;
    engineHalfMs = Math.max(engineHalfMs, 2 * wallMs);
  }

  /**
   * An opening forgets engine time but for the last commit's, at most one second ahead of the wall.
   */
  void reopen() {
    long lowest = Math.min(nowMs(), wallMs + AHEAD_AT_OPENING_MS_MAX);
    engineHalfMs = 2 * Math.max(wallMs, lowest);
  }

  /** When the monotonic clock will show that engine time has come to the given millisecond. */
  long monotonicWhen(long engineMs) {
    long atHalfSpeed = 2 * engineMs - engineHalfMs;
    long atFullSpeed = engineMs - wallMs;
    return monotonicMs + Math.max(0, Math.min(atHalfSpeed, atFullSpeed));
  }
}
