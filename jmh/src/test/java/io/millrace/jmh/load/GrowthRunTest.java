package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.LoadOn;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.LoadOptions.ThreadKind;
import io.millrace.spi.StoreFactory;
import io.millrace.store.lmdb.LmdbStoreFactory;
import io.millrace.store.memory.MemoryStoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class GrowthRunTest {

  private static final Callers CALLERS = new Callers(2, 2, 3, 0);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"BACKLOG, 500", "TABLES, 50", "ONE_BATCH, 50"})
  void run_onAStoreThatKeepsMuch_opensItAgainAndFindsEachJobDoneOnce(
      Workload workload, int backlog) {
    GrowthRun.Result result = onLmdb(options(workload, CALLERS, backlog, Queues.SINGLE));

    assertThat(result.findings()).isEmpty();
    assertThat(result.jobsPerSecond()).isPositive();
    assertThat(result.logJobsPerSecond()).isPositive();
    assertThat(result.logRatio()).isPositive();
    assertThat(result.latency().complete().p99Us()).isPositive();
    assertThat(result.allocatedBytes()).isPositive();
    assertThat(result.kept()).isPresent();
    assertThat(result.kept().get().openMs()).isPositive();
    assertThat(result.kept().get().firstClaimMs()).isGreaterThan(result.kept().get().openMs());
    assertThat(result.kept().get().diskBytes()).isGreaterThan(64L * backlog);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void run_withFewKeysAndManyTenants_findsEachJobDoneOnce() {
    GrowthRun.Result keyed = onLmdb(options(Workload.KEYED, CALLERS, 0, Queues.withKeys(3)));
    GrowthRun.Result tenants =
        onLmdb(options(Workload.CYCLE, CALLERS, 0, new Queues(20, LoadOn.TENANTS)));

    assertThat(keyed.findings()).isEmpty();
    assertThat(keyed.jobsPerSecond()).isPositive();
    assertThat(tenants.findings()).isEmpty();
    assertThat(tenants.jobsPerSecond()).isPositive();
  }

  @Test
  void run_onAStoreThatKeepsNothing_opensNothingAgain() {
    GrowthRun.Result result =
        run(
            options(Workload.BACKLOG, CALLERS, 100, Queues.SINGLE),
            new MemoryStoreFactory(),
            driven -> driven);

    assertThat(result.findings()).isEmpty();
    assertThat(result.jobsPerSecond()).isPositive();
    assertThat(result.kept()).isEmpty();
  }

  @Test
  void run_whenAnAcknowledgedJobIsLost_findsItAfterTheStoreWasOpenedAgain() {
    GrowthRun.Result result =
        run(
            options(Workload.CYCLE, CALLERS, 0, Queues.SINGLE),
            new LmdbStoreFactory(),
            LoadRunTest.Swallowing::new);

    assertThat(result.findings()).containsExactly("enqueued jobs that were never completed: 1");
    assertThat(result.isGood()).isFalse();
  }

  @Test
  void run_withCallersOnVirtualThreads_findsEachJobDoneOnceOrSaysThatJavaHasNone() {
    Callers callers = new Callers(50, 50, 1, 0).on(ThreadKind.VIRTUAL);
    LoadOptions options = options(Workload.CYCLE, callers, 0, Queues.SINGLE);

    if (VirtualThreads.areThere()) {
      GrowthRun.Result result = onLmdb(options);
      assertThat(result.findings()).isEmpty();
      assertThat(result.jobsPerSecond()).isPositive();
    } else {
      assertThatThrownBy(() -> onLmdb(options))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("virtual threads need Java 21 or later: java=");
    }
  }

  private GrowthRun.Result onLmdb(LoadOptions options) {
    return run(options, new LmdbStoreFactory(), driven -> driven);
  }

  private static GrowthRun.Result run(
      LoadOptions options, StoreFactory factory, UnaryOperator<Target> tampering) {
    EngineSide.Checking checking = new EngineSide.Checking(tampering, Duration.ofSeconds(2));
    return new GrowthRun(options, factory, Progress.unseen(), checking).run();
  }

  private LoadOptions options(Workload workload, Callers callers, int backlog, Queues queues) {
    return new LoadOptions(
        workload,
        "any",
        Durability.SYNCED,
        callers,
        64,
        backlog,
        queues,
        new LoadOptions.Timing(Duration.ofMillis(100), 2, 0),
        folder);
  }
}
