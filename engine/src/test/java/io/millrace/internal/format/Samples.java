package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.QueueName;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Seeded values for tests of the format: mostly boundaries, so that neighbours meet, else anything.
 */
final class Samples {

  /** The order of variable parts in keys: the length comes first. */
  static final Comparator<byte[]> BY_LENGTH_THEN_BYTES =
      Comparator.<byte[]>comparingInt(part -> part.length).thenComparing(Arrays::compareUnsigned);

  private static final int[] INTS = {
    0, 1, 2, 127, 128, 255, 256, 65_535, 65_536, Integer.MAX_VALUE - 1, Integer.MAX_VALUE
  };

  private static final long[] LONGS = {
    0,
    1,
    127,
    128,
    255,
    256,
    (1L << 31) - 1,
    1L << 31,
    (1L << 32) - 1,
    1L << 32,
    (1L << 43) - 1,
    1L << 43,
    (1L << 43) + 1,
    1L << 56,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };

  private static final int[] PRIORITIES = {-128, -127, -1, 0, 1, 126, 127};

  private static final String[] TEXTS = {
    "a",
    "b",
    "aa",
    "a/b",
    "/",
    "\0",
    "a\0",
    "a\0b",
    "ÿ",
    "\uFFFF",
    "\uFFFD",
    "größe",
    "名前",
    "😀",
    "x".repeat(127),
    "x".repeat(128),
    "x".repeat(200),
    "é".repeat(100)
  };

  private static final byte[][] PARTS = {
    {},
    {0},
    {0, 0},
    {1},
    {0x7f},
    {(byte) 0x80},
    {(byte) 0xff},
    {(byte) 0xff, 0},
    {(byte) 0xff, (byte) 0xff},
    filled(127, 0x61),
    filled(128, 0x61),
    filled(255, 0),
    filled(255, 0xff)
  };

  private final SplittableRandom random;

  Samples(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The bytes of hexadecimal digits, among which there may be spaces. */
  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  boolean flag() {
    return random.nextBoolean();
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** A number that is not negative: a queue, a version, an attempt. */
  int integer() {
    return isBoundary() ? INTS[below(INTS.length)] : random.nextInt(Integer.MAX_VALUE);
  }

  /** A number that is not negative: a sequence, a time. */
  long number() {
    return isBoundary()
        ? LONGS[below(LONGS.length)]
        : random.nextLong(Long.MAX_VALUE) >>> below(63);
  }

  int priority() {
    return isBoundary() ? PRIORITIES[below(PRIORITIES.length)] : below(256) - 128;
  }

  byte[] part() {
    return isBoundary() ? PARTS[below(PARTS.length)].clone() : bytes(255);
  }

  byte @Nullable [] partOrNull() {
    return flag() ? part() : null;
  }

  byte[] bytes(int lengthMax) {
    byte[] bytes = new byte[below(lengthMax + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  String text() {
    return isBoundary() ? TEXTS[below(TEXTS.length)] : "t" + random.nextLong();
  }

  @Nullable String textOrNull() {
    return flag() ? text() : null;
  }

  QueueName queueName() {
    return new QueueName(text(), flag() ? text() : "");
  }

  Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = below(4); i > 0; i--) {
      headers.put(text(), flag() ? text() : "");
    }
    return headers;
  }

  /** Changes one byte. */
  byte[] mutate(byte[] bytes) {
    byte[] mutated = bytes.clone();
    if (mutated.length > 0) {
      mutated[below(mutated.length)] = (byte) random.nextInt();
    }
    return mutated;
  }

  static int compareTexts(String a, String b) {
    return BY_LENGTH_THEN_BYTES.compare(a.getBytes(UTF_8), b.getBytes(UTF_8));
  }

  private boolean isBoundary() {
    return below(4) != 0;
  }

  private static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
