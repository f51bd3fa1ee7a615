package io.millrace.internal.transition;

import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.WriteBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range read that sees a batch as if it were in the store: merges the batch's keys, sorted, with
 * pages of a view. Where both have a key the batch wins, and its deletes hide rows.
 */
final class OverlayScan {

  /** Rows that are read from the view at a time. */
  static final int PAGE_SIZE = 1_024;

  private final WriteBatch batch;
  private final ReadView.RowVisitor visitor;
  private final int[] order;
  private int next;
  private boolean isStopped;

  private OverlayScan(
      WriteBatch batch, byte[] startInclusive, byte[] endExclusive, ReadView.RowVisitor visitor) {
    this.batch = batch;
    this.visitor = visitor;
    this.order = batch.sorted(startInclusive, endExclusive);
  }

  /** A batch, and the view that it is laid over. */
  record Layers(WriteBatch batch, ReadView view) {}

  /**
   * Visits rows in key order until the visitor says stop.
   *
   * @param likely how many rows will do in most cases, at least 1
   */
  static void scan(
      Layers layers,
      byte[] startInclusive,
      byte[] endExclusive,
      int likely,
      ReadView.RowVisitor visitor) {
    OverlayScan scan = new OverlayScan(layers.batch, startInclusive, endExclusive, visitor);
    scanStored(layers.view, startInclusive, endExclusive, likely, scan::stored);
    scan.batchUpTo(null);
  }

  /**
   * Visits rows of the view alone in key order, until the visitor says stop.
   *
   * @param likely how many rows will do in most cases, at least 1
   */
  static void scanStored(
      ReadView view,
      byte[] startInclusive,
      byte[] endExclusive,
      int likely,
      ReadView.RowVisitor visitor) {
    ScanSize size = ScanSize.of(likely, PAGE_SIZE);
    Progress progress = new Progress(startInclusive, visitor);
    byte[] from = startInclusive;
    while (view.scan(from, endExclusive, size, progress) == PAGE_SIZE && !progress.isStopped) {
      from = progress.afterLast();
    }
  }

  /** The progress of a visitor from page to page. */
  private static final class Progress implements ReadView.RowVisitor {
    private final ReadView.RowVisitor visitor;
    private byte[] lastKey;
    private boolean isStopped;

    Progress(byte[] startInclusive, ReadView.RowVisitor visitor) {
      this.lastKey = startInclusive;
      this.visitor = visitor;
    }

    @Override
    public boolean visit(byte[] key, byte[] value) {
      lastKey = key;
      isStopped = !visitor.visit(key, value);
      return !isStopped;
    }

    byte[] afterLast() {
      return Arrays.copyOf(lastKey, lastKey.length + 1);
    }
  }

  /** Visits a row of the view after the batch's rows before it, unless the batch has its key. */
  private boolean stored(byte[] key, byte[] value) {
    batchUpTo(key);
    if (!isStopped && batch.find(key) == WriteBatch.ABSENT) {
      visit(key, value);
    }
    return !isStopped;
  }

  /** Visits the batch's rows up to and including the key; all that remain if the key is null. */
  private void batchUpTo(byte @Nullable [] last) {
    while (!isStopped && next < order.length) {
      byte[] key = batch.key(order[next]);
      if (last != null && Arrays.compareUnsigned(key, last) > 0) {
        return;
      }
      byte[] value = batch.value(order[next]);
      next++;
      if (value != null) {
        visit(key, value);
      }
    }
  }

  private void visit(byte[] key, byte[] value) {
    isStopped = !visitor.visit(key, value);
  }
}
