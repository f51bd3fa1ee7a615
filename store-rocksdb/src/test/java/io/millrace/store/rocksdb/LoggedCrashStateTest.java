package io.millrace.store.rocksdb;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
class LoggedCrashStateTest extends LoggedCrashStates {

  LoggedCrashStateTest() {
    super(RocksLogFactory::new);
  }
}
