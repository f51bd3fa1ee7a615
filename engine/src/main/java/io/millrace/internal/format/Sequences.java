package io.millrace.internal.format;

/**
 * Sequences and lease tokens: one number that rises over restarts because it begins with the
 * store's epoch. On disk, never change.
 *
 * <pre>
 *  bit 63       0: never negative, so that unsigned and signed order are the same
 *  bits 62..43  epoch, 20 bits
 *  bits 42..0   counter inside the epoch, 43 bits
 * </pre>
 */
public final class Sequences {

  private static final int COUNTER_BITS = 43;

  /** Largest epoch. */
  public static final long EPOCH_MAX = (1L << 20) - 1;

  /** Largest counter inside an epoch. */
  public static final long COUNTER_MAX = (1L << COUNTER_BITS) - 1;

  private Sequences() {}

  /** The sequence of the epoch with counter 0; the following ones are one higher each. */
  public static long first(long epoch) {
    if (epoch < 0 || epoch > EPOCH_MAX) {
      throw new IllegalArgumentException(
          "epoch is out of range: value=" + epoch + ", least=0, most=" + EPOCH_MAX);
    }
    return epoch << COUNTER_BITS;
  }

  public static long epoch(long sequence) {
    return sequence >>> COUNTER_BITS;
  }

  public static long counter(long sequence) {
    return sequence & COUNTER_MAX;
  }
}
