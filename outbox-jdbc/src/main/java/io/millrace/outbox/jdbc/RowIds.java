package io.millrace.outbox.jdbc;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;

/**
 * The ids of rows: UUIDs of version 7. No two are the same, whoever makes them and whatever becomes
 * of the table, which no sequence of a database can promise. Those of one process rise, so that its
 * rows are relayed in the order in which it wrote them; those of others are near in time.
 */
final class RowIds {

  private static final int COUNTER_MAX = 0xfff;
  private static final long VERSION = 7L << 12;
  private static final long VARIANT = 1L << 63;

  private final SecureRandom random = new SecureRandom();
  private final InstantSource clock;
  private long lastMs;
  private int counter;

  RowIds(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns the next id. */
  synchronized UUID next() {
    long nowMs = clock.millis();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = 0;
    } else if (counter == COUNTER_MAX) {
      lastMs++; // ahead of the clock, until it has caught up
      counter = 0;
    } else {
      counter++;
    }
    long high = lastMs << 16 | VERSION | counter;
    return new UUID(high, VARIANT | random.nextLong() >>> 2);
  }

  /**
   * Returns the id of a row.
   *
   * @throws IllegalArgumentException the text is not what an id looks like: two texts must never
   *     mean one id
   */
  static UUID parse(String text) {
    UUID id = UUID.fromString(text);
    if (!id.toString().equals(text)) {
      throw new IllegalArgumentException(
          "id of the row is not a UUID in lower case with all of its digits: value=" + text);
    }
    return id;
  }
}
