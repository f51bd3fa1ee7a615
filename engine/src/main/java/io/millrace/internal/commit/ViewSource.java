package io.millrace.internal.commit;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreFencedException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The source of a view that is opened at its first use, since most groups read nothing.
 *
 * <p>A read that finds another owner in the store ends more than the request that needed it. Those
 * who read make do with what cannot be read, each in its way; so it is noted here.
 */
final class ViewSource implements Supplier<ReadView> {

  private final OrderedStore store;
  private @Nullable ReadView view;
  private @Nullable StoreFencedException fenced;

  ViewSource(OrderedStore store) {
    this.store = store;
  }

  @Override
  public ReadView get() {
    ReadView open = view;
    if (open == null) {
      open = new Noting(store.read());
      view = open;
    }
    return open;
  }

  /**
   * Checks that no read has found another owner.
   *
   * @throws StoreFencedException one has: what was read, and what was made of it, is history
   */
  void requireOwned() {
    if (fenced != null) {
      throw fenced;
    }
  }

  /** Closes the view if there is one, so that the next read sees what was written meanwhile. */
  void release() {
    ReadView open = view;
    view = null;
    if (open != null) {
      open.close();
    }
  }

  /** A view that notes when it is fenced. */
  private final class Noting implements ReadView {

    private final ReadView noted;

    Noting(ReadView noted) {
      this.noted = noted;
    }

    private <T extends @Nullable Object> T note(Supplier<T> read) {
      try {
        return read.get();
      } catch (StoreFencedException e) {
        fenced = e;
        throw e;
      }
    }

    @Override
    public long commit() {
      return noted.commit();
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return note(() -> noted.get(key));
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      return note(() -> noted.getAll(keys));
    }

    @Override
    public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
      return note(() -> noted.scan(startInclusive, endExclusive, size, visitor));
    }

    @Override
    public void close() {
      noted.close();
    }
  }
}
