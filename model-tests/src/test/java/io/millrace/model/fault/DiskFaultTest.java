package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.rig.StoreLocation;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that fail once under a running engine: errors put under its store's system calls. */
@Tag("thorough")
class DiskFaultTest {

  private static final int LOG_NUMBER_MAX = 60;

  private static final List<String> UNKNOWN =
      List.of(
          "caller was told OutcomeUnknownException",
          "engine is poisoned",
          "later caller was told EnginePoisonedException",
          "reads go on: true",
          "reopened engine is well",
          "lost 0",
          "lease is still held: true",
          "works again: true",
          "clean: true");

  private static final List<String> REFUSED =
      List.of(
          "caller was told StoreFullException",
          "engine is well",
          "later caller was told StoreFullException",
          "reads go on: true",
          "reopened engine is well",
          "lost 0",
          "lease is still held: true");

  @TempDir Path outside;
  private Path folder;

  @BeforeEach
  void requireTracer() {
    Machine.require("strace");
    folder = outside.resolve("store");
  }

  @ParameterizedTest
  @CsvSource({
    "lmdb, fdatasync:error=EIO:when=20",
    "lmdb, write:error=EIO:when=40",
    "lmdb?log=none, fdatasync:error=EIO:when=20",
    "lmdb?log=none, writev:error=EIO:when=20",
    "rocksdb, fdatasync:error=EIO:when=20",
    "rocksdb, write:error=EIO:when=40",
    "rocksdb?log=none, fdatasync:error=EIO:when=20",
    "rocksdb?log=none, write:error=EIO:when=20"
  })
  void disk_failsOnce_outcomeIsUnknownUntilReopenedAndNothingAcknowledgedIsLost(
      String scheme, String fault) throws IOException {
    assertThat(runWith(scheme, fault)).isEqualTo(UNKNOWN);
  }

  /**
   * LMDB flushes twice for a batch: if the flush before the batch counts fails, nothing of it
   * happened, and the store is full until it is looked at again.
   */
  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "lmdb?log=none", "rocksdb", "rocksdb?log=none"})
  void disk_isFullDuringAFlush_outcomeIsUnknownOrNothingHappened(String scheme) throws IOException {
    assertThat(runWith(scheme, "fdatasync:error=ENOSPC:when=20")).isIn(UNKNOWN, REFUSED);
  }

  /** What a worker says whose system calls on the files of rows are tampered with. */
  private List<String> runWith(String scheme, String fault) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "inject=" + fault));
    for (Path file : filesOfRows(scheme)) {
      command.add("-P");
      command.add(file.toString());
    }
    command.addAll(Machine.java());
    command.addAll(List.of(DiskFaultWorker.class.getName(), StoreLocation.of(scheme, folder)));
    Process worker =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(worker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Machine.join(worker);
    return said.lines().toList();
  }

  private List<Path> filesOfRows(String scheme) {
    if (scheme.equals("lmdb?log=none")) {
      return List.of(folder.resolve("data.mdb"));
    }
    if (!scheme.endsWith("?log=none")) {
      return List.of(folder.resolve("log/log-0"), folder.resolve("log/log-1"));
    }
    List<Path> logs = new ArrayList<>();
    for (int number = 1; number <= LOG_NUMBER_MAX; number++) {
      logs.add(folder.resolve("data/%06d.log".formatted(number)));
    }
    return logs;
  }
}
