package io.millrace.store.lmdb;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
class LoggedCrashStateTest extends LoggedCrashStates {

  LoggedCrashStateTest() {
    super(LmdbLogFactory::new);
  }
}
