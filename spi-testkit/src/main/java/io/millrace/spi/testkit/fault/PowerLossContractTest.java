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
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
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

  private static final int POWER_LOSS_COUNT = Trials.count("powerLosses", 5, 20, 500);
  private static final int BATCH_COUNT_MAX = 60;

  /** EXT4_IOC_SHUTDOWN without flushing the journal. */
  private static final String CUT_POWER =
      "open(F,\"<\",$ARGV[0]) or die $!; my $f=pack(\"L\",2); ioctl(F,0x8004587d,$f) or die $!";

  /**
   * Starts writing some of the dirty pages, in no order and without waiting, as the system may at
   * any time.
   */
  private static final String WRITE_SOME_PAGES =
      "open(F,\"+<\",$ARGV[0]) or die $!; srand($ARGV[1]); for (my $p=0;$p<(-s F)/4096;$p++) {"
          + " syscall(277,fileno(F),$p*4096,4096,7) if rand()<0.5 }";

  @TempDir Path outside;

  private final StoreFixture fixture;
  private final StoreFactory factory;
  private final long unsyncedCommitMax;
  private Path mount;
  private boolean isMounted;

  /**
   * For a store that after power loss has at most {@code unsyncedCommitMax} batches more than it
   * called synced.
   */
  protected PowerLossContractTest(StoreFixture fixture, long unsyncedCommitMax) {
    this.fixture = fixture;
    this.factory = fixture.factory();
    this.unsyncedCommitMax = unsyncedCommitMax;
  }

  @BeforeEach
  void mountFileSystem() throws IOException {
    Machine.require("mount", "umount", "mkfs.ext4", "perl");
    mount = Files.createDirectory(outside.resolve("mount"));
    Machine.run("truncate", "-s", "256M", outside.resolve("disk").toString());
    Machine.run("mkfs.ext4", "-q", outside.resolve("disk").toString());
    mount();
  }

  @AfterEach
  void unmount() throws IOException {
    if (isMounted) {
      Machine.run("umount", mount.toString());
      isMounted = false;
    }
  }

  @Test
  void powerLoss_whileWriterIsIdle_losesNothingThatWasSynced() throws IOException {
    long seed = Trials.seed();
    Random random = new Random(seed);
    long unsyncedKept = 0;
    long unsyncedLost = 0;
    for (int loss = 0; loss < POWER_LOSS_COUNT; loss++) {
      // Every third store is a new one: that its folder survives is part of the promise.
      Path folder = mount.resolve("store" + loss / 3);
      Path acknowledgedFile = outside.resolve("acknowledged");
      Process writer = Machine.startWriter(factory.scheme(), folder, acknowledgedFile);
      command(writer, "write " + random.nextInt(BATCH_COUNT_MAX) + " " + random.nextLong());
      if (random.nextInt(3) == 0) {
        Machine.run("perl", "-e", WRITE_SOME_PAGES, dataFile(folder).toString(), "" + loss);
      }

      Machine.run("perl", "-e", CUT_POWER, mount.toString());
      writer.destroyForcibly();
      Machine.join(writer);
      unmount();
      mount();

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

  /** The file with rows that was written last. */
  private Path dataFile(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> fixture.isDataFile(file.getFileName().toString()))
          .filter(Files::isRegularFile)
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .orElseThrow();
    }
  }

  private void mount() throws IOException {
    Machine.run("mount", "-o", "loop", outside.resolve("disk").toString(), mount.toString());
    isMounted = true;
  }
}
