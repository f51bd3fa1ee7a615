package io.millrace.spi.testkit;

import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view in front of another, to which it passes every call. A test overrides the calls that it is
 * about.
 */
public abstract class ForwardingView implements ReadView {

  /** The view behind. */
  protected final ReadView view;

  /** Creates a view in front of the given one, which it closes with itself. */
  protected ForwardingView(ReadView view) {
    this.view = view;
  }

  @Override
  public long commit() {
    return view.commit();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return view.get(key);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    return view.getAll(keys);
  }

  @Override
  public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
    return view.scan(startInclusive, endExclusive, size, visitor);
  }

  @Override
  public void close() {
    view.close();
  }
}
