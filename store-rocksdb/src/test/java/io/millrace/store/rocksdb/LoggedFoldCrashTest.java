package io.millrace.store.rocksdb;

import io.millrace.spi.testkit.fault.FoldKillContractTest;
import io.millrace.spi.testkit.fault.PowerLossContractTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Crashes of a store that folds all the time. */
@Tag("thorough")
class LoggedFoldCrashTest {

  @Nested
  class CrashStates extends LoggedCrashStates {
    CrashStates() {
      super(RocksLogFactory.Small::new);
    }
  }

  @Nested
  class PowerLoss extends PowerLossContractTest {
    PowerLoss() {
      super(
          new LoggedRocksFixture(new RocksLogFactory.Small()),
          LoggedRocksFixture.UNSYNCED_COMMITS_MAX);
    }
  }

  @Nested
  class Kills extends FoldKillContractTest {
    Kills() {
      super(RocksLogFactory.Small::new);
    }
  }
}
