package io.millrace.memtable.log;

import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.WriteBatch;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** A log of small files in a folder, and batches that follow from their numbers. */
final class LogRig {

  static final LogSizes SIZES = new LogSizes(4_096, 16_384, 65_536);

  private static final long NUMBER_FACTOR = 0x9E3779B97F4A7C15L;

  private final Path folder;
  private final LongSupplier chance;

  LogRig(Path folder) {
    this(folder, 1);
  }

  LogRig(Path folder, long seed) {
    this.folder = folder;
    this.chance = new Random(seed)::nextLong;
  }

  /** What a replay handed over: each batch in a line. */
  record Read(List<String> batches, LogReplay replay) {

    long last() {
      return replay.lastNumber();
    }
  }

  Path folder() {
    return folder;
  }

  Path file(int index) {
    return folder.resolve("log-" + index);
  }

  /** Goes on behind what is there, in an opening of this number. */
  FolderLog open(long epoch, long after) {
    return begin(read(after), epoch);
  }

  FolderLog begin(Read read, long epoch) {
    return FolderLog.begin(read.replay(), epoch, SIZES, chance);
  }

  Read read(long after) {
    return read(after, 0, LostCommits.REFUSE);
  }

  Read read(long after, long durable, LostCommits lostCommits) {
    List<String> batches = new ArrayList<>();
    LogReplay replay =
        LogReplay.read(
            folder, after, durable, lostCommits, (epoch, batch) -> batches.add(text(batch)));
    return new Read(batches, replay);
  }

  /** How far the log can be read, or -1 if it says that it is damaged. */
  long readable(long after) {
    try {
      Read read = read(after);
      for (int i = 0; i < read.batches().size(); i++) {
        if (!read.batches().get(i).equals(text(batch(after + 1 + i)))) {
          throw new AssertionError("not the batch that was written: " + (after + 1 + i));
        }
      }
      if (read.last() != after + read.batches().size()) {
        throw new AssertionError("last batch is not the last that was read: " + read);
      }
      return read.last();
    } catch (StoreCorruptException e) {
      return -1;
    }
  }

  /** How far the log can be read, whatever its batches are. */
  long lastReadable(long after) {
    return read(after).last();
  }

  /** Appends that many batches. */
  static void append(BatchLog log, int count) {
    for (int i = 0; i < count; i++) {
      log.append(batch(log.lastNumber() + 1));
    }
  }

  static void appendAndSync(BatchLog log, int count) {
    for (int i = 0; i < count; i++) {
      append(log, 1);
      log.sync();
    }
  }

  /** A batch of a few rows, some of them deleted, some of them of some pages. */
  static WriteBatch batch(long number) {
    Random random = new Random(number * NUMBER_FACTOR);
    WriteBatch batch = new WriteBatch(number);
    for (int i = random.nextInt(4); i >= 0; i--) {
      byte[] key = bytes(random, 1 + random.nextInt(20));
      if (random.nextInt(4) == 0) {
        batch.delete(key);
      } else {
        batch.put(key, bytes(random, random.nextInt(random.nextInt(40) == 0 ? 9_000 : 80)));
      }
    }
    return batch;
  }

  /** A batch of one row that is as long as that. */
  static WriteBatch longBatch(long number, int valueBytes) {
    WriteBatch batch = new WriteBatch(number);
    batch.put(new byte[] {1}, bytes(new Random(number), valueBytes));
    return batch;
  }

  static String text(WriteBatch batch) {
    StringBuilder text = new StringBuilder().append(batch.number());
    for (int i = 0; i < batch.size(); i++) {
      byte[] value = batch.value(i);
      text.append(value == null ? " -" : " +").append(HexFormat.of().formatHex(batch.key(i)));
      text.append(value == null ? "" : "=" + HexFormat.of().formatHex(value));
    }
    return text.toString();
  }

  static List<String> texts(long first, long last) {
    List<String> texts = new ArrayList<>();
    for (long number = first; number <= last; number++) {
      texts.add(text(batch(number)));
    }
    return texts;
  }

  /** What the files hold, by their names. */
  Map<String, byte[]> contents() throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        contents.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return contents;
  }

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
