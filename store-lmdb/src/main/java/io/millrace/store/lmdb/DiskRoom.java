package io.millrace.store.lmdb;

import io.millrace.memtable.DiskShare;
import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The share of a disk that rows in memory may count on. A disk with room to spare is asked so
 * seldom that it costs a batch nothing. Thread-safe.
 */
final class DiskRoom {

  /** The places of a row: the log and the database. */
  private static final int PLACES = 2;

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
    if (now - askedNs >= ASK_AGAIN_NS || freeBytes < DiskShare.SPARE_BYTES) {
      ask(now);
    }
    return DiskShare.of(freeBytes + ownBytes, PLACES);
  }

  private void ask(long now) {
    freeBytes = folder.getUsableSpace();
    askedNs = now;
  }
}
