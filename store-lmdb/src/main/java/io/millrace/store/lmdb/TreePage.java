package io.millrace.store.lmdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A page of one of LMDB's trees: sorted nodes, each a key with a child page or with a value.
 *
 * <pre>
 *  native byte order
 *  offset   0  8 bytes  page number
 *           8  2 bytes  pad
 *          10  2 bytes  flags, 1 = branch, 2 = leaf, 4 = overflow
 *          12  2 bytes  lower: end of the nodes' offsets; 4 bytes of page count on an overflow page
 *          14  2 bytes  upper: start of the nodes
 *          16  2 bytes each: offsets of the nodes in the order of their keys
 *
 *  a node, at an even offset
 *  offset   0  4 bytes  length of the value; low bytes of the child page's number
 *           4  2 bytes  flags: 1 = the value is on overflow pages, 2 = it is a tree; high bytes of
 *                       the child page's number
 *           6  2 bytes  length of the key
 *           8           key, then the value or the number of its first page
 * </pre>
 *
 * <p>Nothing else may be asked for before {@link #flaw} has found nothing.
 */
final class TreePage {

  static final int HEADER_BYTES = 16;
  static final int FLAGS_OFFSET = 10;
  static final int FLAG_OVERFLOW = 4;
  static final int PAGE_COUNT_OFFSET = 12;

  private static final int FLAG_BRANCH = 1;
  private static final int FLAG_LEAF = 2;
  private static final int LOWER_OFFSET = 12;
  private static final int UPPER_OFFSET = 14;
  private static final int NODE_HEADER_BYTES = 8;
  private static final int NODE_FLAGS_OFFSET = 4;
  private static final int KEY_LENGTH_OFFSET = 6;
  private static final int NODE_OVERFLOW = 1;
  private static final int NODE_TREE = 2;

  private final ByteBuffer bytes;
  private final int pageBytes;
  private final boolean isLeaf;

  TreePage(ByteBuffer bytes, boolean isLeaf) {
    this.bytes = bytes;
    this.pageBytes = bytes.capacity();
    this.isLeaf = isLeaf;
  }

  /** Order of the keys of a tree. */
  enum Order {
    BYTES,
    NUMBERS;

    int compare(byte[] a, byte[] b) {
      return this == BYTES
          ? Arrays.compareUnsigned(a, b)
          : Long.compareUnsigned(number(a), number(b));
    }

    private static long number(byte[] key) {
      return ByteBuffer.wrap(key).order(ByteOrder.nativeOrder()).getLong();
    }
  }

  /** Returns what is wrong with the page as such; null if it can be read. */
  @Nullable String flaw(long number, Order order) {
    if (bytes.getLong(0) != number) {
      return "it says that it is page " + bytes.getLong(0);
    }
    int flags = bytes.getShort(FLAGS_OFFSET);
    if (flags != (isLeaf ? FLAG_LEAF : FLAG_BRANCH)) {
      return "its kind is " + flags;
    }
    int lower = unsigned(LOWER_OFFSET);
    int upper = unsigned(UPPER_OFFSET);
    if (lower <= HEADER_BYTES || lower % 2 != 0 || lower > upper || upper > pageBytes) {
      return "its bounds are " + lower + " and " + upper;
    }
    return nodesFlaw(upper, order);
  }

  private @Nullable String nodesFlaw(int upper, Order order) {
    int filled = 0;
    for (int i = 0; i < count(); i++) {
      int at = offset(i);
      if (at < upper || at % 2 != 0 || at + NODE_HEADER_BYTES > pageBytes) {
        return "row " + i + " is at " + at;
      }
      long length = nodeBytes(at);
      if (at + length > pageBytes) {
        return "row " + i + " has " + length + " bytes";
      }
      filled += (int) (length + 1) / 2 * 2;
      if (order == Order.NUMBERS && keyLength(i) != Long.BYTES && i >= firstKey()) {
        return "row " + i + " has no number for a key";
      }
      if (i > firstKey() && compare(i - 1, i, order) >= 0) {
        return "row " + i + " is out of order";
      }
    }
    return filled == pageBytes - upper ? null : "its rows take " + filled + " bytes";
  }

  /**
   * Returns the index of the first key to look at: the first key of a branch stands for all that is
   * below the second.
   */
  int firstKey() {
    return isLeaf ? 0 : 1;
  }

  int count() {
    return (unsigned(LOWER_OFFSET) - HEADER_BYTES) / 2;
  }

  byte[] key(int index) {
    byte[] key = new byte[keyLength(index)];
    bytes.get(offset(index) + NODE_HEADER_BYTES, key);
    return key;
  }

  private int compare(int index, int other, Order order) {
    if (order == Order.NUMBERS) {
      return order.compare(key(index), key(other));
    }
    int at = offset(index) + NODE_HEADER_BYTES;
    int otherAt = offset(other) + NODE_HEADER_BYTES;
    byte[] array = bytes.array();
    return Arrays.compareUnsigned(
        array, at, at + keyLength(index), array, otherAt, otherAt + keyLength(other));
  }

  private int keyLength(int index) {
    return unsigned(offset(index) + KEY_LENGTH_OFFSET);
  }

  /** Returns the number of the child page of a branch's node. */
  long child(int index) {
    int at = offset(index);
    return length(at) | (long) unsigned(at + NODE_FLAGS_OFFSET) << Integer.SIZE;
  }

  /** Returns the flags of a leaf's node, which tell where its value is and of which kind. */
  int nodeFlags(int index) {
    return unsigned(offset(index) + NODE_FLAGS_OFFSET);
  }

  boolean isOverflow(int index) {
    return nodeFlags(index) == NODE_OVERFLOW;
  }

  boolean isTree(int index) {
    return nodeFlags(index) == NODE_TREE;
  }

  boolean isPlain(int index) {
    return nodeFlags(index) == 0;
  }

  long valueLength(int index) {
    return length(offset(index));
  }

  /** Returns the number of the first overflow page of the value. */
  long overflowPage(int index) {
    return bytes.getLong(valueOffset(index));
  }

  /** Returns the tree that is the value. */
  TreeRoot tree(int index) {
    return TreeRoot.read(bytes, valueOffset(index));
  }

  /** Returns the value, if it is neither on other pages nor a tree. */
  byte[] value(int index) {
    byte[] value = new byte[(int) valueLength(index)];
    bytes.get(valueOffset(index), value);
    return value;
  }

  private int valueOffset(int index) {
    return offset(index) + NODE_HEADER_BYTES + keyLength(index);
  }

  private long nodeBytes(int at) {
    long length = NODE_HEADER_BYTES + (long) unsigned(at + KEY_LENGTH_OFFSET);
    if (!isLeaf) {
      return length;
    }
    boolean isElsewhere = (unsigned(at + NODE_FLAGS_OFFSET) & NODE_OVERFLOW) != 0;
    return length + (isElsewhere ? Long.BYTES : length(at));
  }

  private int offset(int index) {
    return unsigned(HEADER_BYTES + 2 * index);
  }

  private int unsigned(int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }

  private long length(int at) {
    return Integer.toUnsignedLong(bytes.getInt(at));
  }
}
