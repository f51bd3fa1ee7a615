package io.millrace.store.lmdb;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
class StoreFullTest extends LmdbStoreFull {

  StoreFullTest() {
    super(LmdbPlainFactory::new);
  }
}
