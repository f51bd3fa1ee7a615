package io.millrace.tables;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.Limits;
import io.millrace.options.Checks;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A change of a row that goes by what the row holds when it is carried out, so that the caller need
 * not have read it before. A row that is not there is as one of nothing, or of zero.
 *
 * @param with the number or bytes that the kind applies; nobody may change it
 */
public record RowMerge(Kind kind, byte[] with) {

  /** The value that a change makes of the row's and its own. */
  public enum Kind {
    /** The sum of the row's number and the other. */
    ADD,
    /** The greater of both numbers; without a row, the other. */
    MAX,
    /** The row's bytes, and the others behind them. */
    APPEND
  }

  /** Creates a change that adds a number. */
  public static RowMerge add(long delta) {
    return new RowMerge(Kind.ADD, Codec.LONG.encode(delta));
  }

  /** Creates a change that puts the number in place of the row's if it is greater. */
  public static RowMerge max(long value) {
    return new RowMerge(Kind.MAX, Codec.LONG.encode(value));
  }

  /** Creates a change that appends bytes. */
  public static RowMerge append(byte[] value) {
    Checks.inRange("length of what is appended", value.length, 0, Limits.APPENDED_BYTES_MAX);
    return new RowMerge(Kind.APPEND, value);
  }

  /** Returns how many bytes the row has at most afterwards. */
  public int bytesMax() {
    return kind == Kind.APPEND ? Limits.APPENDED_BYTES_MAX : Long.BYTES;
  }

  /**
   * Returns what the row holds afterwards.
   *
   * @param found what the row holds before; null if there is none
   * @throws IllegalArgumentException that is no number, or is too great or too long for this
   */
  public byte[] applied(byte @Nullable [] found) {
    return found == null
        ? with
        : switch (kind) {
          case ADD -> Codec.LONG.encode(sum(number(found), number(with)));
          case MAX -> number(found) >= number(with) ? found : with;
          case APPEND -> appended(found);
        };
  }

  private static long number(byte[] bytes) {
    try {
      return Codec.LONG.decode(bytes);
    } catch (CodecException e) {
      throw new IllegalArgumentException("a row holds no number: " + e.getMessage(), e);
    }
  }

  private static long sum(long found, long delta) {
    try {
      return Math.addExact(found, delta);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "the sum is beyond the numbers of 64 bits: value=" + found + ", added=" + delta, e);
    }
  }

  private byte[] appended(byte[] found) {
    Checks.inRange(
        "length of the row with what is appended",
        found.length + with.length,
        0,
        Limits.APPENDED_BYTES_MAX);
    byte[] both = Arrays.copyOf(found, found.length + with.length);
    System.arraycopy(with, 0, both, found.length, with.length);
    return both;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RowMerge that && kind == that.kind && Arrays.equals(with, that.with);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + Arrays.hashCode(with);
  }
}
