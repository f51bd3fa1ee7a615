package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.FragileDisk;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real power losses: a file system of its own that forgets what it was not asked to keep. */
@Tag("thorough")
class LogPowerLossTest {

  private static final int POWER_LOSS_COUNT = Trials.count("powerLosses", 5, 20, 500);

  @TempDir Path outside;

  @Test
  void powerLoss_whileWriterIsIdle_losesNothingThatWasSynced() throws IOException {
    FragileDisk.require(FragileDisk.Format.EXT4);
    long seed = Trials.seed();
    Random random = new Random(seed);
    long lost = 0;
    try (FragileDisk disk = FragileDisk.create(FragileDisk.Format.EXT4, outside.resolve("disk"))) {
      long released = 0;
      for (int loss = 0; loss < POWER_LOSS_COUNT; loss++) {
        // Every third log is a new one: that its folder survives is part of the promise.
        LogRig rig = new LogRig(disk.folder().resolve("log" + loss / 3));
        released = loss % 3 == 0 ? 0 : released;
        LogProcess.Said said = write(rig, released, random);
        released = said.released();
        if (random.nextInt(3) == 0) {
          disk.writeSomePages(files(rig), loss);
        }

        disk.cutPower();
        writer.destroyForcibly();
        Machine.join(writer);
        disk.powerUp();

        long read = rig.readable(released);
        assertThat(read)
            .as("power loss %d of seed %d", loss, seed)
            .isBetween(said.synced(), said.last());
        lost += said.last() - read;
      }
    }
    Trials.report(
        getClass(),
        "%d power losses of seed %d, batches lost that were not synced %d"
            .formatted(POWER_LOSS_COUNT, seed, lost));
  }

  private Process writer;

  private LogProcess.Said write(LogRig rig, long released, Random random) throws IOException {
    Path said = outside.resolve("said");
    writer = LogProcess.start(rig.folder(), released, said);
    assertThat(LogProcess.steps(writer, random.nextInt(100), random.nextLong())).isEqualTo("idle");
    return LogProcess.Said.newest(said);
  }

  private static List<Path> files(LogRig rig) throws IOException {
    try (Stream<Path> files = Files.list(rig.folder())) {
      return files.toList();
    }
  }
}
