package io.millrace.model.damage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Flips bits of a file, by a seed. */
final class BitRot {

  static final int BIT_COUNT_MAX = 40;

  private static final int PAGE_BYTES = 4_096;

  /** Where a page says what it is and where its rows are. */
  private static final int PAGE_HEAD_BYTES = 64;

  private BitRot() {}

  /** How the flipped bits lie. */
  enum Spread {
    ONE_BIT,
    ANYWHERE,
    ONE_PAGE,
    PAGE_HEADS
  }

  /** Flips bits; says which, as offsets in bits. */
  static String flip(Path file, Spread spread, long seed) throws IOException {
    Random random = new Random(seed);
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      int length = usedBytes(Files.readAllBytes(file));
      int count = spread == Spread.ONE_BIT ? 1 : 1 + random.nextInt(BIT_COUNT_MAX);
      int page = random.nextInt(pageCount(length)) * PAGE_BYTES;
      StringBuilder flipped = new StringBuilder(file.getFileName() + " " + spread);
      for (int i = 0; i < count; i++) {
        int at =
            switch (spread) {
              case ONE_BIT, ANYWHERE -> random.nextInt(length);
              case ONE_PAGE -> page + random.nextInt(Math.min(PAGE_BYTES, length - page));
              case PAGE_HEADS -> head(random, length);
            };
        int bit = random.nextInt(Byte.SIZE);
        open.seek(at);
        int value = open.read();
        open.seek(at);
        open.write(value ^ (1 << bit));
        flipped.append(' ').append(at).append('.').append(bit);
      }
      return flipped.toString();
    }
  }

  private static int head(Random random, int length) {
    int page = random.nextInt(pageCount(length)) * PAGE_BYTES;
    return page + random.nextInt(Math.min(PAGE_HEAD_BYTES, length - page));
  }

  private static int pageCount(int length) {
    return (length + PAGE_BYTES - 1) / PAGE_BYTES;
  }

  /** Length up to the last byte that is not zero: files are made longer than they need be. */
  static int usedBytes(byte[] bytes) {
    int length = bytes.length;
    while (length > 1 && bytes[length - 1] == 0) {
      length--;
    }
    return length;
  }
}
