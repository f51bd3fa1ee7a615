package io.millrace.model.rig;

import io.millrace.api.JobId;
import io.millrace.internal.format.JobAddress;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.ForwardingView;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens stores that cannot read the rows of one job. Any thread may hide and show it. */
public final class UnreadableFactory implements StoreFactory {

  private final StoreFactory sound;
  private volatile byte @Nullable [] hidden;

  public UnreadableFactory(StoreFactory sound) {
    this.sound = sound;
  }

  /** Rows of a job that was never moved cannot be read from now on. */
  public void hide(JobId id) {
    long birth = JobAddress.of(id).orElseThrow().birth();
    hidden = ByteBuffer.allocate(Long.BYTES).putLong(birth).array();
  }

  /** All can be read again. */
  public void show() {
    hidden = null;
  }

  @Override
  public String scheme() {
    return sound.scheme();
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    return new ForwardingStore(sound.open(options)) {
      @Override
      public ReadView read() {
        return new View(store.read());
      }
    };
  }

  private void requireReadable(byte[] key) {
    byte[] end = hidden;
    int from = end == null ? -1 : key.length - end.length;
    if (from >= 0 && Arrays.equals(key, from, key.length, end, 0, end.length)) {
      throw new StoreException("this row cannot be read");
    }
  }

  private final class View extends ForwardingView {

    View(ReadView view) {
      super(view);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      requireReadable(key);
      return view.get(key);
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      keys.forEach(UnreadableFactory.this::requireReadable);
      return view.getAll(keys);
    }

    @Override
    public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
      return view.scan(
          startInclusive,
          endExclusive,
          size,
          (key, value) -> {
            requireReadable(key);
            return visitor.visit(key, value);
          });
    }
  }
}
