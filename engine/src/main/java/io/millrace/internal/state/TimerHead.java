package io.millrace.internal.state;

import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TimerKeys;
import java.util.Arrays;

/**
 * Where the rows of TIMER that run on one clock begin for one who works them off: what lies before
 * was dealt with, and is not read again.
 *
 * <p>Rows come in anywhere, so every put must be {@link #note noted}. Until it has looked, a head
 * is at the start and due.
 */
public final class TimerHead {

  /** A time that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  private final long zeroMs;
  private final byte[] start;
  private final byte[] end;
  private byte[] key;
  private long timeMs;

  TimerHead(DelayClock clock) {
    boolean isEngine = clock == DelayClock.ENGINE;
    this.zeroMs = isEngine ? TimerKeys.INSTANT : 0;
    this.start = isEngine ? TimerKeys.start(TimerKeys.INSTANT) : Keyspace.TIMER.start();
    this.end = isEngine ? Keyspace.TIMER.end() : TimerKeys.start(TimerKeys.INSTANT);
    this.key = start;
  }

  /** Least key that a row may have. */
  public byte[] key() {
    return key;
  }

  /** Exclusive end of all keys that run on its clock. */
  public byte[] end() {
    return end;
  }

  /** The time on its clock at which the row is due. */
  public long timeMs(byte[] rowKey) {
    return TimerKeys.timeMs(rowKey) - zeroMs;
  }

  /** No row is due before this; {@link #NEVER} if there is none. */
  public long timeMs() {
    return timeMs;
  }

  /** Everything before the row has been dealt with. */
  public void moveTo(byte[] rowKey) {
    key = rowKey;
    timeMs = timeMs(rowKey);
  }

  /** Everything there is has been dealt with: what comes is due after this time. */
  public void moveBehind(long lastMs) {
    key = TimerKeys.start(zeroMs + lastMs + 1);
    timeMs = NEVER;
  }

  /** A row was put, or is to be met again; one of the other clock is passed over. */
  public void note(byte[] rowKey) {
    if (Arrays.compareUnsigned(rowKey, start) < 0 || Arrays.compareUnsigned(rowKey, end) >= 0) {
      return;
    }
    if (Arrays.compareUnsigned(rowKey, key) < 0) {
      key = rowKey;
    }
    timeMs = Math.min(timeMs, timeMs(rowKey));
  }

  /** What was put or deleted may be otherwise. */
  void forget() {
    key = start;
    timeMs = 0;
  }
}
