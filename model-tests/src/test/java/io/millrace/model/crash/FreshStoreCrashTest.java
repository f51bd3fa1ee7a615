package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.crash.Reopening.Ending;
import io.millrace.spi.testkit.fault.FragileDisk;
import io.millrace.spi.testkit.fault.FragileDisk.Format;
import io.millrace.spi.testkit.fault.PowerSwitch;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores whose process dies right after its first acknowledgement, or while the store comes to be:
 * they open, and the job is there.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
@Tag("thorough")
class FreshStoreCrashTest {

  private static final int STORES_PER_LIFE = Site.Level.values().length;
  private static final long SOON_US = 20_000;
  private static final int OPENING_US_MAX = 150_000;

  @TempDir Path folder;
  private final Map<Site.Level, FragileDisk> disks = new EnumMap<>(Site.Level.class);

  /** How a process ends. */
  private interface Death {

    /** Gets ready. */
    Strike prepare(Series series, Victim victim) throws IOException;
  }

  /** Ends it now, and says when that was. */
  private interface Strike {
    long strike() throws IOException;
  }

  @AfterEach
  void unmount() throws IOException {
    for (FragileDisk disk : disks.values()) {
      disk.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void kill_rightAfterTheFirstAnswer_storeOpensAndHasTheJob(String scheme) throws Exception {
    Map<Site.Level, Path> places = new EnumMap<>(Site.Level.class);
    for (Site.Level level : Site.Level.values()) {
      places.put(level, Files.createDirectory(folder.resolve(level.toString())));
    }
    crash(
        scheme + ", kill",
        new Series(scheme, folder, places, 1),
        (series, victim) ->
            () -> {
              long deadUs = victim.kill();
              series.died(Ending.KILLED);
              return deadUs;
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void powerLoss_rightAfterTheFirstAnswer_storeOpensAndHasTheJob(String scheme) throws Exception {
    FragileDisk.require(Format.EXT4);
    Map<Site.Level, Path> places = new EnumMap<>(Site.Level.class);
    for (Site.Level level : Site.Level.values()) {
      FragileDisk disk = FragileDisk.create(Format.EXT4, folder.resolve(level + "-disk"));
      disks.put(level, disk);
      places.put(level, disk.folder());
    }
    crash(
        scheme + ", power loss",
        new Series(scheme, folder, places, 1),
        (series, victim) -> {
          PowerSwitch power = PowerSwitch.of(victim.pid(), disks.values());
          return () -> losePower(series, victim, power);
        });
  }

  private long losePower(Series series, Victim victim, PowerSwitch power) throws IOException {
    long cutUs = Journal.nowUs();
    power.freeze();
    power.cut();
    long deadUs = Journal.nowUs();
    victim.kill();
    power.close();
    for (FragileDisk disk : disks.values()) {
      disk.powerUp();
    }
    series.lostPower(cutUs, Long.MAX_VALUE);
    return deadUs;
  }

  private void crash(String what, Series crashed, Death deaths) throws Exception {
    int crashCount = Trials.count("freshCrashes", STORES_PER_LIFE, 12, 300);
    long seed = Trials.seed();
    Random random = new Random(seed);
    int openingCount = 0;
    int soonCount = 0;
    int endCount;
    Findings findings;
    try (Series series = crashed) {
      while (series.endCount() < crashCount || soonCount == 0) {
        Victim victim = series.nextLife();
        Strike death = deaths.prepare(series, victim);
        victim.tell(CrashWorker.enqueueFirst(random.nextLong()));
        assertThat(victim.answer()).isEqualTo("opening");
        boolean isFirst = series.endCount() == STORES_PER_LIFE;
        if (!isFirst && random.nextInt(3) == 0) {
          openingCount += STORES_PER_LIFE;
          victim.leaveAlone(random.nextInt(OPENING_US_MAX));
          death.strike();
        } else {
          String[] answer = victim.answer().split(" ");
          assertThat(answer[0]).isEqualTo("answered");
          long deadUs = death.strike();
          for (int i = 1; i < answer.length; i++) {
            soonCount += deadUs - Long.parseLong(answer[i]) <= SOON_US ? 1 : 0;
          }
        }
      }
      endCount = series.endCount();
      findings = series.end();
    }

    Trials.report(
        getClass(),
        "%s: %d new stores, of which %d while they came to be, %d within 20 ms of the first answer,"
                .formatted(what, endCount, openingCount, soonCount)
            + " seed %d: %s".formatted(seed, findings.summary()));
    assertThat(findings.messages()).as("seed " + seed).isEmpty();
  }
}
