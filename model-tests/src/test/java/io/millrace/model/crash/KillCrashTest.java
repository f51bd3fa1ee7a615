package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.engine.JobEngine;
import io.millrace.model.crash.Reopening.Ending;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills processes at random moments and checks all that they were told. */
@Timeout(value = 3, unit = TimeUnit.HOURS)
@Tag("slow")
class KillCrashTest {

  private static final int LIVES_PER_STORE = 10;
  private static final int LIFE_US_MAX = 200_000;
  private static final int OPENING_US_MAX = 1_500_000;

  /** What a process has done at the least when it is killed, however slow the machine is. */
  private static final int COMPLETED_COUNT_LEAST = 40;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void kill_atAnyMoment_nothingAcknowledgedIsLostDoubledOrOutOfOrder(String scheme)
      throws Exception {
    long seed = Trials.seed();
    Random random = new Random(seed);
    int killCount = Trials.count("kills", 6, 24, 2_000);
    int stopCount = 0;
    Map<Site.Level, Path> places = new EnumMap<>(Site.Level.class);
    for (Site.Level level : Site.Level.values()) {
      places.put(level, Files.createDirectory(folder.resolve(level.toString())));
    }
    try (Series series = new Series(scheme, folder, places, LIVES_PER_STORE)) {
      while (series.endCount() - stopCount < killCount) {
        Victim victim = series.nextLife();
        victim.tell(CrashWorker.work(random.nextLong(), random.nextInt(COMPLETED_COUNT_LEAST)));
        switch (random.nextInt(8)) {
          case 0 -> {
            assertThat(victim.answer()).isEqualTo("working");
            assertThat(victim.stop()).isZero();
            series.died(Ending.CLEAN);
            stopCount += places.size();
          }
          case 1 -> {
            // It may be opening its stores, or not even that.
            victim.leaveAlone(random.nextInt(OPENING_US_MAX));
            victim.kill();
            series.died(Ending.KILLED);
          }
          default -> {
            assertThat(victim.answer()).isEqualTo("working");
            victim.leaveAlone(random.nextInt(LIFE_US_MAX));
            victim.kill();
            series.died(Ending.KILLED);
          }
        }
      }

      Findings findings = series.end();

      Trials.report(
          getClass(),
          "%s: %d kills, %d clean stops, seed %d: %s"
              .formatted(
                  scheme, series.endCount() - stopCount, stopCount, seed, findings.summary()));
      assertThat(findings.messages()).as("seed " + seed).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void kill_byTheJobItself_jobReachesDead(String scheme) throws Exception {
    String location = scheme + ":" + folder.resolve("store");
    JobId id;
    try (JobEngine engine = JobEngine.open(location)) {
      EnqueueOptions options =
          EnqueueOptions.DEFAULT.maxAttempts(3).backoff(Backoff.fixed(Duration.ZERO));
      id = engine.queue("mail").enqueue(new byte[10], options).jobId();
    }

    // Nothing stops cleanly in between, for that would be forgiven.
    int lives = 0;
    int status = runPoisoned(location);
    while (status == PoisonedWorker.EXIT_STATUS) {
      assertThat(++lives).as("counted at the latest the second time").isLessThanOrEqualTo(4);
      status = runPoisoned(location);
    }

    assertThat(status).isZero();
    try (JobEngine engine = JobEngine.open(location)) {
      Job job = engine.get(id).orElseThrow();
      assertThat(job.state()).isEqualTo(JobState.DEAD);
      assertThat(job.attempts()).isEqualTo(3);
      assertThat(job.lastError().orElseThrow()).isNotBlank();
    }
  }

  private static int runPoisoned(String location) throws Exception {
    return Victim.start(PoisonedWorker.class, location).join();
  }
}
