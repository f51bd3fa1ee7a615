package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that end without closing their engine: an orderly end counts no attempt, a crash does.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("thorough")
class ShutdownTest {

  private static final QueueName QUEUE = QueueName.of(ShutdownWorker.QUEUE);

  @TempDir Path folder;

  /** How a process comes to its end. */
  enum End {
    RETURNS_FROM_MAIN("return", "", 0),
    EXITS("exit", "", 3),
    THROWS_FROM_MAIN("throw", "", 1),
    SIGTERM("wait", "-TERM", 143),
    SIGINT("wait", "-INT", 130),
    SIGKILL("wait", "-KILL", 137);

    final String command;
    final String signal;
    final int status;

    End(String command, String signal, int status) {
      this.command = command;
      this.signal = signal;
      this.status = status;
    }
  }

  /** Whether the engine closes itself. */
  enum Hook {
    ON,
    OFF
  }

  /**
   * SIGINT means to a process what it meant to who started it, and shells have it ignored in the
   * background: a build that runs there would never end one.
   */
  private static final FaultProcess.World THAT_CAN_BE_INTERRUPTED =
      FaultProcess.World.behind(
          List.of("perl", "-e", "$SIG{INT} = 'DEFAULT'; exec @ARGV or die $!", "--"));

  @BeforeEach
  void requireSignals() {
    Machine.require("kill", "perl");
  }

  private String location(String scheme) {
    return scheme + ":" + folder.resolve("store");
  }

  /** Lets a process that holds leases end in this way. */
  private void run(String scheme, End end, Hook hook) throws IOException {
    try (FaultProcess process =
        FaultProcess.start(
            THAT_CAN_BE_INTERRUPTED, ShutdownWorker.class, location(scheme), hook == Hook.ON)) {
      process.await("holding");
      process.say(end.command);
      if (!end.signal.isEmpty()) {
        process.await("waiting");
        Machine.run("kill", end.signal, Long.toString(process.pid()));
      }
      assertThat(process.status()).as("exit status").isEqualTo(end.status);
    }
  }

  /** All jobs are ready, each with so many attempts, and the next claim goes on from there. */
  private void assertFound(String scheme, int attempts) {
    try (JobEngine engine = JobEngine.open(location(scheme))) {
      List<Job> jobs = engine.peek(QUEUE, JobState.READY, PageRequest.first(100)).items();
      assertThat(jobs).hasSize(ShutdownWorker.JOB_COUNT);
      assertThat(jobs).extracting(Job::attempts).containsOnly(attempts);
      List<Lease> leases = engine.queue(QUEUE).claim(ClaimOptions.by("next").max(100));
      assertThat(leases).extracting(lease -> lease.payload()[0]).isSorted();
      assertThat(leases).hasSize(ShutdownWorker.JOB_COUNT);
      assertThat(leases).extracting(Lease::attempt).containsOnly(attempts + 1);
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = End.class,
      names = {"SIGKILL"},
      mode = EnumSource.Mode.EXCLUDE)
  void process_endsInAnOrderlyWay_attemptIsNotCounted(End end) throws IOException {
    run("lmdb", end, Hook.ON);

    assertFound("lmdb", 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void process_terminatedOnEachStore_attemptIsNotCounted(String scheme) throws IOException {
    run(scheme, End.SIGTERM, Hook.ON);

    assertFound(scheme, 0);
  }

  @ParameterizedTest
  @EnumSource(
      value = End.class,
      names = {"RETURNS_FROM_MAIN", "EXITS", "SIGTERM"})
  void process_endsWithoutTheHook_countsAsACrash(End end) throws IOException {
    run("lmdb", end, Hook.OFF);

    assertFound("lmdb", 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void process_killed_countsAsACrash(String scheme) throws IOException {
    run(scheme, End.SIGKILL, Hook.ON);

    assertFound(scheme, 1);
  }
}
