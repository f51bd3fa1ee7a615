package io.millrace.api;

import java.util.HexFormat;
import java.util.Objects;

/**
 * A job's identity for life: 16 opaque bytes, and the same in every copy of the store.
 *
 * @param high the first eight bytes, big-endian
 * @param low the last eight bytes, big-endian
 */
public record JobId(long high, long low) implements Comparable<JobId> {

  private static final int HALF_LENGTH = 16;
  private static final int TEXT_LENGTH = 2 * HALF_LENGTH;

  /**
   * Parses an id from the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException the text is not 32 hexadecimal digits
   */
  public static JobId parse(String text) {
    Objects.requireNonNull(text, "text");
    if (text.length() != TEXT_LENGTH) {
      throw notAnId(text);
    }
    try {
      return new JobId(
          HexFormat.fromHexDigitsToLong(text, 0, HALF_LENGTH),
          HexFormat.fromHexDigitsToLong(text, HALF_LENGTH, TEXT_LENGTH));
    } catch (IllegalArgumentException e) {
      throw notAnId(text);
    }
  }

  private static IllegalArgumentException notAnId(String text) {
    return new IllegalArgumentException(
        "text is not a job id: value=\"" + text + "\", expected 32 hexadecimal digits");
  }

  @Override
  public int compareTo(JobId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  /** Returns the id as 32 hexadecimal digits in lower case. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }
}
