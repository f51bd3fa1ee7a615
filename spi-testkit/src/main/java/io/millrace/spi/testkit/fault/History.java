package io.millrace.spi.testkit.fault;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.WriteBatch;

/**
 * Queue-like batches that follow from their number alone, so that any prefix of them can be told
 * from anything else. {@link HistoryShape} has others.
 */
public final class History {

  private History() {}

  public static WriteBatch batch(long number) {
    return HistoryShape.PLAIN.batch(number);
  }

  /** Asserts that the store holds exactly the first {@code lastCommit} batches, each whole. */
  public static void verify(OrderedStore store) {
    HistoryShape.PLAIN.verify(store);
  }
}
