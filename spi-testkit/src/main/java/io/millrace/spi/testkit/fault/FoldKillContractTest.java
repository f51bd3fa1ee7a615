package io.millrace.spi.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.StoreFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed while their store folds all the time, and so has small layers. */
public abstract class FoldKillContractTest {

  private static final int KILL_COUNT = Trials.count("kills", 5, 8, 300);
  private static final long DELAY_MS_MAX = 300;

  private final StoreFactory factory;

  protected FoldKillContractTest(StoreFixture fixture) {
    this.factory = fixture.factory();
  }

  @Test
  void kill_whileWrittenAndFolded_leavesAllThatWasWritten(@TempDir Path outside)
      throws IOException {
    long seed = Trials.seed();
    Random random = new Random(seed);
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
