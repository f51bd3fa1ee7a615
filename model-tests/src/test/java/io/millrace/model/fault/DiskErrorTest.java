package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.rig.StoreLocation;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * Disks that fail again and again, at any system call, under an engine with many callers that is
 * reopened each time.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@Tag("thorough")
class DiskErrorTest {

  private static final int FAULTS_PER_PROCESS = 5;
  private static final int SECONDS_MAX = 10;
  private static final int FILE_NUMBER_MAX = 120;

  /**
   * Calls are counted for each thread, and every attempt to open makes a new one: an error among
   * its first calls would be met by all of them.
   */
  private static final int CALLS_TO_OPEN = 10;

  /**
   * The system calls by which each store writes, and those by which it makes durable. What a log is
   * before gets them so seldom that most would meet no fault.
   */
  private static final Map<String, List<String>> CALLS =
      Map.of(
          "lmdb", List.of("fdatasync", "write", "fsync"),
          "lmdb?log=none", List.of("fdatasync", "writev", "pwrite64", "fsync"),
          "rocksdb", List.of("fdatasync", "write", "fsync"),
          "rocksdb?log=none", List.of("fdatasync", "write", "fsync"));

  @TempDir Path outside;

  @BeforeEach
  void requireTracer() {
    Machine.require("strace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "lmdb?log=none", "rocksdb", "rocksdb?log=none"})
  void disk_failsAtAnyCallUnderManyCallers_everyoneIsToldAndNothingAcknowledgedIsLost(String scheme)
      throws IOException {
    int trials = Trials.count("disk.errors", 1, 1, 40);
    long seed = Trials.seed();
    Random random = new Random(seed);
    for (int trial = 0; trial < trials; trial++) {
      Path folder = outside.resolve("store-" + trial);
      String fault = fault(scheme, random);

      FaultProcess.Findings findings;
      try (FaultProcess process =
          FaultProcess.start(
              FaultProcess.tampered(fault, files(folder)),
              DiskErrorWorker.class,
              StoreLocation.of(scheme, folder),
              random.nextLong(),
              FAULTS_PER_PROCESS,
              SECONDS_MAX)) {
        findings = process.findings();
      }

      assertThat(findings.violations()).as("seed %d, trial %d, %s", seed, trial, fault).isEmpty();
      assertThat(findings.tried().get(0)).as(fault).doesNotContain(DiskErrorWorker.NOTHING_MET);
      Trials.report(getClass(), scheme + ", " + fault + ": " + findings.tried().get(0));
    }
  }

  /** Lets the first few of every so many calls fail. */
  private static String fault(String scheme, Random random) {
    List<String> calls = CALLS.get(scheme);
    String call = calls.get(random.nextInt(calls.size()));
    String error = random.nextBoolean() ? "EIO" : "ENOSPC";
    boolean isRare = call.equals("fsync");
    int first = isRare ? 1 + random.nextInt(6) : CALLS_TO_OPEN + random.nextInt(100);
    int step = isRare ? 2 : 20 + random.nextInt(100);
    int last = first + (FAULTS_PER_PROCESS - 1) * step;
    return call + ":error=" + error + ":when=" + first + ".." + last + "+" + step;
  }

  /** What stores keep their rows in, and what says how far they are durable. */
  private static List<Path> files(Path folder) {
    List<Path> files = new ArrayList<>();
    files.add(folder);
    files.add(folder.resolve("WATERMARK"));
    files.add(folder.resolve("data.mdb"));
    for (int number = 0; number < 3; number++) {
      files.add(folder.resolve("log/log-" + number));
    }
    Path data = folder.resolve("data");
    files.add(data);
    for (int number = 1; number <= FILE_NUMBER_MAX; number++) {
      files.add(data.resolve("%06d.log".formatted(number)));
      files.add(data.resolve("%06d.sst".formatted(number)));
      files.add(data.resolve("MANIFEST-%06d".formatted(number)));
    }
    return files;
  }
}
