package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.fault.History;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link DiskFaultTest} with a log: what fails beneath it stops the store as well. */
@Tag("thorough")
class LoggedDiskFaultTest extends DiskFaultTest {

  /** One more than that an opening makes. */
  private static final int FLUSHES_OF_AN_OPENING = 6;

  private static final List<String> LOG_FILES = List.of("log/log-0", "log/log-1");

  @Override
  String scheme() {
    return new LmdbLogFactory.Small().scheme();
  }

  /** What was not folded is folded when it is tried again, with what may use the reserve. */
  @Override
  String withoutRoomOnce() {
    return "idle";
  }

  @Test
  void write_flushOfTheLogFails_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith(LOG_FILES, "fdatasync:error=EIO:when=9")).isEqualTo(STOPPED);
  }

  /** The files of the log go only when what they hold is in the rows. */
  @Test
  void open_withoutALogAndAFlushOfTheRowsFails_losesNothing() throws IOException {
    LmdbLogFactory withALog = new LmdbLogFactory();
    for (int flush = 1; flush <= FLUSHES_OF_AN_OPENING; flush++) {
      Path store = outside.resolve("store-" + flush);
      Path said = outside.resolve("said-" + flush);
      Process writer = Machine.startWriter(withALog.scheme(), store, said);
      writer.outputWriter().write("write 20 1\n");
      writer.outputWriter().close();
      assertThat(writer.inputReader().readLine()).isEqualTo("idle");
      Machine.join(writer);

      Process opener =
          Machine.startWriter(
              LmdbPlainFactory.SCHEME,
              store,
              said,
              strace(
                  store, List.of(DataFile.FILE_NAME), "fdatasync:error=EIO:when=" + flush + "+"));
      opener.outputWriter().close();
      Machine.join(opener);

      try (OrderedStore opened = withALog.open(StoreOptions.of(store))) {
        assertThat(opened.lastCommit()).as("failed from flush %d on", flush).isEqualTo(20);
        History.verify(opened);
      }
    }
  }

  @Test
  void write_intoTheLogFails_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith(LOG_FILES, "write:error=EIO:when=50")).isEqualTo(STOPPED);
  }
}
