package io.millrace.internal.state;

import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TimerKeys;
import java.util.Arrays;

/**
 * The place where the TIMER rows that run on one clock begin, for one who works them off: the rows
 * before it were dealt with, and are not read again.
 *
 * <p>Rows are put anywhere, so every put must be {@link #note noted}. Before its owner has looked,
 * a head is at the start and due.
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

  /** Returns the least key that a row may have. */
  public byte[] key() {
    return key;
  }

  /** Returns the exclusive end of all keys that run on the head's clock. */
  public byte[] end() {
    return end;
  }

  /** Returns the time on the head's clock at which the row is due. */
  public long timeMs(byte[] rowKey) {
    return TimerKeys.timeMs(rowKey) - zeroMs;
  }

  /** Returns the time before which no row is due; {@link #NEVER} if there is no row. */
  public long timeMs() {
    return timeMs;
  }

  /** Moves the head to the row, since all rows before it have been dealt with. */
  public void moveTo(byte[] rowKey) {
    key = rowKey;
    timeMs = timeMs(rowKey);
  }

  /**
   * Moves the head behind all rows, which have been dealt with: what comes is due after this time.
   */
  public void moveBehind(long lastMs) {
    key = TimerKeys.start(zeroMs + lastMs + 1);
    timeMs = NEVER;
  }

  /** Notes that a row was put, or is to be met again. Ignores a row of the other clock. */
  public void note(byte[] rowKey) {
    if (Arrays.compareUnsigned(rowKey, start) < 0 || Arrays.compareUnsigned(rowKey, end) >= 0) {
      return;
    }
    if (Arrays.compareUnsigned(rowKey, key) < 0) {
      key = rowKey;
    }
    timeMs = Math.min(timeMs, timeMs(rowKey));
  }

  /** Moves the head to the start, since the rows that were put or deleted may no longer be so. */
  void forget() {
    key = start;
    timeMs = 0;
  }
}
