package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.SystemCallTrace;
import io.millrace.spi.testkit.fault.SystemCallTrace.Event;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fail, or run full. */
@Tag("thorough")
class LogDiskFaultTest {

  private static final int DISK_BYTES = 1 << 20;

  @TempDir Path outside;
  private LogRig rig;

  @BeforeEach
  void makeRig() {
    rig = new LogRig(outside.resolve("log"));
  }

  @Test
  void sync_flushFails_refusesAllLaterBatches() throws IOException {
    assertThat(writeWith("fdatasync:error=EIO:when=4"))
        .isEqualTo("failed StoreFailedException then StoreFailedException");
  }

  @Test
  void close_flushHadFailed_saysThatNotAllIsDurable() throws IOException {
    Process process = startWith("fdatasync:error=EIO:when=4");
    assertThat(LogProcess.steps(process, 400, 3)).startsWith("failed");

    assertThat(LogProcess.steps(process, LogProcess.CLOSE, 0))
        .isEqualTo("failed StoreFailedException then StoreClosedException");
    process.outputWriter().close();
    Machine.join(process);
  }

  @Test
  void append_writeFails_refusesAllLaterBatches() throws IOException {
    // The first ones write zeros and the header.
    assertThat(writeWith("write:error=EIO:when=5"))
        .isEqualTo("failed StoreFailedException then StoreFailedException");
    assertThat(rig.readable(0)).isEqualTo(LogProcess.Said.newest(said()).last());
  }

  @Test
  void append_flushOfWhatItGrewByFails_refusesAllLaterBatches() throws IOException {
    // Each of the two files is made, and then one grows, before the log is opened anew.
    assertThat(writeWith("fsync:error=EIO:when=3", 4))
        .isEqualTo("failed StoreFailedException then StoreFailedException");
  }

  @Test
  void append_diskIsFull_nothingHappenedAndSmallerOnesAndOthersLaterFit() throws IOException {
    withSmallDisk(
        small -> {
          try (FolderLog log = small.open(1, 0)) {
            LogRig.append(log, 3);
            Path ballast = fill(small);
            long bytes = log.partBytes();
            assertThatThrownBy(() -> log.append(LogRig.longBatch(4, 50_000)))
                .isInstanceOf(StoreFullException.class)
                .hasMessageStartingWith("log cannot grow: file=" + small.file(0) + ", bytes=4096");
            assertThat(log.lastNumber()).isEqualTo(3);
            assertThat(log.partBytes()).isEqualTo(bytes);
            assertThat(Files.size(small.file(0))).isEqualTo(4_096);

            for (int file = 1; file < 3; file++) {
              LogRig.appendAndSync(log, 1);
              log.turn();
            }
            LogRig.appendAndSync(log, 1);
            assertThatThrownBy(log::turn).isInstanceOf(StoreFullException.class);
            LogRig.appendAndSync(log, 1);
            assertThat(small.readable(0)).isEqualTo(7);

            Files.delete(ballast);
            log.turn();
            LogRig.append(log, 100);
            assertThat(small.readable(0)).isEqualTo(107);
          }
        });
  }

  @Test
  void open_processDied_whatItWroteIsWrittenAnewBeforeItIsFlushed() throws IOException {
    Machine.require("strace");
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 30);
      log.turn();
      log.append(LogRig.longBatch(31, 100_000));
    }
    byte[] newest = rig.contents().get("log-1");
    Path trace = outside.resolve("trace");
    Process process =
        LogProcess.start(
            rig.folder(), 0, said(), SystemCallTrace.command(trace, List.of(rig.file(1))));
    assertThat(LogProcess.steps(process, 0, 0)).isEqualTo("idle");
    process.outputWriter().close();
    Machine.join(process);

    List<Event> events = SystemCallTrace.read(trace);

    ByteArrayOutputStream written = new ByteArrayOutputStream();
    for (Event event : events.subList(0, events.size() - 1)) {
      assertThat(event.offset()).isEqualTo(written.size());
      written.writeBytes(event.bytes());
    }
    assertThat(newest).startsWith(written.toByteArray());
    assertThat(written.size()).isGreaterThan(100_000);
    assertThat(events.get(events.size() - 1).kind()).isEqualTo(SystemCallTrace.Kind.FLUSH);
  }

  @Test
  void append_lessIsFreeThanItWouldGrowBy_takesWhatItNeeds() throws IOException {
    withSmallDisk(
        small -> {
          try (FolderLog log = small.open(1, 0)) {
            log.append(LogRig.longBatch(1, 60_000));
            Path ballast = fill(small);
            Files.write(ballast, new byte[(int) Files.size(ballast) - 8_192]);
            long length = Files.size(small.file(0));
            while (log.partBytes() < length) {
              log.append(LogRig.longBatch(log.lastNumber() + 1, 500));
            }
            assertThat(Files.size(small.file(0))).isBetween(length + 1, length + 8_192);
          }
        });
  }

  @Test
  void open_diskIsFullAndTwoPartsAreNotInTheStore_takesBatches() throws IOException {
    withSmallDisk(
        small -> {
          try (FolderLog log = small.open(1, 0)) {
            LogRig.append(log, 2);
            log.turn();
            LogRig.append(log, 2);
          }
          fill(small);

          try (FolderLog log = small.open(2, 0)) {
            LogRig.append(log, 2);
          }

          assertThat(small.readable(0)).isEqualTo(6);
        });
  }

  private interface Scene {
    void play(LogRig small) throws IOException;
  }

  private void withSmallDisk(Scene scene) throws IOException {
    Machine.require("mount", "umount");
    String disk = Files.createDirectory(outside.resolve("disk")).toString();
    Machine.run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tmpfs", disk);
    try {
      scene.play(new LogRig(Path.of(disk, "log")));
    } finally {
      Machine.run("umount", disk);
    }
  }

  /** Takes all room that is left. */
  private static Path fill(LogRig rig) throws IOException {
    Path ballast = rig.folder().resolveSibling("ballast");
    long free = Files.getFileStore(rig.folder()).getUsableSpace();
    return Files.write(ballast, new byte[(int) free]);
  }

  private Path said() {
    return outside.resolve("said");
  }

  /** What a process answers whose system calls on the log's first two files are tampered with. */
  private String writeWith(String fault) throws IOException {
    return writeWith(fault, 3);
  }

  private String writeWith(String fault, long seed) throws IOException {
    Process process = startWith(fault);
    String answer = LogProcess.steps(process, 400, seed);
    process.outputWriter().close();
    Machine.join(process);
    return answer;
  }

  private Process startWith(String fault) throws IOException {
    Machine.require("strace");
    List<String> strace =
        List.of(
            "strace",
            "-f",
            "--seccomp-bpf",
            "-o",
            "/dev/null",
            "-P",
            rig.file(0).toString(),
            "-P",
            rig.file(1).toString(),
            "-e",
            "inject=" + fault);
    return LogProcess.start(rig.folder(), 0, said(), strace.toArray(String[]::new));
  }
}
