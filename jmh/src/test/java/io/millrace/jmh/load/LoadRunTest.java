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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("thorough")
class LoadRunTest {

  private static final Callers BLOCKING = new Callers(2, 2, 3, 0);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "ENQUEUE, 0, 0",
    "ENQUEUE, 4, 0",
    "CYCLE, 0, 0",
    "CYCLE, 4, 0",
    "BACKLOG, 0, 500",
    "BACKLOG, 4, 500",
    "DELAYED, 0, 500",
    "DELAYED, 4, 500",
    "SOAK, 0, 0",
    "SOAK, 4, 0"
  })
  void run_ofAnyWorkload_measuresAllAndFindsEachJobDoneOnce(
      Workload workload, int inFlight, int backlog) {
    LoadOptions options =
        options(workload, new Callers(2, 2, 1, inFlight), backlog, Queues.SINGLE, millis(workload));

    LoadResult result = run(options, driven -> driven);

    assertThat(result.findings()).isEmpty();
    assertThat(result.engine().jobsPerSecond()).isPositive();
    assertThat(result.raw().jobsPerSecond()).isPositive();
    assertThat(result.floor().jobsPerSecond()).isPositive();
    assertThat(result.strictFloor().jobsPerSecond()).isPositive();
    assertThat(result.latency().enqueue().p50Us()).isPositive();
    assertThat(result.cost().allocatedBytes()).isPositive();
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({"ONE, 0", "ALL, 0", "ALL, 4"})
  void run_withManyQueues_findsEachJobDoneOnce(LoadOn loadOn, int inFlight) {
    LoadOptions options =
        options(Workload.CYCLE, new Callers(2, 2, 3, inFlight), 0, new Queues(20, loadOn), 100);

    LoadResult result = run(options, driven -> driven);

    assertThat(result.findings()).isEmpty();
    assertThat(result.engine().jobsPerSecond()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "3, 0", "3, 4"})
  void run_throughAServer_findsEachJobDoneOnce(int batch, int inFlight) {
    LoadOptions options =
        options(Workload.CYCLE, new Callers(2, 2, batch, inFlight, true), 0, Queues.SINGLE, 100);

    LoadResult result = run(options, driven -> driven);

    assertThat(result.findings()).isEmpty();
    assertThat(result.engine().jobsPerSecond()).isPositive();
  }

  @Test
  void run_atARate_keepsIt() {
    LoadOptions options =
        new LoadOptions(
            Workload.CYCLE,
            "memory",
            Durability.BUFFERED,
            BLOCKING,
            64,
            0,
            Queues.SINGLE,
            new LoadOptions.Timing(Duration.ofSeconds(1), 1, 300),
            folder);

    LoadResult result = run(options, driven -> driven);

    assertThat(result.engine().jobsPerSecond()).isLessThan(400);
  }

  @Test
  void run_behindABacklog_neverClaimsOfIt() {
    LoadOptions options = options(Workload.BACKLOG, BLOCKING, 500, Queues.SINGLE, 100);
    AtomicLong leastOutstanding = new AtomicLong(Long.MAX_VALUE);

    LoadResult result = run(options, target -> new Counting(target, leastOutstanding));

    assertThat(result.findings()).isEmpty();
    // Each of the four threads may be between two steps of a call of three jobs.
    assertThat(leastOutstanding.get()).isBetween(500L - 4 * 3, 1_000_000L);
  }

  @Test
  void run_whenAnAcknowledgedJobIsLost_findsIt() {
    LoadOptions options = options(Workload.CYCLE, BLOCKING, 0, Queues.SINGLE, 100);

    LoadResult result = run(options, Swallowing::new);

    assertThat(result.findings()).containsExactly("enqueued jobs that were never completed: 1");
    assertThat(result.isGood()).isFalse();
  }

  @Test
  void run_whenAJobIsGivenTwice_findsIt() {
    LoadOptions options = options(Workload.CYCLE, BLOCKING, 0, Queues.SINGLE, 100);

    LoadResult result = run(options, Doubling::new);

    assertThat(result.findings()).contains("completions of jobs that were completed before: 1");
    assertThat(result.isGood()).isFalse();
  }

  /**
   * A round that a busy machine lets do something; jobs that become visible after 100 ms must do so
   * within one.
   */
  private static int millis(Workload workload) {
    return workload == Workload.DELAYED ? 600 : 300;
  }

  private LoadOptions options(
      Workload workload, Callers callers, int backlog, Queues queues, int millis) {
    return new LoadOptions(
        workload,
        "memory",
        Durability.SYNCED,
        callers,
        64,
        backlog,
        queues,
        new LoadOptions.Timing(Duration.ofMillis(millis), 1, 0),
        folder);
  }

  private static LoadResult run(LoadOptions options, UnaryOperator<Target> tampering) {
    return new LoadRun(
            options,
            new MemoryStoreFactory(),
            Progress.on(new PrintWriter(Writer.nullWriter())),
            new EngineSide.Checking(tampering, Duration.ofSeconds(2)))
        .run();
  }

  /** Says of the first call that its jobs are safe, and forgets one of them. */
  static final class Swallowing extends Forwarding {

    private final AtomicBoolean isDone = new AtomicBoolean();

    Swallowing(Target target) {
      super(target);
    }

    @Override
    public void enqueue(List<byte[]> payloads) {
      target.enqueue(
          isDone.compareAndSet(false, true) ? payloads.subList(1, payloads.size()) : payloads);
    }
  }

  /** Notes how few jobs wait while there are producers. */
  private static final class Counting extends Forwarding {

    private final AtomicLong least;
    private final AtomicLong outstanding = new AtomicLong();

    Counting(Target target, AtomicLong least) {
      super(target);
      this.least = least;
    }

    @Override
    public void enqueue(List<byte[]> payloads) {
      target.enqueue(payloads);
      outstanding.addAndGet(payloads.size());
    }

    @Override
    public CompletableFuture<?> enqueueAsync(List<byte[]> payloads) {
      outstanding.addAndGet(payloads.size());
      return target.enqueueAsync(payloads);
    }

    @Override
    public Claimed claim(int max) {
      Claimed claimed = target.claim(max);
      long left = outstanding.addAndGet(-claimed.size());
      least.accumulateAndGet(left, Math::min);
      return claimed;
    }
  }

  /** Lets one job be completed twice. */
  private static final class Doubling extends Forwarding {

    private final AtomicBoolean isDone = new AtomicBoolean();

    Doubling(Target target) {
      super(target);
    }

    @Override
    public Claimed claim(int max) {
      Claimed claimed = target.claim(max);
      return new Claimed() {
        @Override
        public int size() {
          return claimed.size();
        }

        @Override
        public long dueNs(int index) {
          return claimed.dueNs(index);
        }

        @Override
        public void complete(LongConsumer completed) {
          claimed.complete(
              number -> {
                completed.accept(number);
                if (isDone.compareAndSet(false, true)) {
                  completed.accept(number);
                }
              });
        }

        @Override
        public CompletableFuture<?> completeAsync(LongConsumer completed) {
          return claimed.completeAsync(completed);
        }
      };
    }
  }

  /** A target in front of another. */
  static class Forwarding implements Target {

    protected final Target target;

    Forwarding(Target target) {
      this.target = target;
    }

    @Override
    public void enqueue(List<byte[]> payloads) {
      target.enqueue(payloads);
    }

    @Override
    public CompletableFuture<?> enqueueAsync(List<byte[]> payloads) {
      return target.enqueueAsync(payloads);
    }

    @Override
    public Claimed claim(int max) {
      return target.claim(max);
    }

    @Override
    public CompletableFuture<? extends Claimed> claimAsync(int max) {
      return target.claimAsync(max);
    }

    @Override
    public void close() {
      target.close();
    }
  }
}
