package io.millrace.store.rocksdb;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that only takes up room on the disk. It is deleted when the disk is full, so that batches
 * that free jobs can still be written and sorted into tables.
 *
 * <p>Without it a disk that somebody else filled to the last byte would leave no way out, for
 * deletions are writes here, too. For the writer's thread.
 */
final class Ballast {

  static final String FILE_NAME = "RESERVE";

  private static final Logger LOG = LoggerFactory.getLogger(Ballast.class);
  private static final byte[] STEP = new byte[1 << 20];

  /** The multiple of the file's full size that must be free on the disk before the file grows. */
  private static final int FREE_FACTOR = 4;

  private final Path file;
  private final long bytesMax;
  private long bytes;

  Ballast(Path folder, long bytesMax) {
    this.file = folder.resolve(FILE_NAME);
    this.bytesMax = bytesMax;
    this.bytes = file.toFile().length();
  }

  /**
   * Grows the file by a step while plenty of the disk is free: in steps, so that no batch waits for
   * long.
   */
  void grow(long freeBytes) {
    if (bytes >= bytesMax || freeBytes < FREE_FACTOR * bytesMax) {
      return;
    }
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      int step = (int) Math.min(STEP.length, bytesMax - bytes);
      open.seek(bytes);
      open.write(STEP, 0, step);
      bytes += step;
    } catch (IOException e) {
      release();
    }
  }

  /**
   * Deletes the file, which gives its room back; false if it has no room to give or cannot be
   * deleted.
   */
  boolean release() {
    File held = file.toFile();
    if (held.length() == 0) {
      return false;
    }
    try {
      Files.delete(file);
    } catch (IOException e) {
      LOG.warn("reserve cannot be given up: file={}", file, e);
      return false;
    }
    bytes = 0;
    return true;
  }
}
