package io.millrace.store.rocksdb;

import io.millrace.spi.testkit.fault.FullStoreContractTest;
import org.junit.jupiter.api.Tag;

/** {@link FullStoreContractTest} with a log. */
@Tag("thorough")
class LoggedStoreFullTest extends FullStoreContractTest {

  LoggedStoreFullTest() {
    super(RocksLogFactory::new);
  }
}
