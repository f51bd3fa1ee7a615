package io.millrace.store.lmdb;

import org.junit.jupiter.api.Tag;

/** {@link StoreFullTest} with a log. */
@Tag("thorough")
class LoggedStoreFullTest extends LmdbStoreFull {

  LoggedStoreFullTest() {
    super(LmdbLogFactory::new);
  }
}
