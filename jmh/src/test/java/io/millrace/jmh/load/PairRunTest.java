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

@Tag("slow")
class PairRunTest {

  @TempDir private Path folder;

  @Test
  void run_afterManyHavePassed_measuresBothAndLosesNothing() {
    LoadOptions options = options(Workload.CYCLE, 0, Queues.SINGLE);

    PairRun.Result result = run(options, options, 1_000);

    assertMeasured(result);
  }

  @Test
  void run_besideABacklog_measuresBothAndLosesNothing() {
    PairRun.Result result =
        run(
            options(Workload.BACKLOG, 2_000, Queues.SINGLE),
            options(Workload.BACKLOG, 10, Queues.SINGLE),
            0);

    assertMeasured(result);
  }

  @Test
  void run_spreadOverQueues_measuresBothAndLosesNothing() {
    PairRun.Result result =
        run(
            options(Workload.CYCLE, 0, new Queues(50, LoadOn.ALL)),
            options(Workload.CYCLE, 0, Queues.SINGLE),
            0);

    assertMeasured(result);
  }

  @Test
  void run_spreadOverTenants_measuresBothAndLosesNothing() {
    PairRun.Result result =
        run(
            options(Workload.CYCLE, 0, new Queues(50, LoadOn.TENANTS)),
            options(Workload.CYCLE, 0, Queues.SINGLE),
            0);

    assertMeasured(result);
  }

  @Test
  void run_withConcurrencyKeys_measuresBothAndLosesNothing() {
    PairRun.Result result =
        run(
            options(Workload.BLOCKED, 0, Queues.SINGLE),
            options(Workload.KEYED, 0, Queues.SINGLE),
            0);

    assertMeasured(result);
  }

  @Test
  void run_withRateLimits_measuresBothAndLosesNothing() {
    PairRun.Result result =
        run(
            options(Workload.LIMITED, 0, Queues.SINGLE),
            options(Workload.KEYED, 0, Queues.SINGLE),
            0);

    assertMeasured(result);
  }

  @Test
  void run_withConcurrencyKeysOfTheEngine_measuresBothAndLosesNothing() {
    PairRun.Result result =
        run(
            options(Workload.ENGINE_BLOCKED, 0, Queues.SINGLE),
            options(Workload.ENGINE_KEYED, 0, Queues.SINGLE),
            0);

    assertMeasured(result);
  }

  private void assertMeasured(PairRun.Result result) {
    assertThat(result.findings()).isEmpty();
    assertThat(result.jobsPerSecond()).isPositive();
    assertThat(result.lightJobsPerSecond()).isPositive();
    assertThat(result.ratio()).isPositive();
    assertThat(result.claim().p50Us()).isPositive();
    assertThat(result.lightClaim().p50Us()).isPositive();
    assertThat(folder).isEmptyDirectory();
  }

  private PairRun.Result run(LoadOptions burdened, LoadOptions light, long passedCount) {
    Progress progress = Progress.on(new PrintWriter(Writer.nullWriter()));
    return new PairRun(burdened, light, passedCount, new MemoryStoreFactory(), progress).run();
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
        new LoadOptions.Timing(Duration.ofMillis(100), 2, 0),
        folder);
  }
}
