package io.millrace.store.lmdb;

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
      super(LmdbLogFactory.Small::new);
    }
  }

  @Nested
  class PowerLoss extends PowerLossContractTest {
    PowerLoss() {
      super(
          new LoggedLmdbFixture(new LmdbLogFactory.Small()),
          LoggedLmdbFixture.UNSYNCED_COMMITS_MAX);
    }
  }

  @Nested
  class Kills extends FoldKillContractTest {
    Kills() {
      super(LmdbLogFactory.Small::new);
    }
  }
}
