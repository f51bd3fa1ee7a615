package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.FragileDisk;
import io.millrace.spi.testkit.fault.FragileDisk.Format;
import io.millrace.spi.testkit.fault.PowerSwitch;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Cuts the power under engines at work, and checks all that they were told: what was synced is
 * there, and of what was only buffered a prefix.
 */
@Timeout(value = 6, unit = TimeUnit.HOURS)
@Tag("slow")
class PowerLossTest {

  private static final int LIVES_PER_STORE = 10;
  private static final int LIFE_US_MAX = 150_000;
  private static final int COMPLETED_COUNT_LEAST = 40;

  /** What is buffered is synced every 50 ms: after so long an idleness on any machine. */
  private static final int LONG_IDLE_US = 1_000_000;

  private static final int SYNCED_AFTER_US = 800_000;
  private static final int SHORT_IDLE_US_MAX = 60_000;

  @TempDir Path outside;
  private final Map<Site.Level, FragileDisk> disks = new EnumMap<>(Site.Level.class);

  /** What the process is doing when the power goes. */
  enum Moment {
    /** Its work: what it was told before the cut began must hold, whatever it was told after. */
    WORKING,
    /** Everything was answered. */
    IDLE,
    /** Stopped in the middle of its work. */
    FROZEN,
    /** The same, and the system has written back some of the pages. */
    WRITTEN_BACK
  }

  @AfterEach
  void unmount() throws IOException {
    for (FragileDisk disk : disks.values()) {
      disk.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "lmdb, WORKING",
    "lmdb, IDLE",
    "lmdb, FROZEN",
    "lmdb, WRITTEN_BACK",
    "rocksdb, WORKING",
    "rocksdb, IDLE",
    "rocksdb, FROZEN",
    "rocksdb, WRITTEN_BACK"
  })
  void powerLoss_onExt4_losesNothingSyncedAndLeavesAPrefix(String scheme, Moment moment)
      throws Exception {
    losePower(scheme, Format.EXT4, moment, Trials.count("enginePowerLosses", 3, 7, 501));
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "lmdb, WORKING",
    "lmdb, IDLE",
    "lmdb, FROZEN",
    "lmdb, WRITTEN_BACK",
    "rocksdb, WORKING",
    "rocksdb, IDLE",
    "rocksdb, FROZEN",
    "rocksdb, WRITTEN_BACK"
  })
  void powerLoss_onXfs_losesNothingSyncedAndLeavesAPrefix(String scheme, Moment moment)
      throws Exception {
    losePower(scheme, Format.XFS, moment, Trials.count("xfsPowerLosses", 3, 21, 99));
  }

  private void losePower(String scheme, Format format, Moment moment, int lossCount)
      throws Exception {
    FragileDisk.require(format);
    long seed = Trials.seed();
    Random random = new Random(seed);
    Map<Site.Level, Path> places = new EnumMap<>(Site.Level.class);
    for (Site.Level level : Site.Level.values()) {
      FragileDisk disk = FragileDisk.create(format, outside.resolve(level + "-disk"));
      disks.put(level, disk);
      places.put(level, disk.folder());
    }
    Findings findings;
    try (Series series = new Series(scheme, outside, places, LIVES_PER_STORE)) {
      while (series.endCount() < lossCount) {
        losePower(series, moment, random);
      }
      findings = series.end();
    }

    Trials.report(
        getClass(),
        "%s on %s, %s: %d power losses, seed %d: %s"
            .formatted(scheme, format, moment, lossCount, seed, findings.summary()));
    assertThat(findings.messages()).as("seed " + seed).isEmpty();
  }

  private void losePower(Series series, Moment moment, Random random) throws Exception {
    Victim victim = series.nextLife();
    victim.tell(CrashWorker.work(random.nextLong(), random.nextInt(COMPLETED_COUNT_LEAST)));
    assertThat(victim.answer()).isEqualTo("working");
    victim.leaveAlone(random.nextInt(LIFE_US_MAX));
    boolean isLongIdle = moment == Moment.IDLE && random.nextBoolean();
    if (moment == Moment.IDLE) {
      victim.tell(CrashWorker.QUIET);
      assertThat(victim.answer()).isEqualTo("quiet");
      victim.leaveAlone(isLongIdle ? LONG_IDLE_US : random.nextInt(SHORT_IDLE_US_MAX));
    }
    long cutUs;
    try (PowerSwitch power = PowerSwitch.of(victim.pid(), disks.values())) {
      if (moment != Moment.WORKING) {
        power.freeze();
      }
      if (moment == Moment.WRITTEN_BACK) {
        for (Map.Entry<Site.Level, FragileDisk> entry : disks.entrySet()) {
          List<Path> files = filesIn(series.store(entry.getKey()));
          entry.getValue().writeSomePages(files, random.nextLong());
        }
      }
      cutUs = Journal.nowUs();
      power.cut();
      victim.kill();
    }
    for (FragileDisk disk : disks.values()) {
      disk.powerUp();
    }
    series.lostPower(cutUs, isLongIdle ? SYNCED_AFTER_US : Long.MAX_VALUE);
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
