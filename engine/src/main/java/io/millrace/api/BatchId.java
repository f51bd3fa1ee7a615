package io.millrace.api;

import io.millrace.options.Checks;
import java.util.HexFormat;
import java.util.Objects;

/**
 * A batch's identity for life, the same in every copy of the store. Ids are in the order in which
 * the batches were begun.
 *
 * @param value a positive number, never given to another batch or job of the store
 */
public record BatchId(long value) implements Comparable<BatchId> {

  private static final int TEXT_LENGTH = 16;

  /**
   * Creates an id.
   *
   * @throws IllegalArgumentException the value is not positive
   */
  public BatchId {
    Checks.inRange("batch id", value, 1, Long.MAX_VALUE);
  }

  /**
   * Parses an id from the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException the text is not 16 hexadecimal digits, or only zeros
   */
  public static BatchId parse(String text) {
    Objects.requireNonNull(text, "text");
    boolean isHex =
        text.length() == TEXT_LENGTH
            && text.chars().allMatch(HexFormat::isHexDigit)
            && HexFormat.fromHexDigit(text.charAt(0)) < 8;
    if (!isHex) {
      throw new IllegalArgumentException(
          "text is not a batch id: value=\""
              + text
              + "\", expected 16 hexadecimal digits as the start of a batch returned them");
    }
    return new BatchId(HexFormat.fromHexDigitsToLong(text));
  }

  @Override
  public int compareTo(BatchId other) {
    return Long.compare(value, other.value);
  }

  /** Returns the id as 16 hexadecimal digits in lower case. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(value);
  }
}
