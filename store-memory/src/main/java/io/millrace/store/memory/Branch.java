package io.millrace.store.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A branch of up to {@link #CAPACITY} children in key order. All leaves of a tree are equally deep.
 */
final class Branch extends Node {

  /** Lower bounds of the keys in the children, but for child 0, whose bound the parent knows. */
  private final byte[][] lows = new byte[CAPACITY][];

  private final Node[] children = new Node[CAPACITY];

  private Branch(Edit owner) {
    super(owner);
  }

  /** Returns the new root above two halves. */
  static Branch above(Edit edit, Node left, Node right) {
    Branch branch = new Branch(edit);
    branch.children[0] = left;
    branch.size = 1;
    branch.insert(1, right.low(), right);
    return branch;
  }

  /** Returns the tree without roots that have a single child or none. */
  static Node withoutChain(Node root, Edit edit) {
    Node top = root;
    while (top instanceof Branch branch && branch.size <= 1) {
      top = branch.size == 1 ? branch.children[0] : new Leaf(edit);
    }
    return top;
  }

  @Override
  byte @Nullable [] get(byte[] key) {
    return children[childIndex(key)].get(key);
  }

  @Override
  Node put(Edit edit, byte[] key, byte[] value) {
    Branch branch = editable(edit);
    int index = childIndex(key);
    goOn(edit, index);
    Node child = branch.children[index].put(edit, key, value);
    branch.children[index] = child;
    branch.splitFull(edit, index);
    return branch;
  }

  @Override
  Node delete(Edit edit, byte[] key) {
    int index = childIndex(key);
    goOn(edit, index);
    Node child = children[index].delete(edit, key);
    if (child == children[index] && owner != edit) {
      return this;
    }
    Branch branch = editable(edit);
    branch.children[index] = child;
    if (child.size == 0) {
      edit.leavesMoved();
      branch.remove(index);
    } else if (child.size < SPARSE) {
      branch.join(edit, index);
    } else {
      branch.splitFull(edit, index);
    }
    return branch;
  }

  private void goOn(Edit edit, int index) {
    edit.goOn(index == 0 ? null : lows[index], index + 1 == size ? null : lows[index + 1]);
  }

  @Override
  Node split(Edit edit) {
    Branch right = new Branch(edit);
    int middle = size / 2;
    right.size = size - middle;
    System.arraycopy(lows, middle, right.lows, 0, right.size);
    System.arraycopy(children, middle, right.children, 0, right.size);
    Arrays.fill(lows, middle, size, null);
    Arrays.fill(children, middle, size, null);
    size = middle;
    return right;
  }

  @Override
  void append(Node right, byte[] low) {
    Branch other = (Branch) right;
    System.arraycopy(other.lows, 0, lows, size, other.size);
    System.arraycopy(other.children, 0, children, size, other.size);
    lows[size] = low;
    size += other.size;
  }

  @Override
  Branch editable(Edit edit) {
    if (owner == edit) {
      return this;
    }
    Branch copy = new Branch(edit);
    copy.append(this, lows[0]);
    return copy;
  }

  @Override
  byte[] low() {
    return lows[0];
  }

  @Override
  boolean scan(Scan scan) {
    for (int i = childIndex(scan.startInclusive); i < size; i++) {
      if (!children[i].scan(scan)) {
        return false;
      }
    }
    return true;
  }

  Node child(int index) {
    return children[index];
  }

  /** Returns the index of the child in whose part of the range the key is. */
  int childIndex(byte[] key) {
    int found = Arrays.binarySearch(lows, 1, size, key, Arrays::compareUnsigned);
    return found < 0 ? -found - 2 : found;
  }

  private void insert(int index, byte[] low, Node child) {
    shiftUp(lows, index);
    shiftUp(children, index);
    lows[index] = low;
    children[index] = child;
    size++;
  }

  private void remove(int index) {
    shiftDown(lows, index);
    shiftDown(children, index);
    size--;
  }

  private void splitFull(Edit edit, int index) {
    Node child = children[index];
    if (child.size == CAPACITY) {
      Node right = child.split(edit);
      insert(index + 1, right.low(), right);
    }
  }

  private void join(Edit edit, int index) {
    int left = index + 1 < size ? index : index - 1;
    if (left < 0 || children[left].size + children[left + 1].size > JOINED_MAX) {
      return;
    }
    edit.leavesMoved();
    Node joined = children[left].editable(edit);
    joined.append(children[left + 1], lows[left + 1]);
    children[left] = joined;
    remove(left + 1);
  }
}
