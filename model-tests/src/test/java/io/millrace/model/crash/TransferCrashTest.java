package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.FragileDisk;
import io.millrace.spi.testkit.fault.FragileDisk.Format;
import io.millrace.spi.testkit.fault.PowerSwitch;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that move money between accounts, and jobs from queue to queue, are killed, or lose
 * their power: no money is lost or made, each transfer is applied once, and each chain of jobs goes
 * on where it was.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
@Tag("thorough")
class TransferCrashTest {

  private static final int LIFE_US_MAX = 200_000;
  private static final int APPLIED_COUNT_LEAST = 60;

  @TempDir Path folder;
  private Optional<FragileDisk> disk = Optional.empty();

  @AfterEach
  void unmount() throws IOException {
    if (disk.isPresent()) {
      disk.get().close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void kill_atAnyMoment_moneyIsNeitherLostNorMade(String scheme) throws Exception {
    int kills = Trials.count("transfer.kills", 4, 5, 500);

    crash(scheme, folder.resolve("store"), kills, "kills", Victim::kill);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void powerLoss_atAnyMoment_moneyIsNeitherLostNorMade(String scheme) throws Exception {
    FragileDisk.require(Format.EXT4);
    FragileDisk fragile = FragileDisk.create(Format.EXT4, folder.resolve("disk"));
    disk = Optional.of(fragile);
    int losses = Trials.count("transfer.powerLosses", 3, 6, 300);

    crash(
        scheme,
        fragile.folder().resolve("store"),
        losses,
        "power losses",
        victim -> {
          try (PowerSwitch power = PowerSwitch.of(victim.pid(), List.of(fragile))) {
            power.freeze();
            power.cut();
            victim.kill();
          }
          fragile.powerUp();
        });
  }

  /** How a process ends. */
  private interface Death {
    void strike(Victim victim) throws IOException;
  }

  private void crash(String scheme, Path store, int count, String what, Death death)
      throws Exception {
    long seed = Trials.seed();
    Random random = new Random(seed);
    Path told = Files.createDirectory(folder.resolve("told"));
    String location = scheme + ":" + store;
    for (int i = 0; i < count; i++) {
      String least = Integer.toString(random.nextInt(APPLIED_COUNT_LEAST));
      try (Victim victim =
          Victim.start(
              TransferWorker.class,
              location,
              told.toString(),
              Long.toString(random.nextLong()),
              least)) {
        assertThat(victim.answer()).as("seed %d", seed).isEqualTo("working");
        victim.leaveAlone(random.nextInt(LIFE_US_MAX));
        death.strike(victim);
      }
      try (JobEngine engine = JobEngine.open(location)) {
        assertThat(flaws(engine, told)).as("seed %d, after %d %s", seed, i + 1, what).isEmpty();
      }
    }

    try (JobEngine engine = JobEngine.open(location)) {
      while (new Transfers(engine).applyNext("last").isPresent()
          || new Chains(engine).goOn("last").isPresent()) {
        // Until none is left.
      }
      assertThat(flaws(engine, told)).as("seed %d, at the end", seed).isEmpty();
    }
    Trials.report(
        getClass(),
        "%s: %d %s, %d transfers and %d links of chains acknowledged, seed %d"
            .formatted(
                scheme,
                count,
                what,
                lines(told.resolve(TransferWorker.TRANSFERS)).size(),
                lines(told.resolve(TransferWorker.LINKS)).size(),
                seed));
  }

  private static List<String> flaws(JobEngine engine, Path told) throws IOException {
    List<String> flaws = new Transfers(engine).flaws(lines(told.resolve(TransferWorker.TRANSFERS)));
    flaws.addAll(new Chains(engine).flaws(lines(told.resolve(TransferWorker.LINKS))));
    return flaws;
  }

  /** Whole lines: a process may have been killed in the middle of one. */
  private static Set<String> lines(Path told) throws IOException {
    if (Files.notExists(told)) {
      return Set.of();
    }
    String text = Files.readString(told);
    return new HashSet<>(text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
  }
}
