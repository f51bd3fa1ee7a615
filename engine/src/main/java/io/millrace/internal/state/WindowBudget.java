package io.millrace.internal.state;

import org.jspecify.annotations.Nullable;

/** The memory that all ready windows share, in bytes, or the share that one queue has of it. */
public final class WindowBudget {

  /**
   * The part of the whole that is freed beyond what is needed when room is made, so that it is
   * seldom made.
   */
  private static final int SPARE_FRACTION = 8;

  private final long bytesMax;
  private final @Nullable WindowBudget whole;
  private long bytesUsed;

  public WindowBudget(long bytesMax) {
    this(bytesMax, null);
  }

  private WindowBudget(long bytesMax, @Nullable WindowBudget whole) {
    this.bytesMax = bytesMax;
    this.whole = whole;
  }

  /**
   * Creates a share of which nothing is taken yet. What is taken of it is taken of the whole, too.
   */
  WindowBudget share() {
    return new WindowBudget(bytesMax, this);
  }

  /** Tells whether more was taken of the whole than there is. */
  public boolean isExceeded() {
    return whole == null ? bytesUsed > bytesMax : whole.isExceeded();
  }

  /** Tells whether so much of the whole is left that no more room need be made. */
  boolean hasRoom() {
    return bytesUsed <= bytesMax - bytesMax / SPARE_FRACTION;
  }

  long bytesUsed() {
    return bytesUsed;
  }

  void take(long bytes) {
    bytesUsed += bytes;
    if (whole != null) {
      whole.take(bytes);
    }
  }

  void give(long bytes) {
    bytesUsed -= bytes;
    assert bytesUsed >= 0 : "window budget is negative: " + bytesUsed;
    if (whole != null) {
      whole.give(bytes);
    }
  }
}
