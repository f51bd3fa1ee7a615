package io.millrace.server;

import java.util.Arrays;
import java.util.Random;

/** Messages that are not quite right, made of ones that are. */
final class Mutations {

  private static final byte[][] PIECES = {
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, // the number -1
    {-1, -1, -1, -1, -1, -1, -1, -1, 127}, // the largest
    {0},
    {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, // half of a character
    {10, -1, -1, -1, -1, 7}, // a field longer than all messages
    {11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11} // groups without an end
  };

  private static final String[] TEXTS = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "null",
    "-1",
    "1e999",
    "9223372036854775807",
    "\"\\ud800\"",
    "\u0000",
    "[".repeat(2_000),
    "{\"a\":".repeat(2_000),
    "true",
    "\"====\"",
    "NaN",
    "\\"
  };

  private final Random random;

  Mutations(Random random) {
    this.random = random;
  }

  byte[] bytes(byte[] right, byte[] other) {
    byte[] wrong = random.nextInt(10) == 0 ? noise() : right.clone();
    int changes = random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(wrong.length + 1);
      byte[] inserted =
          random.nextInt(3) == 0 && other.length > 0
              ? Arrays.copyOf(other, random.nextInt(other.length) + 1)
              : PIECES[random.nextInt(PIECES.length)];
      wrong =
          switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(wrong, at);
            case 1 -> joined(wrong, at, inserted, at);
            case 2 -> joined(wrong, at, inserted, Math.min(wrong.length, at + inserted.length));
            default -> flipped(wrong);
          };
    }
    return wrong;
  }

  private byte[] noise() {
    byte[] noise = new byte[random.nextInt(64)];
    random.nextBytes(noise);
    return noise;
  }

  private byte[] flipped(byte[] of) {
    byte[] flipped = of.clone();
    if (flipped.length > 0) {
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return flipped;
  }

  private static byte[] joined(byte[] of, int until, byte[] inserted, int from) {
    byte[] joined = Arrays.copyOf(of, until + inserted.length + of.length - from);
    System.arraycopy(inserted, 0, joined, until, inserted.length);
    System.arraycopy(of, from, joined, until + inserted.length, of.length - from);
    return joined;
  }

  String text(String right) {
    StringBuilder wrong = new StringBuilder(right);
    int changes = random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(wrong.length() + 1);
      String piece = TEXTS[random.nextInt(TEXTS.length)];
      switch (random.nextInt(3)) {
        case 0 -> wrong.setLength(at);
        case 1 -> wrong.insert(at, piece);
        default -> wrong.replace(at, Math.min(wrong.length(), at + 1 + random.nextInt(8)), piece);
      }
    }
    return wrong.toString();
  }
}
