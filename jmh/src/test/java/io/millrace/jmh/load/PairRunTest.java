package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.LoadOn;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.store.memory.MemoryStoreFactory;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("thorough")
class PairRunTest {

  @TempDir private Path folder;

  @Test
  void run_afterManyHavePassed_measuresBothAndLosesNothing() {
    assertMeasured(options(Workload.CYCLE), options(Workload.CYCLE), 1_000);
  }

  @Test
  void run_besideABacklog_measuresBothAndLosesNothing() {
    assertMeasured(
        options(Workload.BACKLOG, 2_000, Queues.SINGLE),
        options(Workload.BACKLOG, 10, Queues.SINGLE),
        0);
  }

  @ParameterizedTest
  @EnumSource(
      value = LoadOn.class,
      names = {"ALL", "TENANTS"})
  void run_spreadOverQueues_measuresBothAndLosesNothing(LoadOn loadOn) {
    assertMeasured(options(Workload.CYCLE, 0, new Queues(50, loadOn)), options(Workload.CYCLE), 0);
  }

  @ParameterizedTest
  @CsvSource({"BLOCKED, KEYED", "LIMITED, KEYED", "ENGINE_BLOCKED, ENGINE_KEYED"})
  void run_withKeysAndLimits_measuresBothAndLosesNothing(Workload burdened, Workload light) {
    assertMeasured(options(burdened), options(light), 0);
  }

  private void assertMeasured(LoadOptions burdened, LoadOptions light, long passedCount) {
    Progress progress = Progress.on(new PrintWriter(Writer.nullWriter()));
    PairRun.Result result =
        new PairRun(burdened, light, passedCount, new MemoryStoreFactory(), progress).run();

    assertThat(result.findings()).isEmpty();
    assertThat(result.jobsPerSecond()).isPositive();
    assertThat(result.lightJobsPerSecond()).isPositive();
    assertThat(result.ratio()).isPositive();
    assertThat(result.claim().p50Us()).isPositive();
    assertThat(result.lightClaim().p50Us()).isPositive();
    assertThat(folder).isEmptyDirectory();
  }

  private LoadOptions options(Workload workload) {
    return options(workload, 0, Queues.SINGLE);
  }

  private LoadOptions options(Workload workload, int backlog, Queues queues) {
    return new LoadOptions(
        workload,
        "memory",
        Durability.SYNCED,
        new Callers(2, 2, 1, 4),
        64,
        backlog,
        queues,
        new LoadOptions.Timing(Duration.ofMillis(200), 2, 0),
        folder);
  }
}
