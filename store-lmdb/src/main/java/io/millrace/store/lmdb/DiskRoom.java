package io.millrace.store.lmdb;

import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The share of a disk that rows in memory may count on. A disk with room to spare is asked so
 * seldom that it costs a batch nothing.
 *
 * <p>A batch needs room twice, in the log and in the database, and what frees needs some when all
 * is full. On a large disk that leaves a share to spare; on a small one, or when little is left, a
 * small share is given away at a time. Thread-safe.
 */
final class DiskRoom {

  private static final long SPARE_BYTES = 64L << 20;
  private static final int USES = 2;
  private static final int SMALL_SHARE = 8;
  private static final long ASK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final File folder;
  private long askedNs;
  private long freeBytes;

  DiskRoom(Path folder) {
    this.folder = folder.toFile();
    ask(System.nanoTime());
  }

  /**
   * Returns about how much more may be written, keys and values together, in bytes.
   *
   * @param ownBytes the bytes of the disk that the database has and does not use
   */
  synchronized long bytes(long ownBytes) {
    long now = System.nanoTime();
    if (now - askedNs >= ASK_AGAIN_NS || freeBytes < SPARE_BYTES) {
      ask(now);
    }
    long all = freeBytes + ownBytes;
    return Math.max((all - SPARE_BYTES) / USES, all / SMALL_SHARE);
  }

  private void ask(long now) {
    freeBytes = folder.getUsableSpace();
    askedNs = now;
  }
}
