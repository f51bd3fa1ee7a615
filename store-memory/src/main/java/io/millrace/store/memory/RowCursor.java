package io.millrace.store.memory;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A place in a {@link RowTree} that moves from row to row in key order, for going through several
 * trees at once.
 *
 * <p>For one thread. The arrays that it hands out are the tree's own and must not be changed.
 */
public final class RowCursor {

  /** The places at which to go on above the leaf, innermost first. */
  private final ArrayDeque<Place> above = new ArrayDeque<>();

  private @Nullable Leaf leaf;
  private int index;

  private static final class Place {
    final Branch branch;
    int index;

    Place(Branch branch, int index) {
      this.branch = branch;
      this.index = index;
    }
  }

  RowCursor(Node root, byte[] startInclusive) {
    Node node = root;
    while (node instanceof Branch branch) {
      Place place = new Place(branch, branch.childIndex(startInclusive));
      above.push(place);
      node = branch.child(place.index);
    }
    leaf = (Leaf) node;
    index = leaf.indexFrom(startInclusive);
    skipEndedLeaves();
  }

  /** Tells whether the cursor is at a row; if not, it is behind the last. */
  public boolean isAtRow() {
    return leaf != null;
  }

  /** Returns the key of the row. */
  public byte[] key() {
    return row().key(index);
  }

  /** Returns the value of the row, or its {@linkplain RowTree#isMark mark}. */
  public byte[] value() {
    return row().value(index);
  }

  /** Goes on to the next row, or behind the last. */
  public void advance() {
    index++;
    skipEndedLeaves();
  }

  private Leaf row() {
    if (leaf == null) {
      throw new IllegalStateException("the cursor is behind the last row");
    }
    return leaf;
  }

  private void skipEndedLeaves() {
    while (leaf != null && index >= leaf.size) {
      leaf = nextLeaf();
      index = 0;
    }
  }

  private @Nullable Leaf nextLeaf() {
    while (!above.isEmpty()) {
      Place place = above.peek();
      if (++place.index < place.branch.size) {
        Node node = place.branch.child(place.index);
        while (node instanceof Branch branch) {
          above.push(new Place(branch, 0));
          node = branch.child(0);
        }
        return (Leaf) node;
      }
      above.pop();
    }
    return null;
  }
}
