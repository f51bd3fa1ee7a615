package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes whose wall clock is set, by a second or by ten years, back and forth, while they work
 * and while they are closed; libfaketime sets it, for them alone.
 */
@Tag("nightly")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("slow")
class ClockLeapTest {

  private static final List<Duration> LEAPS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(20),
          Duration.ofHours(1),
          Duration.ofDays(1),
          Duration.ofDays(3_650));
  private static final Duration FARTHEST = Duration.ofDays(3_700);

  @TempDir Path folder;

  private Duration offset = Duration.ZERO;

  @BeforeEach
  void requireFaketime() {
    Machine.require("faketime");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void wallClock_leapsUnderLoad_leasesAndDelaysKeepTheirTimeAndNothingIsLost(String scheme)
      throws IOException {
    int leaps = Trials.count("leaps", 4, 4, 20);
    long seed = Trials.seed();
    Random random = new Random(seed);
    leap(Duration.ZERO);
    try (FaultProcess process = start(scheme)) {
      tell(process, "load");
      for (int leap = 0; leap < leaps; leap++) {
        tell(process, "arm");
        Duration by = next(random);
        leap(by);
        tell(process, "look " + by.toMillis());
      }
      process.end();

      FaultProcess.Findings findings = process.findings();

      assertThat(findings.violations()).as("seed %d", seed).isEmpty();
      Trials.report(
          getClass(), scheme + ": " + leaps + " leaps of the clock; " + findings.tried().get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void wallClock_leapsWhileClosed_orderStaysAndNothingComesTooLate(String scheme)
      throws IOException {
    int restarts = Trials.count("leaps.closed", 3, 3, 15);
    long seed = Trials.seed();
    Random random = new Random(seed);
    leap(Duration.ZERO);
    for (int restart = 0; restart < restarts; restart++) {
      try (FaultProcess process = start(scheme)) {
        tell(process, "line 0");
        process.end();
        assertThat(process.findings().violations()).as("seed %d", seed).isEmpty();
      }
      Duration by = next(random);
      leap(by);
      try (FaultProcess process = start(scheme)) {
        tell(process, "line " + LeapWorker.LINE_COUNT);
        tell(process, "serve " + 2 * LeapWorker.LINE_COUNT);
        tell(process, "arm");
        tell(process, "look 0");
        process.end();

        List<String> violations = process.findings().violations();

        assertThat(violations).as("seed %d, restart %d, by %s", seed, restart, by).isEmpty();
      }
    }
    Trials.report(getClass(), scheme + ": " + restarts + " leaps of the clock over a restart");
  }

  private static void tell(FaultProcess process, String command) throws IOException {
    process.say(command);
    process.await(command.split(" ")[0] + " done");
  }

  /** In either direction, unless that led too far from the time that it is. */
  private Duration next(Random random) {
    Duration leap = LEAPS.get(random.nextInt(LEAPS.size()));
    Duration by = random.nextBoolean() ? leap : leap.negated();
    boolean isTooFar = offset.plus(by).abs().compareTo(FARTHEST) > 0;
    return isTooFar ? by.negated() : by;
  }

  /** Sets the clock at once: whoever reads the file sees the old time or the new one. */
  private void leap(Duration by) throws IOException {
    offset = offset.plus(by);
    Path next = folder.resolve("next");
    Files.writeString(next, "%+d%n".formatted(offset.toSeconds()));
    Files.move(next, clock(), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path clock() {
    return folder.resolve("clock");
  }

  private FaultProcess start(String scheme) throws IOException {
    String library = Machine.run("faketime", "-m", "-f", "+0s", "printenv", "LD_PRELOAD").strip();
    Map<String, String> environment =
        Map.of(
            "LD_PRELOAD", library,
            "FAKETIME_TIMESTAMP_FILE", clock().toString(),
            "FAKETIME_NO_CACHE", "1",
            "FAKETIME_DONT_FAKE_MONOTONIC", "1",
            // Without it the library takes the end of a wait for a moment of the wall clock.
            "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    FaultProcess.World world = new FaultProcess.World(List.of(), environment, List.of());
    return FaultProcess.start(world, LeapWorker.class, scheme + ":" + folder.resolve("store"));
  }
}
