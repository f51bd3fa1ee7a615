package io.millrace.model.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads that call one engine at the same time get answers that some order of their calls
 * explains.
 */
@Timeout(value = 4, unit = TimeUnit.HOURS)
@Tag("slow")
class LinearHistoryModelTest {

  /** So many histories are recorded before another engine is opened. */
  private static final int HISTORIES_PER_ENGINE = 100;

  @TempDir Path folder;

  @Test
  void histories_onMemory_areExplainedBySomeOrder() throws Exception {
    checkHistories(StoreKind.MEMORY, Trials.count("linearMemory", 1_000, 4_000, 50_000));
  }

  @Test
  void histories_onLmdb_areExplainedBySomeOrder() throws Exception {
    checkHistories(StoreKind.LMDB, Trials.count("linearLmdb", 100, 400, 5_000));
  }

  @Test
  void histories_onRocksDb_areExplainedBySomeOrder() throws Exception {
    checkHistories(StoreKind.ROCKSDB, Trials.count("linearRocksDb", 100, 400, 5_000));
  }

  private void checkHistories(StoreKind kind, int historyCount) throws Exception {
    long seed = Trials.seed();
    int callCount = 0;
    int unknownCount = 0;
    int undecidedCount = 0;
    for (int done = 0; done < historyCount; done += HISTORIES_PER_ENGINE) {
      int turn = done / HISTORIES_PER_ENGINE;
      try (Recorder recorder = Recorder.open(kind, folder.resolve("store-" + turn), turn)) {
        for (int i = done; i < Math.min(historyCount, done + HISTORIES_PER_ENGINE); i++) {
          History history = recorder.record(Plan.of(seed + i));
          undecidedCount += history.check() == History.Verdict.UNDECIDED ? 1 : 0;
          callCount += history.events().size();
          unknownCount += (int) history.events().stream().filter(e -> e.answer().isEmpty()).count();
        }
      }
    }
    assertThat(undecidedCount)
        .as("histories that were too much for the search, from seed %s on", seed)
        .isLessThanOrEqualTo(Math.max(2, historyCount / 100));
    Trials.report(
        getClass(),
        "store="
            + kind
            + ", histories="
            + historyCount
            + ", calls="
            + callCount
            + ", of unknown outcome or never answered="
            + unknownCount
            + ", undecided="
            + undecidedCount
            + ", without an explanation=0");
  }
}
