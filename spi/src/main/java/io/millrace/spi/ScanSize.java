package io.millrace.spi;

/**
 * How many rows a scan visits at most, and how many of them its visitor is likely to want: a store
 * that reads rows from elsewhere fetches so many first.
 */
public final class ScanSize {

  private final int likely;
  private final int most;

  private ScanSize(int likely, int most) {
    this.likely = likely;
    this.most = most;
  }

  /**
   * A scan that is likely to be stopped by its visitor.
   *
   * @param likely how many rows will do in most cases, at least 1; more than the most is the most
   * @param rowCountMax the most rows to visit, at least 1
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

  /** A scan that wants all the rows that there are, up to so many. */
  public static ScanSize all(int rowCountMax) {
    return of(Math.max(1, rowCountMax), rowCountMax);
  }

  /** How many rows will do in most cases, at most {@link #most()}. */
  public int likely() {
    return likely;
  }

  /** The most rows to visit. */
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
