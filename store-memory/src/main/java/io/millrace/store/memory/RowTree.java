package io.millrace.store.memory;

import io.millrace.spi.ReadView.RowVisitor;
import io.millrace.spi.WriteBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Immutable rows in unsigned key order: a batch makes a new tree that shares with the old one
 * whatever it did not touch.
 *
 * <p>Thread-safe, and a snapshot costs nothing: it is the tree. A B+ tree with copied paths; nodes
 * that a batch made are changed in place by the rest of the batch. Rows of a batch mostly lie
 * beside each other: the leaf of the last change is looked at before the root. Against a skip list
 * with versions it needs no clean-up after readers, and against a binary tree it allocates less for
 * each row and scans neighbours in one node.
 */
public final class RowTree {

  public static final RowTree EMPTY = new RowTree(new Leaf(new Node.Edit(null)), 0, 0);

  /**
   * The mark in the place of a value that says that the row was deleted. It is told from an empty
   * value by its identity.
   */
  private static final byte[] MARK = {};

  private final Node root;
  private final long bytes;
  private final long rowCount;

  private RowTree(Node root, long bytes, long rowCount) {
    this.root = root;
    this.bytes = bytes;
    this.rowCount = rowCount;
  }

  /** Returns the length of all keys and values, in bytes. */
  public long bytes() {
    return bytes;
  }

  public long rowCount() {
    return rowCount;
  }

  /** Returns the rows after a batch. Keeps the batch's keys and values, not the batch. */
  public RowTree with(WriteBatch batch) {
    return with(batch, new Node.Edit(null));
  }

  /**
   * Returns the rows and marks after a batch. A delete leaves a mark in the row's place, as a row
   * without bytes in its value, unless the row was new in this very tree: then nothing is left.
   * Such a tree says what became of keys since some moment before it; {@link #get} and {@link
   * #scan} must not be called on it.
   */
  public RowTree withMarks(WriteBatch batch) {
    return with(batch, new Node.Edit(MARK));
  }

  private RowTree with(WriteBatch batch, Node.Edit edit) {
    Node top = root;
    for (int i = 0; i < batch.size(); i++) {
      byte[] key = batch.key(i);
      byte[] value = batch.value(i);
      edit.isNew = batch.isNew(i);
      assert edit.mark != null || !edit.isNew || root.get(key) == null : "a new key is there";
      if (value != null || !edit.isNew) {
        top = changed(top, edit, key, value);
      }
    }
    // Nodes keep their edit, which must not keep a leaf that is not in the tree any more.
    edit.beginAtRoot();
    return new RowTree(top, bytes + edit.bytes, rowCount + edit.rowCount);
  }

  /** Puts the row, or deletes it if there is no value; returns the root after that. */
  private static Node changed(Node top, Node.Edit edit, byte[] key, byte @Nullable [] value) {
    Leaf near = edit.near(key);
    if (near != null) {
      if (value != null) {
        near.put(edit, key, value);
      } else {
        near.delete(edit, key);
      }
      return top;
    }
    edit.beginAtRoot();
    return value != null
        ? split(top.put(edit, key, value), edit)
        : Branch.withoutChain(split(top.delete(edit, key), edit), edit);
  }

  private static Node split(Node top, Node.Edit edit) {
    return top.size == Node.CAPACITY ? Branch.above(edit, top, top.split(edit)) : top;
  }

  /** Tells whether a value of a tree is the mark of a deleted row. */
  public static boolean isMark(byte[] value) {
    return value == MARK;
  }

  /**
   * Returns the key's value itself or its mark, not to be changed; null if the tree has neither.
   */
  public byte @Nullable [] find(byte[] key) {
    return root.get(key);
  }

  /** Returns a cursor at the first row or mark whose key is not below the start. */
  public RowCursor cursor(byte[] startInclusive) {
    return new RowCursor(root, startInclusive);
  }

  /** Returns a copy of the key's value, or null if the key is absent. */
  public byte @Nullable [] get(byte[] key) {
    byte[] value = root.get(key);
    return value == null ? null : value.clone();
  }

  /**
   * Visits copies of rows as {@link io.millrace.spi.ReadView#scan} does.
   *
   * @throws IllegalArgumentException the end is below the start, or the number is below 1
   */
  public int scan(byte[] startInclusive, byte[] endExclusive, int rowCountMax, RowVisitor visitor) {
    if (rowCountMax < 1) {
      throw new IllegalArgumentException("rowCountMax is below 1: value=" + rowCountMax);
    }
    if (Arrays.compareUnsigned(startInclusive, endExclusive) > 0) {
      throw new IllegalArgumentException("the scan's end is below its start");
    }
    Node.Scan scan = new Node.Scan(startInclusive, endExclusive, rowCountMax, visitor);
    root.scan(scan);
    return scan.rowCount;
  }
}
