package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadFilter;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills processes at random moments and checks all that they were told. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KillCrashTest {

  private static final int LIFE_MS_MAX = 400;

  /** What a process has done at the least when it is killed, however slow the machine is. */
  private static final int COMPLETED_COUNT_LEAST = 40;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"lmdb, SYNCED", "lmdb, BUFFERED", "rocksdb, SYNCED", "rocksdb, BUFFERED"})
  void kill_atAnyMoment_nothingAcknowledgedIsLostDoubledOrOutOfOrder(
      String scheme, Durability durability) throws Exception {
    String location = location(scheme);
    int cycles = Trials.count("kills", 15, 38, 1_000);
    long seed = Trials.seed();
    Random random = new Random(seed);
    Path journal = folder.resolve("journal");
    int completedLeast = 0;
    for (int cycle = 0; cycle < cycles; cycle++) {
      int least = 1 + random.nextInt(COMPLETED_COUNT_LEAST);
      completedLeast += least;
      Process process =
          start(KillWorker.class, location, durability.name(), "life-" + cycle, "" + least);
      assertThat(process.inputReader().readLine()).as("the process works").isEqualTo("working");
      process.waitFor(random.nextInt(LIFE_MS_MAX), TimeUnit.MILLISECONDS);
      if (random.nextInt(6) == 0) {
        process.getOutputStream().close();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
      } else {
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      }
    }

    List<Line> lines = Journal.read(journal);
    List<Map.Entry<String, Integer>> served = new ArrayList<>();
    List<String> dead = new ArrayList<>();
    drain(location, served, dead);

    assertThat(JournalCheck.violations(lines, served, dead)).as("seed " + seed).isEmpty();
    assertThat(JournalCheck.count(lines, Event.COMPLETED)).isGreaterThanOrEqualTo(completedLeast);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void kill_byTheJobItself_jobReachesDead(String scheme) throws Exception {
    String location = location(scheme);
    JobId id;
    try (JobEngine engine = JobEngine.open(location)) {
      EnqueueOptions options =
          EnqueueOptions.DEFAULT.maxAttempts(3).backoff(Backoff.fixed(Duration.ZERO));
      id = engine.queue("mail").enqueue(new byte[10], options).jobId();
    }

    // Nothing stops cleanly in between, for that would be forgiven.
    int lives = 0;
    Process process = runPoisoned(location);
    while (process.exitValue() == PoisonedWorker.EXIT_STATUS) {
      assertThat(++lives).as("counted at the latest the second time").isLessThanOrEqualTo(4);
      process = runPoisoned(location);
    }

    assertThat(process.exitValue()).isZero();
    try (JobEngine engine = JobEngine.open(location)) {
      Job job = engine.get(id).orElseThrow();
      assertThat(job.state()).isEqualTo(JobState.DEAD);
      assertThat(job.attempts()).isEqualTo(3);
      assertThat(job.lastError().orElseThrow()).isNotBlank();
    }
  }

  private Process runPoisoned(String location) throws Exception {
    Process process = start(PoisonedWorker.class, location);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process;
  }

  private String location(String scheme) {
    return scheme + ":" + folder.resolve("store");
  }

  /** Starts a process on the store, which is given the journal and then what else it needs. */
  private Process start(Class<?> main, String location, String... arguments) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-ea"));
    command.addAll(List.of("-cp", classPath, main.getName(), location));
    command.add(folder.resolve("journal").toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Opens the store for the last time and takes out all that is left. */
  private static void drain(
      String location, List<Map.Entry<String, Integer>> served, List<String> dead) {
    try (JobEngine engine = JobEngine.open(location, EngineOptions.DEFAULT)) {
      assertThat(engine.verify().problems()).isEmpty();
      for (String name : KillWorker.QUEUES) {
        QueueName queue = QueueName.of(name);
        List<Lease> leases = engine.queue(queue).claim(patient());
        while (!leases.isEmpty()) {
          leases.forEach(lease -> served.add(Map.entry(KillWorker.nameOf(lease), lease.attempt())));
          engine.completeAll(leases);
          leases = engine.queue(queue).claim(patient());
        }
        Page<Job> page = engine.deadLetters(queue, DeadFilter.ALL, PageRequest.first(1_000));
        page.items().forEach(job -> dead.add(nameOf(job)));
        while (page.next().isPresent()) {
          page =
              engine.deadLetters(
                  queue, DeadFilter.ALL, PageRequest.after(page.next().get(), 1_000));
          page.items().forEach(job -> dead.add(nameOf(job)));
        }
        assertThat(engine.stats(queue).orElseThrow().count(JobState.DELAYED)).isZero();
        assertThat(engine.stats(queue).orElseThrow().count(JobState.READY)).isZero();
      }
      assertThat(engine.verify().isClean()).isTrue();
    }
  }

  /** Waits longer than any backoff of these jobs. */
  private static ClaimOptions patient() {
    return ClaimOptions.by("drain").max(1_000).waiting(Duration.ofMillis(200));
  }

  private static String nameOf(Job job) {
    String text = new String(job.payload(), StandardCharsets.UTF_8);
    return text.substring(0, text.indexOf('|'));
  }
}
