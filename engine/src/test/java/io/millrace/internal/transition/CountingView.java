package io.millrace.internal.transition;

import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A view that counts the rows that are read through it. */
record CountingView(ReadView view, long[] count) implements ReadView {

  @Override
  public long commit() {
    return view.commit();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    count[0]++;
    return view.get(key);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    count[0] += keys.size();
    return view.getAll(keys);
  }

  @Override
  public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
    int visited = view.scan(startInclusive, endExclusive, size, visitor);
    count[0] += visited;
    return visited;
  }

  @Override
  public void close() {
    view.close();
  }
}
