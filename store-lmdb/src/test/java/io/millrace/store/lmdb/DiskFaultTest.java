package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fail: errors put under the writer's system calls. */
@Tag("thorough")
class DiskFaultTest {

  /** What a store answers that stops itself. */
  static final String STOPPED = "failed StoreFailedException then StoreFailedException";

  @TempDir Path outside;
  private Path folder;

  String scheme() {
    return LmdbPlainFactory.SCHEME;
  }

  /** What a store answers whose disk has no room for some pages, once. */
  String withoutRoomOnce() {
    return "failed StoreFullException then nothing";
  }

  @BeforeEach
  void requireTracer() {
    Machine.require("strace");
    folder = outside.resolve("store");
  }

  @Test
  void write_flushFails_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith("fdatasync:error=EIO:when=9")).isEqualTo(STOPPED);
  }

  @Test
  void write_flushFailsForWantOfRoom_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith("fdatasync:error=ENOSPC:when=9", "fsync:error=ENOSPC")).isEqualTo(STOPPED);
  }

  @Test
  void write_pagesFail_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith("writev:error=EIO:when=5")).isEqualTo(STOPPED);
  }

  @Test
  void write_noRoomForPages_isFullAndGoesOnLater() throws IOException {
    assertThat(writeWith("writev:error=ENOSPC:when=5")).isEqualTo(withoutRoomOnce());
  }

  @Test
  void write_everyMetaPageFails_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith("pwrite64:error=ENOSPC:when=9+")).isEqualTo(STOPPED);
  }

  /** What a writer answers whose system calls on the data file are tampered with. */
  private String writeWith(String... faults) throws IOException {
    return writeWith(List.of(DataFile.FILE_NAME), faults);
  }

  /** As {@link #writeWith(String...)}, on other files of the store's folder. */
  final String writeWith(List<String> files, String... faults) throws IOException {
    Process writer =
        Machine.startWriter(
            scheme(), folder, outside.resolve("acknowledged"), strace(folder, files, faults));
    writer.outputWriter().write("write 20 1\n");
    writer.outputWriter().close();
    String answer = writer.inputReader().readLine();
    Machine.join(writer);
    return answer;
  }

  /** What has a process's system calls on files of a store tampered with. */
  static String[] strace(Path store, List<String> files, String... faults) {
    List<String> strace =
        new ArrayList<>(List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null"));
    for (String file : files) {
      strace.add("-P");
      strace.add(store.resolve(file).toString());
    }
    for (String fault : faults) {
      strace.add("-e");
      strace.add("inject=" + fault);
    }
    return strace.toArray(String[]::new);
  }
}
