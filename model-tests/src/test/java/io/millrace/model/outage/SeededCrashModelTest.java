package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.history.ShortestFailure;
import io.millrace.model.outage.SeededHistory.Content;
import io.millrace.model.seeds.Caller;
import io.millrace.model.seeds.SeededEngine;
import io.millrace.model.seeds.Trace;
import io.millrace.spi.testkit.fault.Trials;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Short histories in which the store fails and the power goes, each of them made of one number.
 *
 * <p>{@code -Dmillrace.seeds=COUNT} sets how many are run, {@code -Dmillrace.seedsOfKeys=COUNT} how
 * many of keys and leases on queues; with {@code -Dmillrace.seed=SEED} the first of them is that of
 * this seed.
 */
@Timeout(value = 4, unit = TimeUnit.HOURS)
@Tag("slow")
class SeededCrashModelTest {

  private static final int SEED_COUNT = Trials.count("seeds", 400, 1_500, 200_000);
  private static final int KEYED_COUNT = Trials.count("seedsOfKeys", 200, 800, 100_000);
  static final int CALLER_COUNT = 8;

  /** Histories of as many seeds. */
  private record Series(Content content, long firstSeed, int count) {}

  @Test
  void history_storeFailsAndPowerGoes_keepsWhatWasAcknowledgedAndNothingElse() throws Exception {
    runAll(Content.JOBS, SEED_COUNT);
  }

  /** Concurrency keys of queues and of the engine, and leases on queues. */
  @Test
  void history_ofKeysAndQueueLeases_slotsAndQueuesAreWhereTheModelHasThem() throws Exception {
    runAll(Content.KEYS, KEYED_COUNT);
  }

  private static void runAll(Content content, int count) throws InterruptedException {
    Series series = new Series(content, Trials.seedOfChanges(), count);
    SeededTally tally = new SeededTally();
    AtomicInteger next = new AtomicInteger();
    AtomicLong failed = new AtomicLong(Long.MAX_VALUE);
    int workers = Runtime.getRuntime().availableProcessors();
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    long beganNs = System.nanoTime();
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        runs.add(pool.submit(() -> work(series, next, failed, tally)));
      }
      for (Future<?> run : runs) {
        get(run);
      }
    } finally {
      pool.shutdown();
    }
    long ms = (System.nanoTime() - beganNs) / 1_000_000;
    Trials.report(
        SeededCrashModelTest.class,
        "%d seeds of %s from %d in %d ms: %s"
            .formatted(tally.of("seeds"), content, series.firstSeed(), ms, tally.startingWith("")));
    assertThat(tally.of("seeds")).isEqualTo(count);
  }

  /** Histories of which the model said once that they go wrong, when they did not. */
  @ParameterizedTest
  @ValueSource(longs = {5_794, 1_033_635, 7_000_974, 20_020_229, 30_040_735, 54_889_618_592_694L})
  void history_onceJudgedWrongly_keepsWhatWasAcknowledgedAndNothingElse(long seed) {
    check(SeededHistories.of(seed, Content.JOBS));
  }

  /** As above; the first is one that ends where the order is open. */
  @ParameterizedTest
  @ValueSource(longs = {2_099, 13_196})
  void history_ofKeysOnceJudgedWrongly_slotsAndQueuesAreWhereTheModelHasThem(long seed) {
    check(SeededHistories.of(seed, Content.KEYS));
  }

  private static void check(SeededHistory history) {
    List<Caller> callers = SeededEngine.callers(CALLER_COUNT);
    try {
      check(history, callers, new SeededTally());
    } finally {
      callers.forEach(Caller::end);
    }
  }

  private static void get(Future<?> run) throws InterruptedException {
    try {
      run.get();
    } catch (ExecutionException e) {
      throw (AssertionError) e.getCause();
    }
  }

  private static void work(
      Series series, AtomicInteger next, AtomicLong failed, SeededTally tally) {
    List<Caller> callers = SeededEngine.callers(CALLER_COUNT);
    try {
      for (int i = next.getAndIncrement(); i < series.count(); i = next.getAndIncrement()) {
        if (failed.get() != Long.MAX_VALUE) {
          return;
        }
        SeededHistory history = SeededHistories.of(series.firstSeed() + i, series.content());
        try {
          check(history, callers, tally);
        } catch (AssertionError e) {
          failed.set(history.seed());
          throw new AssertionError("number " + i + ", " + e.getMessage(), e);
        }
        tally.count("seeds");
      }
    } finally {
      callers.forEach(Caller::end);
    }
  }

  private static void check(SeededHistory history, List<Caller> callers, SeededTally tally) {
    try {
      ShortestFailure.check(history.steps(), part -> run(history.withSteps(part), callers, tally));
    } catch (AssertionError e) {
      throw new AssertionError(
          "seed " + history.seed() + ", with " + history.setup() + ": " + e.getMessage(), e);
    }
  }

  private static Optional<Throwable> run(
      SeededHistory history, List<Caller> callers, SeededTally tally) {
    try {
      new SeededRun(history, callers, Trace.ofHash(), tally).run();
      return Optional.empty();
    } catch (AssertionError | RuntimeException e) {
      return Optional.of(e);
    }
  }
}
