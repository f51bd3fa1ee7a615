package io.millrace.spi.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.StoreFixture;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real power losses: a file system of its own that forgets everything it was not asked to keep.
 *
 * <p>The writer is idle when the power goes: what it did not sync is in memory only. {@code
 * -Dmillrace.powerLosses=COUNT} sets how many.
 */
public abstract class PowerLossContractTest {

  private static final int POWER_LOSS_COUNT = Trials.count("powerLosses", 5, 10, 500);
  private static final int BATCH_COUNT_MAX = 60;

  @TempDir Path outside;

  private final StoreFixture fixture;
  private final StoreFactory factory;
  private final long unsyncedCommitMax;
  @AutoClose private FragileDisk disk;

  /**
   * Creates the tests of a store that after power loss has at most {@code unsyncedCommitMax}
   * batches more than it called synced.
   */
  protected PowerLossContractTest(StoreFixture fixture, long unsyncedCommitMax) {
    this.fixture = fixture;
    this.factory = fixture.factory();
    this.unsyncedCommitMax = unsyncedCommitMax;
  }

  @BeforeEach
  void makeDisk() throws IOException {
    FragileDisk.require(FragileDisk.Format.EXT4);
    disk = FragileDisk.create(FragileDisk.Format.EXT4, outside.resolve("disk"));
  }

  @Test
  void powerLoss_whileWriterIsIdle_losesNothingThatWasSynced() throws IOException {
    long seed = Trials.seed();
    Random random = new Random(seed);
    long unsyncedKept = 0;
    long unsyncedLost = 0;
    for (int loss = 0; loss < POWER_LOSS_COUNT; loss++) {
      // Every third store is a new one: that its folder survives is part of the promise.
      Path folder = disk.folder().resolve("store" + loss / 3);
      Path acknowledgedFile = outside.resolve("acknowledged");
      Process writer = Machine.startWriter(factory.scheme(), folder, acknowledgedFile);
      command(writer, "write " + random.nextInt(BATCH_COUNT_MAX) + " " + random.nextLong());
      if (random.nextInt(3) == 0) {
        disk.writeSomePages(List.of(dataFile(folder)), loss);
      }

      disk.cutPower();
      writer.destroyForcibly();
      Machine.join(writer);
      disk.powerUp();

      long acknowledged = Machine.acknowledged(acknowledgedFile);
      try (OrderedStore store = factory.open(StoreOptions.of(folder))) {
        assertThat(store.lastCommit())
            .as("power loss %d of seed %d", loss, seed)
            .isBetween(acknowledged, acknowledged + unsyncedCommitMax);
        History.verify(store);
        if (store.lastCommit() > acknowledged) {
          unsyncedKept++;
        } else {
          unsyncedLost++;
        }
        store.write(History.batch(store.lastCommit() + 1));
      }
    }
    Trials.report(
        getClass(),
        "%d power losses of seed %d, more batches than synced %d, exactly the synced %d"
            .formatted(POWER_LOSS_COUNT, seed, unsyncedKept, unsyncedLost));
  }

  private static void command(Process writer, String command) throws IOException {
    writer.outputWriter().write(command + "\n");
    writer.outputWriter().flush();
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8));
    assertThat(answers.readLine()).isEqualTo("idle");
  }

  /** Returns the file with rows that was written last. */
  private Path dataFile(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> fixture.isDataFile(file.getFileName().toString()))
          .filter(Files::isRegularFile)
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .orElseThrow();
    }
  }
}
