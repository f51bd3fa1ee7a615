package io.millrace.memtable;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.testkit.fault.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log whose folder was taken away while its owner was absent. */
@Tag("slow")
class OwnedLogTest {

  /** Longer than a look is good for. */
  private static final Duration ABSENCE = Duration.ofMillis(500);

  @TempDir Path folder;

  @Test
  void append_afterAnAbsence_looksBeforeItWrites() throws IOException {
    try (StoreFolder absent = StoreFolder.open(StoreOptions.of(folder), "any", 1)) {
      Files.delete(folder.resolve("LOCK"));
      passAbsence();
      // Nothing can be appended to this log: it would say so.
      OwnedLog log = new OwnedLog(new ReadLog(0), absent);

      assertThatThrownBy(() -> log.append(History.batch(1)))
          .isInstanceOf(StoreFencedException.class);
    }
  }

  /** Waits for the whole time: a thread that was woken before it parks does not park at all. */
  private static void passAbsence() {
    long endNs = System.nanoTime() + ABSENCE.toNanos();
    while (System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(endNs - System.nanoTime());
    }
  }
}
