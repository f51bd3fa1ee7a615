package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link DiskFaultTest} with a log: what fails beneath it stops the store as well. */
@Tag("thorough")
class LoggedDiskFaultTest extends DiskFaultTest {

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

  @Test
  void write_intoTheLogFails_refusesAllLaterWrites() throws IOException {
    assertThat(writeWith(LOG_FILES, "write:error=EIO:when=50")).isEqualTo(STOPPED);
  }
}
