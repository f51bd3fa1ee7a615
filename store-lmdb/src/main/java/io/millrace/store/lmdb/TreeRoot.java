package io.millrace.store.lmdb;

import java.nio.ByteBuffer;

/**
 * The root of one of LMDB's trees: where the tree begins, and how much is in it.
 *
 * <pre>
 *  native byte order
 *  offset   0  4 bytes  pad
 *           4  2 bytes  flags, 8 = keys are numbers
 *           6  2 bytes  depth, 0 = empty
 *           8  8 bytes  branch pages
 *          16  8 bytes  leaf pages
 *          24  8 bytes  overflow pages
 *          32  8 bytes  rows
 *          40  8 bytes  number of the root page, -1 = empty
 * </pre>
 */
record TreeRoot(
    int pad,
    int flags,
    int depth,
    long branchPages,
    long leafPages,
    long overflowPages,
    long rows,
    long page) {

  static final int BYTES = 48;
  static final int FLAG_NUMBERS = 8;

  /** The deepest tree, by LMDB's own limit. */
  static final int DEPTH_MAX = 32;

  private static final int FLAGS_OFFSET = 4;
  private static final int DEPTH_OFFSET = 6;
  private static final int BRANCH_PAGES_OFFSET = 8;
  private static final int LEAF_PAGES_OFFSET = 16;
  private static final int OVERFLOW_PAGES_OFFSET = 24;
  private static final int ROWS_OFFSET = 32;
  private static final int PAGE_OFFSET = 40;
  private static final long NO_PAGE = -1;

  static TreeRoot read(ByteBuffer bytes, int at) {
    return new TreeRoot(
        bytes.getInt(at),
        Short.toUnsignedInt(bytes.getShort(at + FLAGS_OFFSET)),
        Short.toUnsignedInt(bytes.getShort(at + DEPTH_OFFSET)),
        bytes.getLong(at + BRANCH_PAGES_OFFSET),
        bytes.getLong(at + LEAF_PAGES_OFFSET),
        bytes.getLong(at + OVERFLOW_PAGES_OFFSET),
        bytes.getLong(at + ROWS_OFFSET),
        bytes.getLong(at + PAGE_OFFSET));
  }

  boolean isEmpty() {
    return page == NO_PAGE;
  }
}
