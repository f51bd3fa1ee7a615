package io.millrace.store.postgresql;

import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.folder.CallGate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view, which reads in one of two ways: in a transaction of its own; or, if the writer's thread
 * opened it, on the writer's connection, for nobody else writes. Each such read finds out whether
 * that is still so. Before the writer writes, those of its views that are open go over to a
 * transaction each, which sees the same.
 */
final class PgView implements ReadView {

  private final CallGate gate;
  private final StoreInfo info;
  private final Sql sql;
  private final long commit;
  private final Runnable onClose;
  private volatile RowReads.Way way;
  private volatile @Nullable Snapshot snapshot;
  private volatile boolean isClosed;

  private PgView(Shared shared, long commit, RowReads.Way way, @Nullable Snapshot snapshot) {
    this.gate = shared.gate;
    this.info = shared.info;
    this.sql = shared.sql;
    this.onClose = shared.onClose;
    this.commit = commit;
    this.way = way;
    this.snapshot = snapshot;
  }

  /** All that views of a store have in common, and what is to be done when this one closes. */
  record Shared(CallGate gate, StoreInfo info, Sql sql, Runnable onClose) {}

  static PgView ofSnapshot(Shared shared, Snapshot snapshot) {
    return new PgView(shared, snapshot.guard().n(), snapshot, snapshot);
  }

  static PgView ofWriter(Shared shared, long commit, RowReads.Way way) {
    return new PgView(shared, commit, way, null);
  }

  /** Goes over to a snapshot, which sees the same. */
  void become(Snapshot taken) {
    snapshot = taken;
    way = taken;
  }

  @Override
  public long commit() {
    enter();
    gate.exit();
    return commit;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return getAll(List.of(key)).get(0);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    enter();
    try {
      keys.forEach(info::requireKey);
      return keys.isEmpty()
          ? List.of()
          : way.read((connection, check) -> RowReads.getAll(connection, sql, keys, check));
    } finally {
      gate.exit();
    }
  }

  @Override
  public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
    enter();
    try {
      RowReads.Range range = new RowReads.Range(startInclusive, endExclusive);
      return RowReads.scan(new Current(), sql, range, size, visitor);
    } finally {
      gate.exit();
    }
  }

  /** The way as it is at each page: the visitor of a page may write. */
  private final class Current implements RowReads.Way {
    @Override
    public <T> T read(RowReads.Read<T> read) {
      return way.read(read);
    }
  }

  private void enter() {
    gate.enter();
    if (isClosed) {
      gate.exit();
      throw new IllegalStateException("view is closed");
    }
  }

  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    if (gate.tryEnter()) {
      try {
        Snapshot open = snapshot;
        if (open != null) {
          open.close();
        }
      } finally {
        gate.exit();
      }
    }
    onClose.run();
  }
}
