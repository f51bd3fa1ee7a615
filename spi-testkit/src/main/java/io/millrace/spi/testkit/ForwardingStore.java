package io.millrace.spi.testkit;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * A store in front of another, to which it passes every call. A test overrides the calls that it is
 * about. {@code getAll} reads through the store's own views, so that a test that changes the views
 * changes all reads.
 */
public abstract class ForwardingStore implements OrderedStore {

  /** The store behind. */
  protected final OrderedStore store;

  /** Creates a store in front of the given one, which it closes with itself. */
  protected ForwardingStore(OrderedStore store) {
    this.store = store;
  }

  /** Returns a factory that opens stores of the inner factory and puts another in front of each. */
  public static StoreFactory factory(StoreFactory inner, UnaryOperator<OrderedStore> front) {
    return new StoreFactory() {
      @Override
      public String scheme() {
        return inner.scheme();
      }

      @Override
      public OrderedStore open(StoreOptions options) {
        return front.apply(inner.open(options));
      }
    };
  }

  @Override
  public StoreInfo info() {
    return store.info();
  }

  @Override
  public long epoch() {
    return store.epoch();
  }

  @Override
  public long lastCommit() {
    return store.lastCommit();
  }

  @Override
  public long syncedCommit() {
    return store.syncedCommit();
  }

  @Override
  public OptionalLong usedBytes() {
    return store.usedBytes();
  }

  @Override
  public OptionalLong clockMs() {
    return store.clockMs();
  }

  @Override
  public void write(WriteBatch batch) {
    store.write(batch);
  }

  @Override
  public void sync() {
    store.sync();
  }

  @Override
  public void settle() {
    store.settle();
  }

  @Override
  public List<String> flaws() {
    return store.flaws();
  }

  @Override
  public ReadView read() {
    return store.read();
  }

  @Override
  public void backupTo(Path folder) {
    store.backupTo(folder);
  }

  @Override
  public void close() {
    store.close();
  }
}
