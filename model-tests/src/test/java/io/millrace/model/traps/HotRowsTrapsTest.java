package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.Durability;
import io.millrace.api.EngineMetrics;
import io.millrace.api.Lease;
import io.millrace.api.Table;
import io.millrace.api.TableRow;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.fault.Trials;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Many threads that all want the same ten rows, thousands of times a second: each gets there, none
 * much less often than the others, and what they do adds up.
 */
@InProcess("how much the engine reads or writes, whoever calls")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("slow")
class HotRowsTrapsTest extends TrapTest {

  private static final int ROW_COUNT = 10;
  private static final long START = 1_000;
  private static final int THREAD_COUNT = 8;

  /** Who has less than one in so many of what would be his share is held up by the others. */
  private static final int SHARE = 5;

  private final int transferCount = Trials.count("hotTransfers", 2_000, 20_000, 300_000);
  private final int mixedCount = Trials.count("hotMixed", 1_000, 10_000, 100_000);

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void transact_allWantTheSameTenRows_eachGetsItsShareAndNothingIsLost(StoreKind kind)
      throws Exception {
    EngineHarness harness = start(kind, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    Table<Long, Long> accounts = harness.queues().table("accounts", Codec.LONG, Codec.LONG);
    accounts.putAll(
        LongStream.range(0, ROW_COUNT).mapToObj(row -> new TableRow<>(row, START)).toList());
    long seed = Trials.seed();
    AtomicInteger done = new AtomicInteger();
    AtomicInteger audits = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(THREAD_COUNT + 1);
    List<CompletableFuture<Integer>> moving = new ArrayList<>();
    long beginNs = System.nanoTime();
    try {
      for (int i = 0; i < THREAD_COUNT; i++) {
        Random random = new Random(seed + i);
        moving.add(
            CompletableFuture.supplyAsync(() -> moveAll(harness, accounts, random, done), threads));
      }
      CompletableFuture<Void> auditing =
          CompletableFuture.runAsync(
              () -> {
                while (done.get() < transferCount) {
                  assertThat(sum(harness, accounts)).isEqualTo(ROW_COUNT * START);
                  audits.incrementAndGet();
                }
              },
              threads);
      CompletableFuture.allOf(moving.toArray(CompletableFuture<?>[]::new)).get();
      auditing.get();
    } finally {
      threads.shutdownNow();
    }

    long tookMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs));
    accounts.put((long) ROW_COUNT, 0L); // its group is counted by then, and those before it
    EngineMetrics metrics = harness.engine().metrics();
    long conflicts = metrics.transactionConflictCount();
    Trials.report(
        getClass(),
        "%s: %d transfers, %d audits, %d conflicts, %d of them a second, seed %d"
            .formatted(
                kind, done.get(), audits.get(), conflicts, 1_000 * conflicts / tookMs, seed));
    assertThat(sum(harness, accounts)).isEqualTo(ROW_COUNT * START);
    assertThat(moving)
        .extracting(CompletableFuture::join)
        .allMatch(count -> count >= transferCount / THREAD_COUNT / SHARE, "has its share");
    assertThat(audits).as("who reads all of them gets there too").hasPositiveValue();
    assertThat(conflicts).as("they met").isPositive();
    assertThat(metrics.transactionCount()).isEqualTo(done.get() + audits.get());
    assertThat(metrics.transactionCallCount()).isEqualTo(metrics.transactionCount() + conflicts);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void transact_oneRowInAllWays_holdsWhatWasCommitted(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    Table<Long, Long> counts = harness.queues().table("counts", Codec.LONG, Codec.LONG);
    enqueue(mail(harness), "a");
    Lease stale = claim(mail(harness));
    assertThat(stale.complete().isDone()).isTrue();
    long seed = Trials.seed();
    AtomicInteger left = new AtomicInteger(mixedCount);
    ExecutorService threads = Executors.newFixedThreadPool(THREAD_COUNT);
    List<Future<Integer>> counting = new ArrayList<>();
    try {
      for (int i = 0; i < THREAD_COUNT; i++) {
        Random random = new Random(seed + i);
        counting.add(threads.submit(() -> countAll(harness, counts, random, stale, left)));
      }
      long sum = 0;
      for (Future<Integer> count : counting) {
        sum += count.get();
      }
      assertThat(counts.get(0L)).as("seed " + seed).hasValue(sum);
    } finally {
      threads.shutdownNow();
    }
    assertClean(harness);
  }

  /** Adds one to a row in one way or another; answers how often that was committed. */
  private static int countAll(
      EngineHarness harness,
      Table<Long, Long> counts,
      Random random,
      Lease stale,
      AtomicInteger left) {
    int count = 0;
    while (left.getAndDecrement() > 0) {
      int way = random.nextInt(4);
      try {
        boolean isDone =
            harness
                .queues()
                .inTransaction(
                    tx -> {
                      if (way == 0) {
                        tx.add(counts, 0L, 1);
                        return;
                      }
                      long next = tx.get(counts, 0L).orElse(0L) + 1;
                      tx.put(counts, 0L, next);
                      if (way == 1) {
                        tx.complete(stale);
                      } else if (way == 2 && next % 2 == 0) {
                        throw new IllegalStateException("even: " + next);
                      }
                    })
                .isDone();
        assertThat(isDone).isEqualTo(way != 1);
        count += isDone ? 1 : 0;
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageStartingWith("even: ");
      }
    }
    return count;
  }

  /** Moves money until all together have done so often enough; answers how often it did. */
  private int moveAll(
      EngineHarness harness, Table<Long, Long> accounts, Random random, AtomicInteger done) {
    int count = 0;
    while (done.getAndUpdate(before -> Math.min(before + 1, transferCount)) < transferCount) {
      long from = random.nextInt(ROW_COUNT);
      long to = (from + 1 + random.nextInt(ROW_COUNT - 1)) % ROW_COUNT;
      long amount = random.nextInt(100);
      harness
          .queues()
          .inTransaction(
              tx -> {
                long left = tx.get(accounts, from).orElseThrow();
                long right = tx.get(accounts, to).orElseThrow();
                tx.put(accounts, from, left - amount);
                tx.put(accounts, to, right + amount);
              })
          .orThrow();
      count++;
    }
    return count;
  }

  /** All money, as of one moment. */
  private static long sum(EngineHarness harness, Table<Long, Long> accounts) {
    return harness
        .queues()
        .transact(
            tx ->
                IntStream.range(0, ROW_COUNT)
                    .mapToLong(row -> tx.get(accounts, (long) row).orElseThrow())
                    .sum())
        .orThrow();
  }
}
