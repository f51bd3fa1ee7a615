package io.millrace.memtable;

/**
 * The share of a disk's room that may be promised to batches which are in the log and are still to
 * come to the store beneath.
 *
 * <p>On a large disk it leaves some to spare; on a small one, or when little is left, the room is
 * given away bit by bit. So what frees finds some when all is full.
 */
public final class DiskShare {

  /** The room that is left to spare on a large disk, in bytes. */
  public static final long SPARE_BYTES = 64L << 20;

  private static final int SMALL_SHARE = 8;

  private DiskShare() {}

  /**
   * Returns how many bytes may be promised of those that are free.
   *
   * @param places the number of places on the disk that each byte comes to
   */
  public static long of(long freeBytes, int places) {
    return Math.max((freeBytes - SPARE_BYTES) / places, freeBytes / SMALL_SHARE);
  }
}
