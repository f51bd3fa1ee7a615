package io.millrace.spi.folder;

import java.util.Comparator;

/**
 * A place in a store's history: batch {@code commit}, written in {@code epoch}. A later epoch is
 * later whatever its batch.
 *
 * @param epoch number of the opening of the store, 0 before the first
 * @param commit number of the newest batch, 0 before the first
 */
public record Watermark(long epoch, long commit) implements Comparable<Watermark> {

  /**
   * The watermark before the first opening, of a store that holds nothing and never promised
   * anything.
   */
  public static final Watermark NONE = new Watermark(0, 0);

  private static final Comparator<Watermark> ORDER =
      Comparator.comparingLong(Watermark::epoch).thenComparingLong(Watermark::commit);

  /**
   * Creates a watermark.
   *
   * @throws IllegalArgumentException a number is negative
   */
  public Watermark {
    if (epoch < 0 || commit < 0) {
      throw new IllegalArgumentException(
          "watermark is negative: epoch=" + epoch + ", commit=" + commit);
    }
  }

  @Override
  public int compareTo(Watermark other) {
    return ORDER.compare(this, other);
  }
}
