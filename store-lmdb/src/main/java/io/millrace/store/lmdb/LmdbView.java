package io.millrace.store.lmdb;

import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.folder.CallGate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.LmdbException;
import org.lmdbjava.SeekOp;

/**
 * A view on a lent reader. Every call passes the gate: after the store's close there is no memory
 * left to look at.
 */
final class LmdbView implements ReadView {

  private static final long UNKNOWN = -1;

  private final Database database;
  private final CallGate gate;
  private final ReaderPool pool;
  private final StoreInfo info;
  private @Nullable Reader reader;
  private long commit = UNKNOWN;
  private boolean isScanning;

  /**
   * Creates a view on a reader that it takes from the pool, and that {@link #close} gives back. The
   * caller is inside the gate.
   */
  LmdbView(Database database, CallGate gate, ReaderPool pool, StoreInfo info) {
    this.database = database;
    this.gate = gate;
    this.pool = pool;
    this.info = info;
    this.reader = pool.take();
  }

  @Override
  public long commit() {
    Reader open = open();
    gate.enter();
    try {
      if (commit == UNKNOWN) {
        commit = database.held(open.txn()).commit();
      }
      return commit;
    } catch (LmdbException e) {
      throw LmdbErrors.translate("commit record cannot be read", database.folder(), e);
    } finally {
      gate.exit();
    }
  }

  /**
   * Returns the number of LMDB's transaction, whose pages are not overwritten before this view is
   * closed.
   */
  long transaction() {
    Reader open = open();
    gate.enter();
    try {
      return open.txn().getId();
    } finally {
      gate.exit();
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    info.requireKey(key);
    Reader open = open();
    gate.enter();
    try {
      return copyOf(open.get(key));
    } catch (LmdbException e) {
      throw LmdbErrors.translate("row cannot be read", database.folder(), e);
    } finally {
      gate.exit();
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    keys.forEach(info::requireKey);
    Reader open = open();
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    gate.enter();
    try {
      for (byte[] key : keys) {
        values.add(copyOf(open.get(key)));
      }
      return values;
    } catch (LmdbException e) {
      throw LmdbErrors.translate("rows cannot be read", database.folder(), e);
    } finally {
      gate.exit();
    }
  }

  @Override
  public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
    Objects.requireNonNull(visitor, "visitor");
    if (Arrays.compareUnsigned(startInclusive, endExclusive) > 0) {
      throw new IllegalArgumentException("endExclusive is below startInclusive");
    }
    Reader open = open();
    gate.enter();
    try {
      if (isScanning) {
        // A visitor that scans: the reader's own cursor is busy.
        try (Cursor<NativeBytes> cursor = database.openCursor(open.txn())) {
          return open.seek(cursor, startInclusive)
              ? visit(cursor, endExclusive, size.most(), visitor)
              : 0;
        }
      }
      isScanning = true;
      try {
        return open.seek(open.cursor(), startInclusive)
            ? visit(open.cursor(), endExclusive, size.most(), visitor)
            : 0;
      } finally {
        isScanning = false;
      }
    } catch (LmdbException e) {
      throw LmdbErrors.translate("rows cannot be read", database.folder(), e);
    } finally {
      gate.exit();
    }
  }

  @Override
  public void close() {
    Reader open = reader;
    if (open == null) {
      return;
    }
    if (isScanning) {
      throw new IllegalStateException("view cannot be closed by the visitor of its own scan");
    }
    reader = null;
    if (gate.tryEnter()) {
      try {
        pool.giveBack(open);
      } finally {
        gate.exit();
      }
    }
  }

  /** Visits rows from the cursor's place on. Returns how many. */
  private static int visit(
      Cursor<NativeBytes> cursor, byte[] endExclusive, int rowCountMax, RowVisitor visitor) {
    int count = 0;
    byte[] before = null;
    do {
      byte[] key = cursor.key().copy();
      if (Arrays.compareUnsigned(key, endExclusive) >= 0) {
        return count;
      }
      // Damaged pages lead round in circles.
      if (before != null && Arrays.compareUnsigned(before, key) >= 0) {
        throw new StoreCorruptException("rows are out of order: key=" + Arrays.toString(key));
      }
      before = key;
      count++;
      if (!visitor.visit(key, cursor.val().copy())) {
        return count;
      }
    } while (count < rowCountMax && cursor.seek(SeekOp.MDB_NEXT));
    return count;
  }

  private static byte @Nullable [] copyOf(@Nullable NativeBytes found) {
    return found == null ? null : found.copy();
  }

  private Reader open() {
    Reader open = reader;
    if (open == null) {
      throw new IllegalStateException("view is closed");
    }
    return open;
  }
}
