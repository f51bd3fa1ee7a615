package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * A decoder of texts that refuses bytes which are not UTF-8. The JDK's constructor would silently
 * replace them.
 */
final class StrictUtf8 {

  private static final char REPLACEMENT = '\uFFFD';

  private StrictUtf8() {}

  /**
   * Returns the text in {@code [startInclusive, endExclusive)}.
   *
   * @throws IllegalArgumentException the bytes are not UTF-8
   */
  static String decode(byte[] source, int startInclusive, int endExclusive) {
    String text = new String(source, startInclusive, endExclusive - startInclusive, UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0) {
      byte[] back = text.getBytes(UTF_8);
      if (!Arrays.equals(back, 0, back.length, source, startInclusive, endExclusive)) {
        throw new IllegalArgumentException("text is not UTF-8");
      }
    }
    return text;
  }
}
