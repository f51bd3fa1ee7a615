package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Await;
import io.millrace.spi.testkit.fault.Trials;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes with workers under load are killed, or are told to end: each job is done, none is run
 * twice under one token or after it was told as completed, what is counted with its end is counted
 * once; and where the worker was stopped, no attempt was counted for what was handed back.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
@Tag("thorough")
class WorkerCrashTest {

  private static final int LIFE_US_MAX = 150_000;
  private static final int RUNS_LEAST = 60;
  private static final int SLOW_MS = 40;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void kill_atAnyMoment_everyJobIsDoneAndCountedOnce(String scheme) throws Exception {
    int kills = Trials.count("worker.kills", 4, 5, 500);

    crash(scheme, kills, new Fate("kills", HandlersProcess.End.STOP, 0, Victim::kill));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void stop_atAnyMoment_everyJobIsDoneAndNoAttemptIsLost(String scheme) throws Exception {
    int stops = Trials.count("worker.stops", 3, 4, 300);

    crash(
        scheme,
        stops,
        new Fate(
            "stops",
            HandlersProcess.End.STOP,
            SLOW_MS,
            victim -> assertThat(victim.stop()).isZero()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void exit_atAnyMoment_workerIsStoppedBeforeTheEngineIsClosed(String scheme) throws Exception {
    int exits = Trials.count("worker.exits", 2, 3, 100);

    crash(
        scheme,
        exits,
        new Fate(
            "exits",
            HandlersProcess.End.EXIT,
            SLOW_MS,
            victim -> assertThat(victim.stop()).isZero()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void terminate_atAnyMoment_workerIsStoppedBeforeTheEngineIsClosed(String scheme)
      throws Exception {
    int signals = Trials.count("worker.signals", 3, 4, 300);

    crash(
        scheme,
        signals,
        new Fate(
            "signals",
            HandlersProcess.End.EXIT,
            SLOW_MS,
            victim -> assertThat(victim.terminate()).isEqualTo(Victim.TERMINATED)));
  }

  /** What ends a process. */
  private interface Death {
    void strike(Victim victim) throws IOException;
  }

  /**
   * How processes end.
   *
   * @param what such ends are called in messages
   * @param slowMs how long slow jobs take; where it is above zero the process ends by itself, so
   *     that no attempt may be counted twice
   */
  private record Fate(String what, HandlersProcess.End end, int slowMs, Death death) {
    boolean isOfItself() {
      return slowMs > 0;
    }
  }

  private void crash(String scheme, int count, Fate fate) throws Exception {
    long seed = Trials.seed();
    Random random = new Random(seed);
    Path told = Files.createDirectory(folder.resolve("told"));
    String location = scheme + ":" + folder.resolve("store");
    for (int i = 0; i < count; i++) {
      try (Victim victim =
          Victim.start(
              HandlersProcess.class,
              location,
              told.toString(),
              "life" + i,
              Integer.toString(random.nextInt(RUNS_LEAST)),
              fate.end().name(),
              Integer.toString(random.nextBoolean() ? 0 : random.nextInt(60)),
              Integer.toString(fate.slowMs()))) {
        assertThat(victim.answer()).as("seed %d", seed).isEqualTo("working");
        victim.leaveAlone(random.nextInt(LIFE_US_MAX));
        fate.death().strike(victim);
      }
      try (JobEngine engine = JobEngine.open(location)) {
        Handled handled = new Handled(engine, told);
        String when = "seed %d, after %d %s".formatted(seed, i + 1, fate.what());
        assertThat(handled.flaws()).as(when).isEmpty();
        if (fate.isOfItself()) {
          assertThat(engine.metrics().operations(QueueStats.Total.EXPIRED)).as(when).isZero();
        }
      }
    }
    String atTheEnd = "seed %d, at the end of %d %s".formatted(seed, count, fate.what());
    finish(location, told, atTheEnd, fate.isOfItself());
  }

  private void finish(String location, Path told, String when, boolean isUncounted)
      throws IOException {
    try (JobEngine engine = JobEngine.open(location)) {
      Handled handled = new Handled(engine, told);
      try (Worker worker = handled.worker(Duration.ZERO).start()) {
        Await.until("nothing is left", handled::isDone);
        assertThat(worker.stop(Duration.ofMinutes(1)).interrupted()).isZero();
      }
      assertThat(handled.flawsAtTheEnd()).as(when).isEmpty();
      if (isUncounted) {
        assertThat(handled.laterAttempts()).as(when + ": counted attempts").isEmpty();
      }
      Trials.report(getClass(), "%s: %d runs of jobs".formatted(when, handled.runCount()));
    }
  }
}
