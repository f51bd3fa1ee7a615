package io.millrace.store.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A leaf of up to {@link #CAPACITY} rows in key order. */
final class Leaf extends Node {

  private final byte[][] keys = new byte[CAPACITY][];
  private final byte[][] values = new byte[CAPACITY][];

  /** Bits for the rows, by index: set for a row that was put as new. */
  private int news;

  Leaf(Edit owner) {
    super(owner);
  }

  @Override
  byte @Nullable [] get(byte[] key) {
    int index = search(key);
    return index < 0 ? null : values[index];
  }

  @Override
  Node put(Edit edit, byte[] key, byte[] value) {
    return put(edit, search(key), key, value);
  }

  private Leaf put(Edit edit, int found, byte[] key, byte[] value) {
    Leaf leaf = editable(edit);
    edit.changed(leaf);
    int index = found;
    if (index >= 0) {
      edit.bytes += value.length - leaf.values[index].length;
      leaf.values[index] = value;
      return leaf;
    }
    index = -index - 1;
    leaf.shiftUp(leaf.keys, index);
    leaf.shiftUp(leaf.values, index);
    leaf.keys[index] = key;
    leaf.values[index] = value;
    int below = (1 << index) - 1;
    leaf.news = (leaf.news & below) | (leaf.news & ~below) << 1 | (edit.isNew ? 1 << index : 0);
    leaf.size++;
    edit.bytes += (long) key.length + value.length;
    edit.rowCount++;
    return leaf;
  }

  @Override
  Node delete(Edit edit, byte[] key) {
    int index = search(key);
    if (edit.mark != null && (index < 0 || (news >>> index & 1) == 0)) {
      return put(edit, index, key, edit.mark);
    }
    if (index < 0) {
      return this;
    }
    edit.bytes -= (long) key.length + values[index].length;
    edit.rowCount--;
    Leaf leaf = editable(edit);
    edit.changed(leaf);
    leaf.shiftDown(leaf.keys, index);
    leaf.shiftDown(leaf.values, index);
    int below = (1 << index) - 1;
    leaf.news = (leaf.news & below) | leaf.news >>> 1 & ~below;
    leaf.size--;
    return leaf;
  }

  @Override
  Node split(Edit edit) {
    edit.leavesMoved();
    Leaf right = new Leaf(edit);
    int middle = size / 2;
    right.size = size - middle;
    System.arraycopy(keys, middle, right.keys, 0, right.size);
    System.arraycopy(values, middle, right.values, 0, right.size);
    Arrays.fill(keys, middle, size, null);
    Arrays.fill(values, middle, size, null);
    right.news = news >>> middle;
    news &= (1 << middle) - 1;
    size = middle;
    return right;
  }

  @Override
  void append(Node right, byte[] low) {
    Leaf other = (Leaf) right;
    System.arraycopy(other.keys, 0, keys, size, other.size);
    System.arraycopy(other.values, 0, values, size, other.size);
    news |= other.news << size;
    size += other.size;
  }

  @Override
  Leaf editable(Edit edit) {
    if (owner == edit) {
      return this;
    }
    Leaf copy = new Leaf(edit);
    copy.append(this, keys[0]);
    return copy;
  }

  @Override
  byte[] low() {
    return keys[0];
  }

  @Override
  boolean scan(Scan scan) {
    for (int i = indexFrom(scan.startInclusive); i < size; i++) {
      if (!scan.visit(keys[i], values[i])) {
        return false;
      }
    }
    return true;
  }

  byte[] key(int index) {
    return keys[index];
  }

  byte[] value(int index) {
    return values[index];
  }

  /** Returns the index of the first row that is not below the start; the size if there is none. */
  int indexFrom(byte[] startInclusive) {
    int found = search(startInclusive);
    return found < 0 ? -found - 1 : found;
  }

  private int search(byte[] key) {
    return Arrays.binarySearch(keys, 0, size, key, Arrays::compareUnsigned);
  }
}
