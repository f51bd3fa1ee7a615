package io.millrace.internal.format;

/**
 * The layout of sequences and lease tokens, which rise over restarts because they begin with the
 * store's epoch. On disk, never change.
 *
 * <pre>
 *  bit 63       0: never negative, so that unsigned and signed order are the same
 *  bit 62       0: one of the first 2^19 epochs
 *  bits 61..43    epoch, 19 bits
 *  bits 42..0     counter inside the epoch, 43 bits
 *  bit 62       1: a later epoch
 *  bits 61..36    epoch less 2^19, 26 bits
 *  bits 35..0     counter inside the epoch, 36 bits
 * </pre>
 *
 * <p>Tokens must grow for as long as a store and its copies live, so a number that was passed over
 * may not be given any more, used or not. The first epochs take many numbers each. When half of all
 * are gone, later epochs get fewer each, so that no store comes to the end.
 */
public final class Sequences {

  private static final int COUNTER_BITS = 43;
  private static final int LATER_COUNTER_BITS = 36;
  private static final long LATER = 1L << 62;
  private static final long LATER_EPOCH = LATER >>> COUNTER_BITS;

  /** The largest epoch. */
  public static final long EPOCH_MAX =
      LATER_EPOCH + (Long.MAX_VALUE - LATER >>> LATER_COUNTER_BITS);

  private Sequences() {}

  /** Returns the sequence of the epoch with counter 0; the following ones are one higher each. */
  public static long first(long epoch) {
    if (epoch < 0 || epoch > EPOCH_MAX) {
      throw new IllegalArgumentException(
          "epoch is out of range: value=" + epoch + ", least=0, most=" + EPOCH_MAX);
    }
    return epoch < LATER_EPOCH
        ? epoch << COUNTER_BITS
        : LATER + (epoch - LATER_EPOCH << LATER_COUNTER_BITS);
  }

  /** Returns the last sequence of the epoch. */
  public static long last(long epoch) {
    return epoch == EPOCH_MAX ? Long.MAX_VALUE : first(epoch + 1) - 1;
  }

  public static long epoch(long sequence) {
    return sequence < LATER
        ? sequence >>> COUNTER_BITS
        : LATER_EPOCH + (sequence - LATER >>> LATER_COUNTER_BITS);
  }

  /** Returns how many sequences of the same epoch come before this one. */
  public static long counter(long sequence) {
    return sequence - first(epoch(sequence));
  }
}
