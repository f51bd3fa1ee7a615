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

  @TempDir Path outside;
  private Path folder;

  @BeforeEach
  void requireTracer() {
    Machine.require("strace");
    folder = outside.resolve("store");
  }

  @Test
  void write_flushFails_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith("fdatasync:error=EIO:when=9"))
        .isEqualTo("failed StoreFailedException then StoreFailedException");
  }

  @Test
  void write_flushFailsForWantOfRoom_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith("fdatasync:error=ENOSPC:when=9", "fsync:error=ENOSPC"))
        .isEqualTo("failed StoreFailedException then StoreFailedException");
  }

  @Test
  void write_pagesFail_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith("writev:error=EIO:when=5"))
        .isEqualTo("failed StoreFailedException then StoreFailedException");
  }

  @Test
  void write_noRoomForPages_isFullAndGoesOnLater() throws IOException {
    assertThat(writeWith("writev:error=ENOSPC:when=5"))
        .isEqualTo("failed StoreFullException then nothing");
  }

  @Test
  void write_everyMetaPageFails_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith("pwrite64:error=ENOSPC:when=9+"))
        .isEqualTo("failed StoreFailedException then StoreFailedException");
  }

  /** What a writer answers whose system calls on the data file are tampered with. */
  private String writeWith(String... faults) throws IOException {
    String data = folder.resolve(DataFile.FILE_NAME).toString();
    List<String> strace =
        new ArrayList<>(List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-P", data));
    for (String fault : faults) {
      strace.add("-e");
      strace.add("inject=" + fault);
    }
    Process writer =
        Machine.startWriter(
            LmdbStoreFactory.SCHEME,
            folder,
            outside.resolve("acknowledged"),
            strace.toArray(String[]::new));
    writer.outputWriter().write("write 20 1\n");
    writer.outputWriter().close();
    String answer = writer.inputReader().readLine();
    Machine.join(writer);
    return answer;
  }
}
