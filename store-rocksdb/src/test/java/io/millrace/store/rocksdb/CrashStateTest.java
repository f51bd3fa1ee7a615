package io.millrace.store.rocksdb;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
class CrashStateTest extends RocksCrashStates {

  CrashStateTest() {
    super(RocksPlainFactory::new);
  }
}
