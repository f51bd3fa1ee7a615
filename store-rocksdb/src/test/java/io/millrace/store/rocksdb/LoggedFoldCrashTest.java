package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.fault.History;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.PowerLossContractTest;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crashes of a store that folds all the time. */
@Tag("thorough")
class LoggedFoldCrashTest {

  private static final int KILL_COUNT = Trials.count("kills", 5, 20, 300);
  private static final long DELAY_MS_MAX = 300;

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

  @Test
  void kill_whileWrittenAndFolded_leavesAllThatWasWritten(@TempDir Path outside)
      throws IOException {
    long seed = Trials.seed();
    Random random = new Random(seed);
    RocksLogFactory factory = new RocksLogFactory.Small();
    long written = 0;
    for (int kill = 0; kill < KILL_COUNT; kill++) {
      // Every fifth store is a new one.
      Path folder = outside.resolve("store" + kill / 5);
      Path acknowledged = outside.resolve("acknowledged");
      Process writer = Machine.startWriter(factory.scheme(), folder, acknowledged);
      writer.outputWriter().write("write 1 1\n");
      writer.outputWriter().flush();
      assertThat(writer.inputReader().readLine()).isEqualTo("idle");
      writer.outputWriter().write("write 500 " + random.nextInt() + "\n");
      writer.outputWriter().flush();
      LockSupport.parkNanos(random.nextInt((int) DELAY_MS_MAX) * 1_000_000L);
      writer.destroyForcibly();
      Machine.join(writer);

      try (OrderedStore store = factory.open(StoreOptions.of(folder))) {
        assertThat(store.lastCommit())
            .as("kill %d of seed %d", kill, seed)
            .isGreaterThanOrEqualTo(Machine.acknowledged(acknowledged));
        History.verify(store);
        written += store.lastCommit();
      }
    }
    Trials.report(
        getClass(), "%d kills of seed %d, batches found %d".formatted(KILL_COUNT, seed, written));
  }
}
