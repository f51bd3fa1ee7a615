package io.millrace.api;

import java.util.Objects;

/**
 * A job's identity for life: 16 opaque bytes, and the same in every copy of the store.
 *
 * @param high the first eight bytes, big-endian
 * @param low the last eight bytes, big-endian
 */
public record JobId(long high, long low) implements Comparable<JobId> {

  private static final int TEXT_LENGTH = 32;

  /**
   * Parses an id from the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException the text is not 32 hexadecimal digits
   */
  public static JobId parse(String text) {
    Objects.requireNonNull(text, "text");
    boolean isHex =
        text.length() == TEXT_LENGTH
            && text.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0);
    if (!isHex) {
      throw new IllegalArgumentException(
          "text is not a job id: value=\"" + text + "\", expected 32 hexadecimal digits");
    }
    return new JobId(
        Long.parseUnsignedLong(text, 0, 16, 16), Long.parseUnsignedLong(text, 16, TEXT_LENGTH, 16));
  }

  @Override
  public int compareTo(JobId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  /** Returns the id as 32 hexadecimal digits in lower case. */
  @Override
  public String toString() {
    return hex(high) + hex(low);
  }

  private static String hex(long half) {
    String digits = Long.toHexString(half);
    return "0".repeat(16 - digits.length()) + digits;
  }
}
