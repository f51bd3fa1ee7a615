package io.millrace.store.lmdb;

import io.millrace.store.lmdb.TreePage.Order;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A check of the pages of a data file, made before LMDB reads them.
 *
 * <p>LMDB believes every page. One flipped bit in an offset, a length or a page number sends it
 * outside of the file, which kills the process, round in circles, past rows that are there, or, in
 * the list of free pages, over pages that are in use. So this check reads the trees as LMDB would,
 * but believes nothing: each page must be what its place in the tree says, hold sorted rows that
 * fill it exactly and lie within the bounds that its parent gives, and be in use or free only once;
 * and each tree must have as many pages and rows as it says. Bytes of keys and values are not
 * looked at: records carry a checksum of both.
 *
 * <p>It works from the roots down, level by level, so that a check with a limit has looked at the
 * pages on which most depends. The transaction that is looked at must not be overwritten meanwhile:
 * the file is closed, or a view of the same transaction is open.
 */
final class PageCheck {

  private final PageFile file;
  private final Findings findings;
  private final BitSet used = new BitSet();
  private final BitSet free = new BitSet();
  private final BitSet damaged = new BitSet();
  private long pagesLeft;

  private PageCheck(PageFile file, Findings findings, long pageCountMax) {
    this.file = file;
    this.findings = findings;
    this.pagesLeft = pageCountMax;
  }

  /** Receiver of each page that cannot be believed. Pages below such a page are not looked at. */
  interface Findings {
    void damaged(long page, String reason);
  }

  /**
   * Outcome of a check.
   *
   * @param isWhole whether the check ended before its limit of pages
   * @param damaged numbers of the pages that cannot be believed
   */
  record Result(boolean isWhole, BitSet damaged) {}

  /** A tree that is being checked. */
  private static final class Tree {
    final TreeRoot root;
    final Order order;
    final Rows rows;
    int target;
    long branchPages;
    long leafPages;
    long overflowPages;
    long rowCount;

    Tree(TreeRoot root, Order order, Rows rows) {
      this.root = root;
      this.order = order;
      this.rows = rows;
    }
  }

  /** The check of a row that is particular to its tree. */
  private interface Rows {
    /** Returns what is wrong with a row of a page; null if nothing is. */
    @Nullable String flaw(long page, TreePage leaf, int index) throws IOException;
  }

  /**
   * Looks at all pages, or at as many as {@code pageCountMax}.
   *
   * @throws IOException the file cannot be read
   */
  static Result run(PageFile file, Findings findings, long pageCountMax) throws IOException {
    PageCheck check = new PageCheck(file, findings, pageCountMax);
    check.run();
    return new Result(check.pagesLeft > 0, check.damaged);
  }

  private void run() throws IOException {
    MetaPage meta = file.meta();
    check(
        0,
        TreeRoot.FLAG_NUMBERS,
        new Tree(meta.free(), Order.NUMBERS, (page, leaf, index) -> freeFlaw(leaf, index)));
    TreeRoot[] rows = new TreeRoot[1];
    long[] at = new long[1];
    Rows mainRows =
        (page, leaf, index) -> {
          if (!Arrays.equals(leaf.key(index), Database.ROWS)) {
            return leaf.isPlain(index) ? null : "row " + index + " is of another kind";
          }
          if (!leaf.isTree(index) || leaf.valueLength(index) != TreeRoot.BYTES) {
            return "the tree of rows is none";
          }
          rows[0] = leaf.tree(index);
          at[0] = page;
          return null;
        };
    check(0, 0, new Tree(meta.main(), Order.BYTES, mainRows));
    if (rows[0] != null) {
      check(at[0], 0, new Tree(rows[0], Order.BYTES, (page, leaf, index) -> rowFlaw(leaf, index)));
    }
  }

  private void check(long holder, int flags, Tree tree) throws IOException {
    TreeRoot root = tree.root;
    if (root.flags() != flags
        || root.depth() > TreeRoot.DEPTH_MAX
        || root.isEmpty() != (root.depth() == 0)) {
      found(holder, "a tree's flags are " + root.flags() + ", its depth " + root.depth());
      return;
    }
    if (!root.isEmpty() && !file.has(root.page(), 1)) {
      found(holder, "a tree leads to page " + root.page());
      return;
    }
    int damagedBefore = damaged.cardinality();
    for (tree.target = 1; tree.target <= root.depth(); tree.target++) {
      visit(tree, root.page(), 1, new Bounds(null, null));
    }
    boolean isCounted = pagesLeft > 0 && damaged.cardinality() == damagedBefore;
    boolean isRight =
        tree.branchPages == root.branchPages()
            && tree.leafPages == root.leafPages()
            && tree.overflowPages == root.overflowPages()
            && tree.rowCount == root.rows();
    if (isCounted && !isRight) {
      found(
          holder,
          "a tree has other pages or rows than it says: rows="
              + tree.rowCount
              + ", said="
              + root.rows());
    }
  }

  /** Bounds of the keys that a page may hold; null is no bound. */
  private record Bounds(byte @Nullable [] startInclusive, byte @Nullable [] endExclusive) {

    boolean have(byte[] key, Order order) {
      return (startInclusive == null || order.compare(key, startInclusive) >= 0)
          && (endExclusive == null || order.compare(key, endExclusive) < 0);
    }
  }

