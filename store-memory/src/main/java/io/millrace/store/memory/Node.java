package io.millrace.store.memory;

import io.millrace.spi.ReadView.RowVisitor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Part of a {@link RowTree}: rows, or children.
 *
 * <p>Only the edit that made a node may change it, and only until the edit's tree is published.
 * Everyone else copies it first: {@link #put} and {@link #delete} return the node that takes this
 * one's place, which may be itself.
 */
abstract sealed class Node permits Leaf, Branch {

  /** A node that reaches this size is split at once, so that there is always room for one more. */
  static final int CAPACITY = 32;

  /** A node below this size is joined with a neighbour if the two leave room to grow. */
  static final int SPARSE = CAPACITY / 4;

  static final int JOINED_MAX = CAPACITY * 3 / 4;

  final Edit owner;
  int size;

  Node(Edit owner) {
    this.owner = owner;
  }

  abstract byte @Nullable [] get(byte[] key);

  abstract Node put(Edit edit, byte[] key, byte[] value);

  /** Removes the row of the key, or leaves the edit's mark there if it has one. */
  abstract Node delete(Edit edit, byte[] key);

  /** Moves the upper half into a new right neighbour. This node must belong to the edit. */
  abstract Node split(Edit edit);

  /**
   * Takes over all of the right neighbour, whose rows begin at {@code low}. This node must belong
   * to the edit.
   */
  abstract void append(Node right, byte[] low);

  /** Returns this node if it belongs to the edit, else a copy that does. */
  abstract Node editable(Edit edit);

  /** Returns a lower bound of the keys in this node, which must just have been split off. */
  abstract byte[] low();

  /** Visits this node's part of the range. Returns whether the scan goes on behind it. */
  abstract boolean scan(Scan scan);

  /** Makes room at an index of an array that holds {@code size} elements. */
  final void shiftUp(@Nullable Object[] array, int index) {
    System.arraycopy(array, index, array, index + 1, size - index);
  }

  /** Closes the gap at an index of an array that holds {@code size} elements. */
  final void shiftDown(@Nullable Object[] array, int index) {
    System.arraycopy(array, index + 1, array, index, size - index - 1);
    array[size - 1] = null;
  }

  /**
   * The right to change the nodes that one batch made, and how the batch changed the tree's totals.
   */
  static final class Edit {
    long bytes;
    long rowCount;

    /** True while the row that is put is new: no older tree has a row of its key. */
    boolean isNew;

    /**
     * The value that is left in place of each row that is deleted and was not new; null for none.
     */
    final byte @Nullable [] mark;

    /** The leaf of the last change, which belongs to this edit; null if it may be gone. */
    private @Nullable Leaf last;

    /** The bound below the keys of that leaf; null for none. */
    private byte @Nullable [] low;

    /** The exclusive bound above the keys of that leaf; null for none. */
    private byte @Nullable [] high;

    Edit(byte @Nullable [] mark) {
      this.mark = mark;
    }

    /**
     * Returns the leaf of the last change, if the key's place is in it and a change leaves it large
     * and small enough for the nodes above to stay as they are; else null.
     */
    @Nullable Leaf near(byte[] key) {
      boolean isFit = last != null && last.size > SPARSE && last.size < CAPACITY - 1;
      boolean isIn =
          isFit
              && (low == null || Arrays.compareUnsigned(low, key) <= 0)
              && (high == null || Arrays.compareUnsigned(key, high) < 0);
      return isIn ? last : null;
    }

    /** Begins a way from the root to a leaf. */
    void beginAtRoot() {
      last = null;
      low = null;
      high = null;
    }

    /** Goes on to a child, with the bounds of its keys; null for those of its parent. */
    void goOn(byte @Nullable [] childLow, byte @Nullable [] childHigh) {
      low = childLow == null ? low : childLow;
      high = childHigh == null ? high : childHigh;
    }

    /** Notes the leaf that was changed at the end of the way. */
    void changed(Leaf leaf) {
      last = leaf;
    }

    /** Notes that a leaf was split, joined or removed. */
    void leavesMoved() {
      last = null;
    }
  }

  /** A scan under way. */
  static final class Scan {
    private final byte[] endExclusive;
    private final int rowCountMax;
    private final RowVisitor visitor;
    final byte[] startInclusive;
    int rowCount;

    Scan(byte[] startInclusive, byte[] endExclusive, int rowCountMax, RowVisitor visitor) {
      this.startInclusive = startInclusive;
      this.endExclusive = endExclusive;
      this.rowCountMax = rowCountMax;
      this.visitor = visitor;
    }

    /** Hands out copies of one row. Returns whether the scan goes on. */
    boolean visit(byte[] key, byte[] value) {
      if (Arrays.compareUnsigned(key, endExclusive) >= 0) {
        return false;
      }
      rowCount++;
      return visitor.visit(key.clone(), value.clone()) && rowCount < rowCountMax;
    }
  }
}
