package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.fault.History;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that fail: errors put under the writer's system calls on the log. */
@Tag("thorough")
class DiskFaultTest {

  private static final int LOG_NUMBER_MAX = 40;

  @TempDir Path outside;
  private Path folder;

  @BeforeEach
  void requireTracer() {
    Machine.require("strace");
    folder = outside.resolve("store");
  }

  @Test
  void sync_flushFails_refusesAllLaterWritesAndKeepsAPrefix() throws IOException {
    assertThat(writeWith("fdatasync:error=EIO:when=3"))
        .isEqualTo("failed StoreFailedException then StoreFailedException");

    assertPrefixIsKept();
  }

  @Test
  void sync_flushFailsForWantOfRoom_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith("fdatasync:error=ENOSPC:when=3"))
        .isEqualTo("failed StoreFailedException then StoreFailedException");

    assertPrefixIsKept();
  }

  @Test
  void write_appendFails_refusesAllLaterWritesAndKeepsAPrefix() throws IOException {
    assertThat(writeWith("write:error=EIO:when=9"))
        .isEqualTo("failed StoreFailedException then StoreFailedException");

    assertPrefixIsKept();
  }

  @Test
  void write_noRoomForTheBatch_isFullAndTheBatchIsNotThere() throws IOException {
    assertThat(writeWith("write:error=ENOSPC:when=9+"))
        .isEqualTo("failed StoreFullException then StoreFullException");

    assertPrefixIsKept();
  }

  /** What was acknowledged is there, whole and in order, and the store can be written again. */
  private void assertPrefixIsKept() throws IOException {
    long acknowledged = Machine.acknowledged(outside.resolve("acknowledged"));
    try (OrderedStore store = new RocksPlainFactory().open(StoreOptions.of(folder))) {
      assertThat(store.lastCommit()).isGreaterThanOrEqualTo(acknowledged);
      History.verify(store);
      store.write(History.batch(store.lastCommit() + 1));
      store.sync();
      History.verify(store);
    }
  }

  /** What a writer answers whose system calls on the log are tampered with. */
  private String writeWith(String... faults) throws IOException {
    List<String> strace =
        new ArrayList<>(List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null"));
    for (int number = 1; number <= LOG_NUMBER_MAX; number++) {
      strace.add("-P");
      strace.add(folder.resolve("data/%06d.log".formatted(number)).toString());
    }
    for (String fault : faults) {
      strace.add("-e");
      strace.add("inject=" + fault);
    }
    Process writer =
        Machine.startWriter(
            RocksPlainFactory.SCHEME,
            folder,
            outside.resolve("acknowledged"),
            strace.toArray(String[]::new));
    writer.outputWriter().write("write 40 1\n");
    writer.outputWriter().close();
    String answer = writer.inputReader().readLine();
    Machine.join(writer);
    return answer;
  }
}
