package io.millrace.model.rig;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.util.Optional;

/**
 * Wraps each store that another factory opens, so that a test can hold it up and cut it off. For
 * one test thread.
 */
public final class ControlledFactory implements StoreFactory {

  private final StoreFactory factory;
  private Optional<ControlledStore> store = Optional.empty();

  public ControlledFactory(StoreFactory factory) {
    this.factory = factory;
  }

  /** The store that was opened last. */
  public ControlledStore store() {
    return store.orElseThrow();
  }

  /** What opens the wrapped stores. */
  public StoreFactory inner() {
    return factory;
  }

  @Override
  public String scheme() {
    return factory.scheme();
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    ControlledStore opened = new ControlledStore(factory.open(options));
    store = Optional.of(opened);
    return opened;
  }
}
