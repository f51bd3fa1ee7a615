package io.millrace.store.rocksdb;

import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * A view of a snapshot. Every call enters the session: after the session has ended, the snapshot's
 * memory is freed.
 *
 * <p>A scan tells RocksDB its end: an iterator without one reads on, past the range, through
 * whatever was deleted behind it.
 */
final class RocksView implements ReadView {

  private static final long UNKNOWN = -1;

  /** The lowest key but for the empty one, which holds the commit record. */
  private static final byte[] FIRST_KEY = {0};

  private final Session session;
  private final Database database;
  private final StoreInfo info;
  private Snapshots.@Nullable Held held;
  private long commit = UNKNOWN;
  private int scanDepth;

  /** Takes a snapshot, which is released by {@link #close}; the caller is inside the session. */
  RocksView(Session session, StoreInfo info) {
    this.session = session;
    this.database = session.database();
    this.info = info;
    this.held = session.snapshots().take();
  }

  @Override
  public long commit() {
    Snapshots.Held open = open();
    session.enter();
    try {
      if (commit == UNKNOWN) {
        commit = database.held(open.options).commit();
      }
      return commit;
    } finally {
      session.exit();
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    info.requireKey(key);
    Snapshots.Held open = open();
    session.enter();
    try {
      return database.get(open.options, key);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("row cannot be read", database.folder(), e);
    } finally {
      session.exit();
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    keys.forEach(info::requireKey);
    Snapshots.Held open = open();
    if (keys.isEmpty()) {
      return List.of();
    }
    session.enter();
    try {
      return database.getAll(open.options, keys);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("rows cannot be read", database.folder(), e);
    } finally {
      session.exit();
    }
  }

  @Override
  public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
    Objects.requireNonNull(visitor, "visitor");
    if (Arrays.compareUnsigned(startInclusive, endExclusive) > 0) {
      throw new IllegalArgumentException("endExclusive is below startInclusive");
    }
    Snapshots.Held open = open();
    session.enter();
    scanDepth++;
    // The iterator keeps the address of its end: it is closed first.
    try (Slice end = new Slice(endExclusive);
        RocksIterator iterator = database.iterator(open.options.setIterateUpperBound(end))) {
      iterator.seek(startInclusive.length == 0 ? FIRST_KEY : startInclusive);
      int count = visit(iterator, size.most(), visitor);
      iterator.status();
      return count;
    } catch (RocksDBException e) {
      throw RocksErrors.translate("rows cannot be read", database.folder(), e);
    } finally {
      scanDepth--;
      session.exit();
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
    if (session.tryEnter()) {
      try {
        session.snapshots().release(open);
      } finally {
        session.exit();
      }
    }
  }

  /** Visits rows from the iterator's position on, and returns their count. */
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
