package io.millrace.internal.state;

import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TimerKeys;
import java.util.Arrays;

/**
 * Where the rows of TIMER begin for one who works them off: what lies before was dealt with, and is
 * not read again.
 *
 * <p>Rows come in anywhere, so every put must be {@link #note noted}. Until it has looked, a head
 * is at the start and due.
 */
public final class TimerHead {

  /** A time that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  private byte[] key = Keyspace.TIMER.start();
  private long timeMs;

  TimerHead() {}

  /** Least key that a row may have. */
  public byte[] key() {
    return key;
  }

  /** No row is due before this; {@link #NEVER} if there is none. */
  public long timeMs() {
    return timeMs;
  }

  /** Everything before the row has been dealt with. */
  public void moveTo(byte[] rowKey) {
    key = rowKey;
    timeMs = TimerKeys.timeMs(rowKey);
  }

  /** Everything there is has been dealt with: what comes is due after this time. */
  public void moveBehind(long lastMs) {
    key = TimerKeys.start(lastMs + 1);
    timeMs = NEVER;
  }

  /** A row was put, or is to be met again. */
  public void note(byte[] rowKey) {
    if (Arrays.compareUnsigned(rowKey, key) < 0) {
      key = rowKey;
    }
    timeMs = Math.min(timeMs, TimerKeys.timeMs(rowKey));
  }

  /** What was put or deleted may be otherwise. */
  void forget() {
    key = Keyspace.TIMER.start();
    timeMs = 0;
  }
}
