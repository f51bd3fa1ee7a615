package io.millrace.store.memory;

import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.folder.CallGate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A view of one tree of rows, for as long as its store is open. */
final class MemoryView implements ReadView {

  private final CallGate gate;
  private final StoreInfo info;
  private final long commit;
  private final RowTree rows;
  private final Runnable onClose;
  private boolean isClosed;

  /** Creates a view of the contents; {@code onClose} runs once. */
  MemoryView(CallGate gate, StoreInfo info, MemoryStore.Contents contents, Runnable onClose) {
    this.gate = gate;
    this.info = info;
    this.commit = contents.commit();
    this.rows = contents.rows();
    this.onClose = onClose;
  }

  @Override
  public long commit() {
    enter();
    gate.exit();
    return commit;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    enter();
    try {
      return value(key);
    } finally {
      gate.exit();
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    enter();
    try {
      List<byte @Nullable []> values = new ArrayList<>(keys.size());
      for (byte[] key : keys) {
        values.add(value(key));
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
      return rows.scan(startInclusive, endExclusive, size.most(), visitor);
    } finally {
      gate.exit();
    }
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      onClose.run();
    }
  }

  private byte @Nullable [] value(byte[] key) {
    info.requireKey(key);
    return rows.get(key);
  }

  private void enter() {
    if (isClosed) {
      throw new IllegalStateException("the view is closed");
    }
    gate.enter();
  }
}
