package io.millrace.engine;

import io.millrace.api.EngineOptions;
import io.millrace.api.JobReader;
import io.millrace.internal.copy.StoreCopy;
import io.millrace.internal.read.OpenViews;
import io.millrace.internal.read.StoreReader;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;

/** The opening of stores that no engine holds, only to look at them. */
final class Inspection {

  private Inspection() {}

  static JobReader open(StorePlace place) {
    return open(place.factory(), place.options());
  }

  static JobReader open(StoreFactory factory, StoreOptions options) {
    OrderedStore store = factory.open(options.access(StoreOptions.Access.READ_ONLY));
    try {
      StoreCopy.checkReadable(store);
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
    return new StoreReader(
        () -> store,
        System::currentTimeMillis,
        key -> {},
        store::close,
        new OpenViews(System::nanoTime, store.info(), EngineOptions.DEFAULT.overloadWait()));
  }
}