  /** Checks the pages of the level that is the tree's target; those above it are sound. */
  private void visit(Tree tree, long page, int level, Bounds bounds) throws IOException {
    if (pagesLeft <= 0 || damaged.get((int) page)) {
      return;
    }
    boolean isLeaf = level == tree.root.depth();
    if (level == tree.target) {
      checkPage(tree, page, isLeaf, bounds);
      return;
    }
    TreePage branch = file.tree(page, isLeaf);
    for (int i = 0; i < branch.count(); i++) {
      visit(tree, branch.child(i), level + 1, childBounds(branch, i, bounds));
    }
  }

  private static Bounds childBounds(TreePage branch, int index, Bounds bounds) {
    return new Bounds(
        index == 0 ? bounds.startInclusive : branch.key(index),
        index == branch.count() - 1 ? bounds.endExclusive : branch.key(index + 1));
  }

  private void checkPage(Tree tree, long page, boolean isLeaf, Bounds bounds) throws IOException {
    pagesLeft--;
    String flaw = take(page, 1);
    if (flaw != null) {
      found(page, flaw);
      return;
    }
    TreePage checked = file.tree(page, isLeaf);
    flaw = checked.flaw(page, tree.order);
    if (flaw == null) {
      flaw = boundsFlaw(tree, checked, bounds);
    }
    if (flaw != null) {
      found(page, flaw);
    } else if (isLeaf) {
      checkRows(tree, page, checked);
    } else {
      checkChildren(tree, page, checked);
    }
  }

  private static @Nullable String boundsFlaw(Tree tree, TreePage page, Bounds bounds) {
    int first = page.firstKey();
    int last = page.count() - 1;
    boolean isWithin =
        last < first
            || (bounds.have(page.key(first), tree.order)
                && bounds.have(page.key(last), tree.order));
    return isWithin ? null : "its rows are not of this part of the tree";
  }

  private void checkChildren(Tree tree, long page, TreePage branch) {
    tree.branchPages++;
    for (int i = 0; i < branch.count(); i++) {
      if (!file.has(branch.child(i), 1)) {
        found(page, "row " + i + " leads to page " + branch.child(i));
        return;
      }
    }
  }

  private void checkRows(Tree tree, long page, TreePage leaf) throws IOException {
    tree.leafPages++;
    for (int i = 0; i < leaf.count(); i++) {
      String flaw = leaf.isOverflow(i) ? overflowFlaw(tree, leaf, i) : null;
      if (flaw == null) {
        flaw = tree.rows.flaw(page, leaf, i);
      }
      if (flaw != null) {
        found(page, flaw);
        return;
      }
      tree.rowCount++;
    }
  }

  private @Nullable String overflowFlaw(Tree tree, TreePage leaf, int index) throws IOException {
    long first = leaf.overflowPage(index);
    long count = file.overflowPages(leaf.valueLength(index));
    if (!file.has(first, count)) {
      return "row " + index + " leads to page " + first;
    }
    pagesLeft--;
    String flaw = take(first, count);
    if (flaw != null) {
      return "row " + index + " leads to page " + first + ", " + flaw;
    }
    ByteBuffer header = file.header(first);
    boolean isRight =
        header.getLong(0) == first
            && header.getShort(TreePage.FLAGS_OFFSET) == TreePage.FLAG_OVERFLOW
            && header.getInt(TreePage.PAGE_COUNT_OFFSET) == count;
    tree.overflowPages += count;
    return isRight
        ? null
        : "row " + index + " leads to page " + first + ", which is of another kind";
  }

  private @Nullable String rowFlaw(TreePage leaf, int index) {
    return leaf.isPlain(index) || leaf.isOverflow(index)
        ? null
        : "row " + index + " is of kind " + leaf.nodeFlags(index);
  }

  /**
   * Checks a row of the list of free pages: how many there are, and their numbers, descending.
   * Notes the pages as free. Returns what is wrong with the row, or null.
   */
  private @Nullable String freeFlaw(TreePage leaf, int index) throws IOException {
    if (!leaf.isPlain(index) && !leaf.isOverflow(index)) {
      return "row " + index + " is of kind " + leaf.nodeFlags(index);
    }
    long length = leaf.valueLength(index);
    byte[] list =
        leaf.isOverflow(index)
            ? file.overflow(leaf.overflowPage(index), (int) length)
            : leaf.value(index);
    if (length < Long.BYTES) {
      return "row " + index + " is no list of free pages";
    }
    ByteBuffer numbers = ByteBuffer.wrap(list).order(ByteOrder.nativeOrder());
    long count = numbers.getLong();
    if (count < 0 || count > length / Long.BYTES - 1) {
      return "row " + index + " lists " + count + " free pages";
    }
    long before = Long.MAX_VALUE;
    for (long i = 0; i < count; i++) {
      long page = numbers.getLong();
      if (!file.has(page, 1) || page >= before || free.get((int) page) || used.get((int) page)) {
        return "row " + index + " lists page " + page + " as free";
      }
      free.set((int) page);
      before = page;
    }
    return null;
  }

  /** Notes that pages are in use. Returns what is wrong with that, or null. */
  private @Nullable String take(long first, long count) {
    if (!file.has(first, count)) {
      return "there is no such page";
    }
    for (int page = (int) first; page < first + count; page++) {
      if (used.get(page) || free.get(page)) {
        return used.get(page) ? "it is in use twice" : "it is in use and free";
      }
      used.set(page);
    }
    return null;
  }

  private void found(long page, String reason) {
    damaged.set((int) page);
    findings.damaged(page, reason);
  }
}
