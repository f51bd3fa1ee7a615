package io.millrace.store.rocksdb;

import io.millrace.spi.ReadView;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.folder.CallGate;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * A view on a snapshot. Every call passes the gate: after the store's close there is no memory left
 * to look at.
 *
 * <p>A scan tells RocksDB its end: an iterator without one reads on, past the range, through
 * whatever was deleted behind it.
 */
final class RocksView implements ReadView {

  private static final long UNKNOWN = -1;

  /** Below all keys but the empty one, which holds the commit record. */
  private static final byte[] FIRST_KEY = {0};

  private final Database database;
  private final CallGate gate;
  private final StoreInfo info;
  private final Snapshots snapshots;
  private Snapshots.@Nullable Held held;
  private long commit = UNKNOWN;
  private int scanDepth;

  /** Takes the snapshot over; it is released by {@link #close}. */
  RocksView(
      Database database, CallGate gate, StoreInfo info, Snapshots snapshots, Snapshots.Held held) {
    this.database = database;
    this.gate = gate;
    this.info = info;
    this.snapshots = snapshots;
    this.held = held;
  }

  @Override
  public long commit() {
    Snapshots.Held open = open();
    gate.enter();
    try {
      if (commit == UNKNOWN) {
        commit = database.held(open.options).commit();
      }
      return commit;
    } finally {
      gate.exit();
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    info.requireKey(key);
    Snapshots.Held open = open();
    gate.enter();
    try {
      return database.get(open.options, key);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("row cannot be read", database.folder(), e);
    } finally {
      gate.exit();
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    keys.forEach(info::requireKey);
    Snapshots.Held open = open();
    if (keys.isEmpty()) {
      return List.of();
    }
    gate.enter();
    try {
      return database.getAll(open.options, keys);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("rows cannot be read", database.folder(), e);
    } finally {
      gate.exit();
    }
  }

  @Override
  public int scan(byte[] startInclusive, byte[] endExclusive, int rowCountMax, RowVisitor visitor) {
    Objects.requireNonNull(visitor, "visitor");
    if (rowCountMax < 1) {
      throw new IllegalArgumentException("rowCountMax is below 1: value=" + rowCountMax);
    }
    if (Arrays.compareUnsigned(startInclusive, endExclusive) > 0) {
      throw new IllegalArgumentException("endExclusive is below startInclusive");
    }
    Snapshots.Held open = open();
    gate.enter();
    scanDepth++;
    // The iterator keeps the address of its end: it is closed first.
    try (Slice end = new Slice(endExclusive);
        RocksIterator iterator = database.iterator(open.options.setIterateUpperBound(end))) {
      iterator.seek(startInclusive.length == 0 ? FIRST_KEY : startInclusive);
      int count = visit(iterator, rowCountMax, visitor);
      iterator.status();
      return count;
    } catch (RocksDBException e) {
      throw RocksErrors.translate("rows cannot be read", database.folder(), e);
    } finally {
      scanDepth--;
      gate.exit();
    }
  }

  @Override
  public void close() {
    Snapshots.Held open = held;
    if (open == null) {
      return;
    }
    if (scanDepth > 0) {
      throw new IllegalStateException("view cannot be closed by the visitor of its own scan");
    }
    held = null;
    if (gate.tryEnter()) {
      try {
        snapshots.release(open);
      } finally {
        gate.exit();
      }
    }
  }

  /** Visits rows from where the iterator is. */
  private static int visit(RocksIterator iterator, int rowCountMax, RowVisitor visitor) {
    int count = 0;
    while (count < rowCountMax && iterator.isValid()) {
      count++;
      if (!visitor.visit(iterator.key(), iterator.value())) {
        break;
      }
      if (count < rowCountMax) {
        iterator.next();
      }
    }
    return count;
  }

  private Snapshots.Held open() {
    Snapshots.Held open = held;
    if (open == null) {
      throw new IllegalStateException("view is closed");
    }
    return open;
  }
}
