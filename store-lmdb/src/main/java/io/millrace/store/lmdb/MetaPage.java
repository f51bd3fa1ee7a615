package io.millrace.store.lmdb;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A meta page of LMDB's data file, one of two at its start: where a transaction's trees begin.
 *
 * <pre>
 *  native byte order
 *  offset   0  8 bytes  page number
 *          10  2 bytes  page flags, 8 = meta
 *          16  4 bytes  magic
 *          20  4 bytes  version
 *          40 48 bytes  the tree of free pages, which holds the page size
 *          88 48 bytes  the tree of the main database
 *         136  8 bytes  number of the last page in use
 *         144  8 bytes  transaction number; the higher one counts
 * </pre>
 */
record MetaPage(
    long number,
    int version,
    int pageBytes,
    TreeRoot free,
    TreeRoot main,
    long lastPage,
    long transaction) {

  static final int BYTES = 152;
  static final int COUNT = 2;
  static final int VERSION = 1;

  private static final int FLAGS_OFFSET = 10;
  private static final int FLAG_META = 8;
  private static final int MAGIC_OFFSET = 16;
  private static final int MAGIC = 0xBEEFC0DE;
  private static final int VERSION_OFFSET = 20;
  private static final int FREE_OFFSET = 40;
  private static final int MAIN_OFFSET = FREE_OFFSET + TreeRoot.BYTES;
  private static final int LAST_PAGE_OFFSET = 136;
  private static final int TRANSACTION_OFFSET = 144;

  /** Reads a meta page; null if the bytes are none. */
  static @Nullable MetaPage read(ByteBuffer bytes) {
    if (bytes.getShort(FLAGS_OFFSET) != FLAG_META || bytes.getInt(MAGIC_OFFSET) != MAGIC) {
      return null;
    }
    return new MetaPage(
        bytes.getLong(0),
        bytes.getInt(VERSION_OFFSET),
        bytes.getInt(FREE_OFFSET),
        TreeRoot.read(bytes, FREE_OFFSET),
        TreeRoot.read(bytes, MAIN_OFFSET),
        bytes.getLong(LAST_PAGE_OFFSET),
        bytes.getLong(TRANSACTION_OFFSET));
  }

  /**
   * Tells whether the two meta pages fit together: transactions take turns with them, so that one
   * tells what the other can be.
   */
  static boolean areNeighbours(MetaPage first, MetaPage second) {
    long distance = first.transaction - second.transaction;
    boolean isTurn =
        first.transaction % COUNT == 0
            && (second.transaction == 0 || second.transaction % COUNT == 1);
    return first.number == 0
        && second.number == 1
        && first.pageBytes == second.pageBytes
        && first.transaction >= 0
        && second.transaction >= 0
        && isTurn
        && Math.abs(distance) <= 1;
  }

  static MetaPage newest(MetaPage first, MetaPage second) {
    return first.transaction < second.transaction ? second : first;
  }

  /** Returns how many bytes of the file are in use. */
  long usedBytes() {
    return (lastPage + 1) * pageBytes;
  }
}
