package io.millrace.memtable;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.ViewEndedException;
import io.millrace.spi.folder.CallGate;
import io.millrace.store.memory.RowTree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A view of layers and, below them, of the store beneath.
 *
 * <p>The layers are taken first, and then a view of the store. If the store has come to the sum of
 * some of these layers meanwhile, their batches are seen twice, which makes no difference, for what
 * the layers say counts. If it has come to later batches, which must not be seen, both are taken
 * again. It cannot have less than what lies before the layers, for a layer is dropped after it was
 * folded.
 */
final class LayeredView implements ReadView {

  private final CallGate gate;
  private final StoreInfo info;
  private final OrderedStore base;
  private final Runnable onClose;
  private final Layers layers;

  /** The rows of the layers, newest first. */
  private final List<RowTree> newestFirst;

  private ReadView below;

  /** The reason why there is no view below any more; null while there is one. */
  private @Nullable ViewEndedException ended;

  private boolean isClosed;

  /** Takes a view of the newest layers and of the store beneath; {@code onClose} runs once. */
  LayeredView(
      CallGate gate, StoreInfo info, OrderedStore base, Supplier<Layers> newest, Runnable onClose) {
    this.gate = gate;
    this.info = info;
    this.base = base;
    this.onClose = onClose;
    Layers seen;
    List<RowTree> rows;
    ReadView view;
    do {
      seen = newest.get();
      // First: whatever is thrown here, no view is left open.
      rows = rows(seen);
      view = viewUpTo(seen.number());
    } while (view == null);
    this.layers = seen;
    this.newestFirst = rows;
    this.below = view;
  }

  private static List<RowTree> rows(Layers layers) {
    List<RowTree> rows = new ArrayList<>(1 + layers.sealed().size());
    rows.add(layers.active().operations());
    for (int i = layers.sealed().size() - 1; i >= 0; i--) {
      rows.add(layers.sealed().get(i).operations());
    }
    rows.removeIf(operations -> operations.rowCount() == 0);
    return rows;
  }

  /** Returns a view of the store beneath, or null if that has come further than the number. */
  private @Nullable ReadView viewUpTo(long number) {
    while (true) {
      ReadView view = base.read();
      boolean isKept = false;
      try {
        isKept = view.commit() <= number;
        return isKept ? view : null;
      } catch (ViewEndedException e) {
        // It ended before it was handed out: that is nobody's loss, and another can be had.
        continue;
      } finally {
        if (!isKept) {
          view.close();
        }
      }
    }
  }

  @Override
  public long commit() {
    enter();
    gate.exit();
    return layers.number();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    enter();
    try {
      info.requireKey(key);
      byte[] found = find(key);
      if (found != null) {
        return copy(found);
      }
      return ask(view -> view.get(key));
    } finally {
      gate.exit();
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    enter();
    try {
      List<byte @Nullable []> values = new ArrayList<>(keys.size());
      List<byte[]> unknown = new ArrayList<>();
      List<Integer> places = new ArrayList<>();
      for (byte[] key : keys) {
        info.requireKey(key);
        byte[] found = find(key);
        if (found == null) {
          places.add(values.size());
          unknown.add(key);
        }
        values.add(found == null ? null : copy(found));
      }
      if (!unknown.isEmpty()) {
        List<byte @Nullable []> fetched = ask(view -> view.getAll(unknown));
        for (int i = 0; i < fetched.size(); i++) {
          values.set(places.get(i), fetched.get(i));
        }
      }
      return values;
    } finally {
      gate.exit();
    }
  }

  @Override
  public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
    enter();
    try {
      MergedScan scan =
          new MergedScan(newestFirst, startInclusive, endExclusive, size.most(), visitor);
      // Marks may hide any number of its rows.
      ScanSize sizeBelow =
          newestFirst.isEmpty() ? size : ScanSize.of(size.likely(), Integer.MAX_VALUE);
      try {
        below().scan(startInclusive, endExclusive, sizeBelow, scan);
      } catch (ViewEndedException e) {
        if (scan.isBegun()) {
          throw e;
        }
        renew(e);
        below.scan(startInclusive, endExclusive, sizeBelow, scan);
      }
      return scan.finish();
    } finally {
      gate.exit();
    }
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      try {
        below.close();
      } finally {
        onClose.run();
      }
    }
  }

  /** Returns the newest operation on the key: a value or a mark; null if the layers have none. */
  private byte @Nullable [] find(byte[] key) {
    for (int i = 0; i < newestFirst.size(); i++) {
      byte[] found = newestFirst.get(i).find(key);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static byte @Nullable [] copy(byte[] found) {
    return RowTree.isMark(found) ? null : found.clone();
  }

  private <T extends @Nullable Object> T ask(Function<ReadView, T> question) {
    try {
      return question.apply(below());
    } catch (ViewEndedException e) {
      renew(e);
      return question.apply(below);
    }
  }

  /**
   * Takes another view of a store beneath that has ended its views. That store knows nothing of the
   * layers, whose views must go on. If it has come further than the layers meanwhile, this view has
   * ended, too.
   */
  private void renew(ViewEndedException cause) {
    ended = cause;
    below.close();
    ReadView view = viewUpTo(layers.number());
    if (view == null) {
      throw cause;
    }
    below = view;
    ended = null;
  }

  private ReadView below() {
    ViewEndedException cause = ended;
    if (cause != null) {
      throw cause;
    }
    return below;
  }

  private void enter() {
    if (isClosed) {
      throw new IllegalStateException("the view is closed");
    }
    gate.enter();
  }
}
