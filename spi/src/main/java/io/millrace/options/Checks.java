package io.millrace.options;

import io.millrace.options.Option.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The checks of values from callers. Each returns the value if it is allowed, and throws {@link
 * IllegalArgumentException} if not, or {@link NullPointerException}, with the name of the
 * parameter.
 */
public final class Checks {

  private static final Check<Instant, Instant> INSTANT =
      Check.between(Instant.EPOCH, Instant.parse("9999-12-31T23:59:59.999Z"));

  private Checks() {}

  /** Returns the value if it is in the range, both ends inclusive. */
  public static long inRange(String parameter, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          parameter + " is out of range: value=" + value + ", least=" + least + ", most=" + most);
    }
    return value;
  }

  /** Returns the value if it is in the range, both ends inclusive. */
  public static Duration inRange(String parameter, Duration value, Duration least, Duration most) {
    Objects.requireNonNull(value, parameter);
    return Check.between(least, most).checked(parameter, value);
  }

  /** Returns the value if it is from 0 to the greatest that is allowed. */
  public static Duration upTo(String parameter, Duration value, Duration most) {
    return inRange(parameter, value, Duration.ZERO, most);
  }

  /** Returns the instant if it is from 1970 to 9999, which epoch milliseconds hold with room. */
  public static Instant instant(String parameter, Instant value) {
    Objects.requireNonNull(value, parameter);
    return INSTANT.checked(parameter, value);
  }

  /** Returns the value if it is not longer than that. */
  public static byte[] bytes(String parameter, byte[] value, int bytesMost) {
    Objects.requireNonNull(value, parameter);
    inRange(parameter + " length in bytes", value.length, 0, bytesMost);
    return value;
  }

  /**
   * Returns the text if its length in UTF-8 bytes is in the range, both ends inclusive, and if it
   * has no unpaired surrogates, so that it can be read back from UTF-8.
   */
  public static String text(String parameter, String value, int bytesLeast, int bytesMost) {
    Objects.requireNonNull(value, parameter);
    int bytes = Utf8.lengthBytes(parameter, value);
    if (bytes < bytesLeast || bytes > bytesMost) {
      throw new IllegalArgumentException(
          parameter
              + " has a length out of range: value=\""
              + (value.length() > 80 ? value.substring(0, 80) + "…" : value)
              + "\", UTF-8 bytes="
              + bytes
              + ", least="
              + bytesLeast
              + ", most="
              + bytesMost);
    }
    return value;
  }

  /**
   * Returns a check that calls {@link #text(String, String, int, int)} with a length from 1 byte.
   */
  public static Check<String, String> text(int bytesMost) {
    return (parameter, value) -> text(parameter, value, 1, bytesMost);
  }
}
