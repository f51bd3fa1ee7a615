package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchStats;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Await;
import io.millrace.spi.testkit.fault.FragileDisk;
import io.millrace.spi.testkit.fault.FragileDisk.Format;
import io.millrace.spi.testkit.fault.PowerSwitch;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that begin batches and work on them are killed, or lose their power: whatever ends a
 * job counts once, what comes after a batch comes once and not too early, and no batch hangs.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
@Tag("slow")
class BatchCrashTest {

  private static final int LIFE_US_MAX = 200_000;
  private static final int OPENING_US_MAX = 500_000;
  private static final int WORKED_COUNT_LEAST = 40;

  @TempDir Path folder;
  private Optional<FragileDisk> disk = Optional.empty();
  private final Random random = new Random();

  @AfterEach
  void unmount() throws IOException {
    if (disk.isPresent()) {
      disk.get().close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "lmdb?log=none", "rocksdb", "rocksdb?log=none"})
  void kill_atAnyMoment_eachEndCountsOnceAndWhatComesAfterComesOnce(String scheme)
      throws Exception {
    int kills = Trials.count("batch.kills", 2, 6, 300);

    crash(scheme, folder.resolve("store"), kills, "kills", Victim::kill);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  @Tag("thorough")
  void powerLoss_atAnyMoment_eachEndCountsOnceAndWhatComesAfterComesOnce(String scheme)
      throws Exception {
    FragileDisk.require(Format.EXT4);
    FragileDisk fragile = FragileDisk.create(Format.EXT4, folder.resolve("disk"));
    disk = Optional.of(fragile);
    int losses = Trials.count("batch.powerLosses", 2, 4, 150);

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
    random.setSeed(seed);
    Path told = folder.resolve("told");
    String[] parts = scheme.split("(?=\\?)");
    String location = parts[0] + ":" + store + (parts.length > 1 ? parts[1] : "");
    Victim spare = Victim.start(BatchWorker.class);
    try {
      for (int i = 1; i <= count; i++) {
        try (Victim victim = spare) {
          // The next one starts while this one works: most of its time is spent on that.
          spare = Victim.start(BatchWorker.class);
          victim.tell(task(location, told, "life" + i).text());
          live(victim, "seed " + seed);
          death.strike(victim);
        }
        try (JobEngine engine = JobEngine.open(location)) {
          assertThat(BatchCheck.flaws(new BatchLife(engine), lines(told)))
              .as("seed %d, after %d %s", seed, i, what)
              .isEmpty();
        }
      }
    } finally {
      spare.close();
    }
    finish(location, lines(told), "seed %d, at the end of %d %s".formatted(seed, count, what));
  }

  private BatchWorker.Task task(String location, Path told, String life) {
    // Power loss takes back what was only buffered.
    boolean isSynced = disk.isPresent() || random.nextBoolean();
    Durability durability = isSynced ? Durability.SYNCED : Durability.BUFFERED;
    int least = 1 + random.nextInt(WORKED_COUNT_LEAST);
    return new BatchWorker.Task(location, durability, told, life, random.nextLong(), least);
  }

  private void live(Victim victim, String seed) throws Exception {
    if (random.nextInt(8) == 0) {
      // It may be opening its store, or not even that.
      victim.leaveAlone(random.nextInt(OPENING_US_MAX));
    } else {
      assertThat(victim.answer()).as(seed).isEqualTo("working");
      victim.leaveAlone(random.nextInt(LIFE_US_MAX));
    }
  }

  /** Lets all that is left come to its end, and whoever waits for it be told. */
  private void finish(String location, Set<String> told, String when) {
    EngineOptions options = EngineOptions.DEFAULT.durability(Durability.BUFFERED);
    try (JobEngine engine = JobEngine.open(location, options)) {
      BatchLife life = new BatchLife(engine);
      List<CompletableFuture<BatchStats>> awaited = new ArrayList<>();
      life.batches()
          .filter(stats -> !stats.isOver())
          .forEach(stats -> awaited.add(engine.batches().await(stats.id())));
      Await.until("nothing is left, " + when, () -> life.finish(random));
      for (CompletableFuture<BatchStats> each : awaited) {
        assertThat(Await.join(each).isOver()).as(when).isTrue();
      }
      assertThat(BatchCheck.flaws(life, told)).as(when).isEmpty();
      Trials.report(
          getClass(),
          "%s: %s, %d batches begun, %d of them left open, %d jobs noted"
              .formatted(location, when, told.size(), awaited.size(), life.succeeded().count()));
    }
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
