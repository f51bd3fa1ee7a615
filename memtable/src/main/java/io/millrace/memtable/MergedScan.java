package io.millrace.memtable;

import io.millrace.spi.ReadView.RowVisitor;
import io.millrace.store.memory.RowCursor;
import io.millrace.store.memory.RowTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan that visits the rows of the store beneath and those of the layers in one order. Of several
 * operations on a key the newest counts, and a mark hides the row.
 *
 * <p>The store beneath hands its rows to {@link #visit}; {@link #finish} visits what lies behind
 * the last of them.
 */
final class MergedScan implements RowVisitor {

  /** The place of each layer's scan, newest layer first. */
  private final List<RowCursor> layers = new ArrayList<>();

  private final byte[] endExclusive;
  private final int rowCountMax;
  private final RowVisitor visitor;

  /** The layer's scan that is at the lowest key, the newest of several; null if all have ended. */
  private @Nullable RowCursor lowest;

  private int rowCount;
  private boolean isBegun;
  private boolean isStopped;

  MergedScan(
      List<RowTree> newestFirst,
      byte[] startInclusive,
      byte[] endExclusive,
      int rowCountMax,
      RowVisitor visitor) {
    this.endExclusive = endExclusive;
    this.rowCountMax = rowCountMax;
    this.visitor = visitor;
    for (RowTree layer : newestFirst) {
      layers.add(layer.cursor(startInclusive));
    }
    findLowest();
  }

  /** Tells whether the store beneath has handed over a row. */
  boolean isBegun() {
    return isBegun;
  }

  @Override
  public boolean visit(byte[] key, byte[] value) {
    isBegun = true;
    if (!visitLayersBelow(key)) {
      return false;
    }
    RowCursor newer = lowest;
    if (newer == null || !Arrays.equals(newer.key(), key)) {
      return hand(key, value);
    }
    byte[] newerValue = newer.value();
    pass(newer.key());
    return RowTree.isMark(newerValue) || hand(key, newerValue.clone());
  }

  /**
   * Visits the rows that the layers have behind the last row of the store beneath, and returns the
   * count of all rows visited.
   */
  int finish() {
    if (!isStopped) {
      visitLayersBelow(endExclusive);
    }
    return rowCount;
  }

  private boolean visitLayersBelow(byte[] bound) {
    RowCursor next = lowest;
    while (next != null && Arrays.compareUnsigned(next.key(), bound) < 0) {
      byte[] key = next.key();
      byte[] value = next.value();
      pass(key);
      if (!RowTree.isMark(value) && !hand(key.clone(), value.clone())) {
        return false;
      }
      next = lowest;
    }
    return true;
  }

  private boolean hand(byte[] key, byte[] value) {
    rowCount++;
    isStopped = !visitor.visit(key, value) || rowCount == rowCountMax;
    return !isStopped;
  }

  private void pass(byte[] key) {
    for (RowCursor layer : layers) {
      if (layer.isAtRow() && Arrays.equals(layer.key(), key)) {
        layer.advance();
      }
    }
    findLowest();
  }

  private void findLowest() {
    lowest = null;
    for (RowCursor layer : layers) {
      if (layer.isAtRow()
          && (lowest == null || Arrays.compareUnsigned(layer.key(), lowest.key()) < 0)) {
        lowest = layer;
      }
    }
  }
}
