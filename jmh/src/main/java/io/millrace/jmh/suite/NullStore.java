package io.millrace.jmh.suite;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps nothing and finds nothing, so that what is left is the engine. Fit only for
 * jobs that the engine has at hand from their enqueue to their completion.
 */
final class NullStore implements OrderedStore {

  static final StoreFactory FACTORY = new Factory();

  private static final int KEY_BYTES_MAX = 511;
  private static final int OPERATIONS_MAX = 1 << 17;

  /** The store's info, made once as in real stores: it is asked for with every commit. */
  private static final StoreInfo INFO =
      StoreInfo.of("null", "nothing")
          .keyBytesMax(KEY_BYTES_MAX)
          .valueBytesMax(Integer.MAX_VALUE)
          .batchBytesMax(Long.MAX_VALUE)
          .batchOperationsMax(OPERATIONS_MAX)
          .viewCountMax(Integer.MAX_VALUE)
          .durability(StoreInfo.Durability.NONE)
          .backup(StoreInfo.Backup.NONE);

  private volatile long lastCommit;

  private NullStore() {}

  @Override
  public StoreInfo info() {
    return INFO;
  }

  @Override
  public long epoch() {
    return 1;
  }

  @Override
  public long lastCommit() {
    return lastCommit;
  }

  @Override
  public long syncedCommit() {
    return lastCommit;
  }

  @Override
  public ReadView read() {
    return new Nothing(lastCommit);
  }

  @Override
  public void write(WriteBatch batch) {
    lastCommit = batch.number();
  }

  @Override
  public void sync() {}

  @Override
  public void settle() {}

  @Override
  public void backupTo(Path folder) {
    throw new UnsupportedOperationException("there is nothing to copy: folder=" + folder);
  }

  @Override
  public void close() {}

  /** A factory of such stores; the options do not matter. */
  private static final class Factory implements StoreFactory {

    @Override
    public String scheme() {
      return "null";
    }

    @Override
    public OrderedStore open(StoreOptions options) {
      return new NullStore();
    }
  }

  /** A view of nothing. */
  private record Nothing(long commit) implements ReadView {

    @Override
    public byte @Nullable [] get(byte[] key) {
      return null;
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      List<byte @Nullable []> none = new ArrayList<>(keys.size());
      keys.forEach(key -> none.add(null));
      return none;
    }

    @Override
    public int scan(byte[] start, byte[] end, ScanSize size, RowVisitor visitor) {
      return 0;
    }

    @Override
    public void close() {}
  }
}
