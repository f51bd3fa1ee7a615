package io.millrace.store.lmdb;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
class CrashStateTest extends LmdbCrashStates {

  CrashStateTest() {
    super(LmdbPlainFactory::new);
  }
}
