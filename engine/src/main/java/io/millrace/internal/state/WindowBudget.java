package io.millrace.internal.state;

/** The memory that all ready windows share, in bytes. */
public final class WindowBudget {

  private final long bytesMax;
  private long bytesUsed;

  public WindowBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  public boolean isExceeded() {
    return bytesUsed > bytesMax;
  }

  long bytesUsed() {
    return bytesUsed;
  }

  void take(long bytes) {
    bytesUsed += bytes;
  }

  void give(long bytes) {
    bytesUsed -= bytes;
    assert bytesUsed >= 0 : "window budget is negative: " + bytesUsed;
  }
}
