package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Lease;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Transactions that all want one row, while a commit takes long: each goes by what the one before
 * it will leave, and all are carried out together, unless that did not come about.
 */
@InProcess("transactions that wait for rows do so in the engine alone")
class ExpectedRowsTrapsTest extends TrapTest {

  private static final int OTHERS = 6;
  private static final int ROUNDS_MAX = 5;

  private final AtomicInteger calls = new AtomicInteger();
  private final List<CompletableFuture<Long>> others = new ArrayList<>();

  /** What the others do. */
  private BiFunction<EngineHarness, Transaction, Long> deed = this::increment;

  private static Table<String, Long> stock(EngineHarness harness) {
    return harness.queues().table("stock", Codec.TEXT, Codec.LONG);
  }

  private long increment(EngineHarness harness, Transaction tx) {
    calls.incrementAndGet();
    long next = tx.get(stock(harness), "boots").orElse(0L) + 1;
    tx.put(stock(harness), "boots", next);
    return next;
  }

  /**
   * Has one transaction lose the row, and others wait for it at the row when it is called anew and
   * the store is in the middle of a write. Answers what became of it.
   */
  private CompletableFuture<TransactionResult<Long>> lead(
      EngineHarness harness, Consumer<Transaction> atLast) {
    Table<String, Long> stock = stock(harness);
    AtomicInteger tries = new AtomicInteger();
    return CompletableFuture.supplyAsync(
        () ->
            harness
                .queues()
                .transact(
                    tx -> {
                      long next = increment(harness, tx);
                      if (tries.incrementAndGet() == 1) {
                        Await.another(() -> stock.put("boots", 10L));
                      } else {
                        Await.another(() -> holdUp(harness));
                        startOthers(harness);
                      }
                      atLast.accept(tx);
                      return next;
                    }));
  }

  private static void holdUp(EngineHarness harness) {
    harness.store().holdNextWrite();
    CompletableFuture<?> held = mail(harness).offerAsync(new byte[1], EnqueueOptions.DEFAULT);
    assertThat(held).isNotDone();
    try {
      harness.store().awaitHeld();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void startOthers(EngineHarness harness) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < OTHERS; i++) {
      CompletableFuture<Long> sum = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  sum.complete(harness.queues().transact(tx -> deed.apply(harness, tx)).orThrow());
                } catch (Throwable e) {
                  sum.completeExceptionally(e);
                }
              });
      thread.start();
      threads.add(thread);
      others.add(sum);
    }
    await(
        "all wait for the row",
        () -> threads.stream().allMatch(one -> one.getState() == Thread.State.TIMED_WAITING));
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_oneRowWantedByMany_allGoIntoOneGroup(StoreKind kind) {
    EngineHarness harness = start(kind);

    // Who is kept from the row for a second goes on without: a busy machine may try again.
    for (int round = 0; round < ROUNDS_MAX && calls.get() != 2 + OTHERS; round++) {
      calls.set(0);
      others.clear();
      CompletableFuture<TransactionResult<Long>> first = lead(harness, tx -> {});
      awaitRingDepth(harness, 1 + OTHERS);
      harness.store().letGo();

      assertThat(join(first).orThrow()).isEqualTo(11);
      assertThat(others.stream().map(TrapTest::join).toList())
          .containsExactlyInAnyOrderElementsOf(
              LongStream.rangeClosed(12, 11 + OTHERS).boxed().toList());
    }

    assertThat(calls).as("each was called once, but for the one that lost").hasValue(2 + OTHERS);
    harness.crash();
    assertThat(stock(harness).get("boots")).hasValue(11L + OTHERS);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_whatWasExpectedDoesNotComeAbout_othersAreCalledAnew(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "a");
    Lease stale = claim(mail(harness));
    assertThat(stale.complete().isDone()).isTrue();

    CompletableFuture<TransactionResult<Long>> first = lead(harness, tx -> tx.complete(stale));
    awaitRingDepth(harness, 1 + OTHERS);
    harness.store().letGo();

    assertThat(join(first)).isInstanceOf(TransactionResult.StaleLease.class);
    assertThat(others.stream().map(TrapTest::join).toList())
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(11, 10 + OTHERS).boxed().toList());
    assertThat(stock(harness).get("boots")).hasValue(10L + OTHERS);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_throwsForWhatWasExpectedAndDoesNotComeAbout_isCalledAnew(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "a");
    Lease stale = claim(mail(harness));
    assertThat(stale.complete().isDone()).isTrue();
    AtomicInteger thrown = new AtomicInteger();

    CompletableFuture<TransactionResult<Long>> first = lead(harness, tx -> tx.complete(stale));
    awaitRingDepth(harness, 1 + OTHERS);
    CompletableFuture<Long> looking =
        CompletableFuture.supplyAsync(() -> lookUp(harness, 10 + OTHERS, thrown));
    await("it has thrown", () -> thrown.get() > 0);
    harness.store().letGo();

    assertThat(join(first)).isInstanceOf(TransactionResult.StaleLease.class);
    assertThat(join(looking)).isLessThanOrEqualTo(10 + OTHERS);
    others.forEach(TrapTest::join);
    assertThatThrownBy(() -> lookUp(harness, 9 + OTHERS, thrown))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("too many: " + (10 + OTHERS));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_throwsForWhatIsExpectedAndComesAbout_isNotCalledAgainAndAgain(StoreKind kind) {
    EngineHarness harness = start(kind);
    AtomicInteger thrown = new AtomicInteger();

    CompletableFuture<TransactionResult<Long>> first = lead(harness, tx -> {});
    awaitRingDepth(harness, 1 + OTHERS);
    CompletableFuture<Long> looking =
        CompletableFuture.supplyAsync(() -> lookUp(harness, 10 + OTHERS, thrown));
    await("it has thrown", () -> thrown.get() > 0);
    harness.store().letGo();

    assertThatThrownBy(() -> join(looking)).hasMessageContaining("too many: " + (11 + OTHERS));
    assertThat(thrown).as("it waited for the commit").hasValueLessThan(10);
    assertThat(join(first).isDone()).isTrue();
    others.forEach(TrapTest::join);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void get_othersAddMeanwhile_waitsForThem(StoreKind kind) throws InterruptedException {
    EngineHarness harness = start(kind);
    deed =
        (engine, tx) -> {
          tx.add(stock(engine), "boots", 1);
          return 0L;
        };

    for (int round = 0; round < ROUNDS_MAX && calls.get() != 1; round++) {
      CompletableFuture<TransactionResult<Long>> first = lead(harness, tx -> {});
      awaitRingDepth(harness, 1 + OTHERS);
      calls.set(0);
      Thread reader =
          new Thread(() -> harness.queues().transact(tx -> increment(harness, tx)).orThrow());
      reader.start();
      await("it waits", () -> reader.getState().name().endsWith("WAITING"));
      harness.store().letGo();
      reader.join();
      assertThat(join(first).isDone()).isTrue();
      others.forEach(TrapTest::join);
      assertThat(stock(harness).get("boots")).hasValue(12L + OTHERS);
      others.clear();
    }

    assertThat(calls).as("it read the row once").hasValue(1);
    assertClean(harness);
  }

  /** Throws if there are more than so many. */
  private static long lookUp(EngineHarness harness, long most, AtomicInteger thrown) {
    return harness
        .queues()
        .transact(
            tx -> {
              long now = tx.get(stock(harness), "boots").orElseThrow();
              if (now > most) {
                thrown.incrementAndGet();
                throw new IllegalStateException("too many: " + now);
              }
              return now;
            })
        .orThrow();
  }
}
