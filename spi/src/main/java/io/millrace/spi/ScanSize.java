package io.millrace.spi;

/**
 * Size of a scan: the most rows to visit, and the number that the visitor is likely to want. A
 * store that reads rows from elsewhere fetches that number first.
 */
public final class ScanSize {

  private final int likely;
  private final int most;

  private ScanSize(int likely, int most) {
    this.likely = likely;
    this.most = most;
  }

  /**
   * Returns the size of a scan that its visitor is likely to stop.
   *
   * @param likely how many rows will do in most cases, at least 1; lowered to {@code rowCountMax}
   * @param rowCountMax the most rows to visit, at least 1
   * @throws IllegalArgumentException a number is below 1
   */
  public static ScanSize of(int likely, int rowCountMax) {
    if (rowCountMax < 1) {
      throw new IllegalArgumentException("rowCountMax is below 1: value=" + rowCountMax);
    }
    if (likely < 1) {
      throw new IllegalArgumentException("likely is below 1: value=" + likely);
    }
    return new ScanSize(Math.min(likely, rowCountMax), rowCountMax);
  }

  /**
   * Returns the size of a scan that wants all the rows that there are, up to {@code rowCountMax}.
   *
   * @throws IllegalArgumentException the number is below 1
   */
  public static ScanSize all(int rowCountMax) {
    return of(Math.max(1, rowCountMax), rowCountMax);
  }

  /** Returns how many rows will do in most cases, at most {@link #most()}. */
  public int likely() {
    return likely;
  }

  /** Returns the most rows to visit. */
  public int most() {
    return most;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScanSize that && likely == that.likely && most == that.most;
  }

  @Override
  public int hashCode() {
    return 31 * likely + most;
  }

  @Override
  public String toString() {
    return "likely=" + likely + ", most=" + most;
  }
}
