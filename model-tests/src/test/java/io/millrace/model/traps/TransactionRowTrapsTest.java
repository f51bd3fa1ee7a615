package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.AfterCommit;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.TransactionConflictException;
import io.millrace.api.TransactionResult;
import io.millrace.api.TransactionResult.Conflict;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Rows of tables that transactions read, go by and write. */
class TransactionRowTrapsTest extends TrapTest {

  private static final QueueName SHIP = QueueName.of("ship");

  private static Table<String, Long> stock(EngineHarness harness) {
    return harness.queues().table("stock", Codec.TEXT, Codec.LONG);
  }

  private static long count(EngineHarness harness, String key) {
    return stock(harness).get(key).orElse(0L);
  }

  /** Adds one to a row, and counts how often its function is called. */
  private static TransactionResult<Long> increment(
      EngineHarness harness, String key, AtomicInteger calls) {
    Table<String, Long> stock = stock(harness);
    return harness
        .queues()
        .transact(
            tx -> {
              calls.incrementAndGet();
              long next = tx.get(stock, key).orElse(0L) + 1;
              tx.put(stock, key, next);
              return next;
            });
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_rowLeaseAndNextJob_allAreThereAfterACrash(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, byte[]> orders = harness.queues().table("orders", Codec.TEXT, Codec.BYTES);
    enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));

    JobId next =
        harness
            .queues()
            .transact(
                tx -> {
                  JobId id = tx.enqueue(SHIP, "send".getBytes(UTF_8));
                  tx.put(orders, "7", id.toString().getBytes(UTF_8));
                  tx.complete(lease);
                  return id;
                })
            .orThrow();
    harness.crash();

    byte[] kept = harness.queues().table("orders", Codec.TEXT, Codec.BYTES).get("7").orElseThrow();
    assertThat(JobId.parse(new String(kept, UTF_8))).isEqualTo(next);
    assertThat(state(harness.queues(), next)).isEqualTo(JobState.READY);
    assertThat(peek(mail(harness), JobState.READY)).isEmpty();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_twoThatReadOneRowInOneGroup_theSecondIsCalledAnew(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);
    AtomicInteger calls = new AtomicInteger();
    harness.store().holdNextWrite();
    CompletableFuture<EnqueueResult> before =
        mail(harness).offerAsync(new byte[1], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();

    List<CompletableFuture<TransactionResult<Long>>> both =
        IntStream.range(0, 2)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> increment(harness, "boots", calls)))
            .toList();
    awaitRingDepth(harness, 2);
    harness.store().letGo();

    assertThat(join(before).isDone()).isTrue();
    assertThat(both.stream().map(future -> join(future).orThrow()).toList())
        .containsExactlyInAnyOrder(1L, 2L);
    assertThat(calls).hasValue(3);
    assertThat(count(harness, "boots")).isEqualTo(2);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_rowComesToBeMeanwhile_functionIsCalledAnewAndNothingHappenedBefore(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, Long> stock = stock(harness);
    AtomicInteger calls = new AtomicInteger();

    long seen =
        harness
            .queues()
            .transact(
                tx -> {
                  long known = tx.get(stock, "boots").orElse(-1L);
                  if (calls.incrementAndGet() == 1) {
                    Await.another(() -> stock.put("boots", 5L));
                  }
                  assertThat(tx.get(stock, "boots").orElse(-1L)).isEqualTo(known);
                  tx.enqueue(SHIP, new byte[1]);
                  return known;
                })
            .orThrow();

    assertThat(seen).isEqualTo(5);
    assertThat(calls).hasValue(2);
    assertThat(harness.queues().stats(SHIP).orElseThrow().count(JobState.READY)).isEqualTo(1);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_rowChangesEachTime_isAConflictThatSaysWhichRow(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, Long> stock = stock(harness);
    AtomicInteger calls = new AtomicInteger();

    TransactionResult<JobId> result =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.get(stock, "boots");
                  long call = calls.incrementAndGet();
                  Await.another(() -> stock.put("boots", call));
                  return tx.enqueue(SHIP, new byte[1]);
                });

    assertThat(calls).hasValue(Limits.TRANSACTION_TRIES_MAX);
    assertThat(result)
        .isEqualTo(new Conflict<JobId>("row of a table: table=stock, key=626f6f7473", 100));
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("others were faster each time, try it again: tries=100");
    assertThat(harness.queues().stats(SHIP)).isEmpty();
    assertClean(harness);
  }

  @Test
  void transact_tableDroppedMeanwhile_isAChangeOfTheRow() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, Long> stock = stock(harness);
    stock.put("boots", 5L);
    AtomicInteger calls = new AtomicInteger();

    Optional<Long> seen =
        harness
            .queues()
            .transact(
                tx -> {
                  Optional<Long> known = tx.get(stock, "boots");
                  if (calls.incrementAndGet() == 1) {
                    Await.another(() -> assertThat(stock.drop()).isTrue());
                  }
                  tx.put(stock, "shoes", 1L);
                  return known;
                })
            .orThrow();

    assertThat(seen).isEmpty();
    assertThat(calls).hasValue(2);
    assertThat(stock.get("shoes")).contains(1L);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transaction_readsAndScans_seeItsOwnWrites(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, Long> stock = stock(harness);
    for (String key : List.of("a", "b", "c", "d", "e")) {
      stock.put(key, 1L);
    }
    AtomicReference<AfterCommit<Boolean>> there = new AtomicReference<>();
    AtomicReference<AfterCommit<Boolean>> notThere = new AtomicReference<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.put(stock, "b", 2L);
              there.set(tx.delete(stock, "c"));
              notThere.set(tx.delete(stock, "x"));
              tx.put(stock, "bb", 3L);
              tx.put(stock, "z", 9L);
              tx.delete(stock, "z");
              assertThat(tx.get(stock, "b")).contains(2L);
              assertThat(tx.get(stock, "c")).isEmpty();
              assertThat(tx.get(stock, "z")).isEmpty();
              assertThat(tx.scan(stock, TableRange.all(), 10))
                  .containsExactly(
                      new TableRow<>("a", 1L),
                      new TableRow<>("b", 2L),
                      new TableRow<>("bb", 3L),
                      new TableRow<>("d", 1L),
                      new TableRow<>("e", 1L));
              assertThat(tx.scan(stock, TableRange.all(), 2))
                  .extracting(TableRow::key)
                  .containsExactly("a", "b");
              assertThat(tx.scan(stock, TableRange.prefix("b"), 10))
                  .extracting(TableRow::key)
                  .containsExactly("b", "bb");
              assertThat(tx.scan(stock, TableRange.between("bb", "e"), 10))
                  .extracting(TableRow::key)
                  .containsExactly("bb", "d");
            })
        .orThrow();

    assertThat(there.get().get()).isTrue();
    assertThat(notThere.get().get()).isFalse();
    assertThat(stock.get("c")).isEmpty();
    assertThat(stock.get("z")).isEmpty();
    assertThat(stock.count()).isEqualTo(5);
    assertClean(harness);
  }

  @Test
  void transact_functionThrowsForWhatWasNeverThereAtOnce_isCalledAnew() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, Long> stock = stock(harness);
    stock.put("left", 1L);
    stock.put("right", 1L);
    AtomicInteger calls = new AtomicInteger();

    long sum =
        harness
            .queues()
            .transact(
                tx -> {
                  long left = tx.get(stock, "left").orElseThrow();
                  if (calls.incrementAndGet() == 1) {
                    Await.another(() -> stock.put("left", 2L));
                    Await.another(() -> stock.put("right", 2L));
                  }
                  long right = tx.get(stock, "right").orElseThrow();
                  if (left != right) {
                    throw new IllegalStateException("they are always equal");
                  }
                  return left + right;
                })
            .orThrow();

    assertThat(sum).isEqualTo(4);
    assertThat(calls).hasValue(2);
  }

  @Test
  void transact_scannedRowChangesMeanwhile_isNoConflict() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, Long> stock = stock(harness);
    stock.put("a", 1L);
    AtomicInteger calls = new AtomicInteger();

    harness
        .queues()
        .inTransaction(
            tx -> {
              calls.incrementAndGet();
              assertThat(tx.scan(stock, TableRange.all(), 10)).hasSize(1);
              Await.another(() -> stock.put("b", 2L));
              tx.put(stock, "c", 3L);
            })
        .orThrow();

    assertThat(calls).hasValue(1);
    assertThat(stock.count()).isEqualTo(3);
  }

  @Test
  void transaction_tableOfAnotherEngineOrKeyTooLong_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, Long> stock = stock(harness);
    try (JobEngine other = JobEngine.open("memory:other-" + System.nanoTime())) {
      Table<String, Long> foreign = other.table("stock", Codec.TEXT, Codec.LONG);

      assertThatThrownBy(() -> harness.queues().transact(tx -> tx.get(foreign, "a")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("table is not of this engine: table=stock");
    }
    assertThatThrownBy(
            () -> harness.queues().inTransaction(tx -> tx.put(stock, "k".repeat(256), 1L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key length in bytes is out of range: value=256, least=0, most=255");
    assertThatThrownBy(() -> harness.queues().transact(tx -> tx.scan(stock, TableRange.all(), 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit is out of range: value=0, least=1, most=1000");
    assertThat(stock.count()).isZero();
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_tenHotRowsAndManyThreads_everyOneCommitsAndNothingIsLost(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, Long> stock = stock(harness);
    int threads = 8;
    int each = 60;

    List<CompletableFuture<Integer>> running =
        IntStream.range(0, threads)
            .mapToObj(
                thread ->
                    CompletableFuture.supplyAsync(
                        () ->
                            IntStream.range(0, each)
                                .map(
                                    i -> {
                                      String from = "row " + (thread + i) % 10;
                                      String to = "row " + (thread * 3 + i * 7 + 1) % 10;
                                      return harness
                                              .queues()
                                              .transact(
                                                  tx -> {
                                                    long left = tx.get(stock, from).orElse(0L);
                                                    tx.put(stock, from, left - 1);
                                                    long right = tx.get(stock, to).orElse(0L);
                                                    tx.put(stock, to, right + 1);
                                                    return true;
                                                  })
                                              .isDone()
                                          ? 1
                                          : 0;
                                    })
                                .sum()))
            .toList();

    assertThat(running.stream().mapToInt(TrapTest::join).sum()).isEqualTo(threads * each);
    assertThat(IntStream.range(0, 10).mapToLong(i -> count(harness, "row " + i)).sum()).isZero();
    assertClean(harness);
  }

  @InProcess("nobody waits for a transaction whose function runs at a client")
  @Test
  void transact_slowAmongQuickOnes_getsItsTurn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    AtomicInteger quick = new AtomicInteger();

    assertSlowOneGetsItsTurn(harness, quick, () -> increment(harness, "hot", quick).isDone());
  }

  @InProcess("nobody waits for a transaction whose function runs at a client")
  @Test
  void transact_slowAmongThoseThatWriteBlindly_getsItsTurn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, Long> stock = stock(harness);
    AtomicInteger quick = new AtomicInteger();

    assertSlowOneGetsItsTurn(
        harness,
        quick,
        () -> {
          long next = quick.incrementAndGet();
          return harness.queues().inTransaction(tx -> tx.put(stock, "hot", next)).isDone();
        });
  }

  /**
   * A slow transaction commits although three others change its row again and again.
   *
   * @param quick how often those have tried
   * @param other one of them; answers whether it has committed
   */
  private static void assertSlowOneGetsItsTurn(
      EngineHarness harness, AtomicInteger quick, BooleanSupplier other) {
    Table<String, Long> stock = stock(harness);
    AtomicInteger calls = new AtomicInteger();
    AtomicReference<Boolean> isOver = new AtomicReference<>(false);
    List<CompletableFuture<Void>> others =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          while (!isOver.get()) {
                            assertThat(other.getAsBoolean()).isTrue();
                          }
                        }))
            .toList();
    await("others are at work", () -> quick.get() > 100);

    long slow =
        harness
            .queues()
            .transact(
                tx -> {
                  calls.incrementAndGet();
                  long next = tx.get(stock, "hot").orElse(0L) + 1;
                  // As long as twenty of the others take, unless they are kept from it.
                  int since = quick.get();
                  for (int i = 0; i < 200 && quick.get() < since + 20; i++) {
                    Await.another(() -> advance(harness, Duration.ZERO));
                  }
                  tx.put(stock, "hot", next);
                  return next;
                })
            .orThrow();
    isOver.set(true);
    others.forEach(TrapTest::join);

    assertThat(slow).isPositive();
    assertThat(calls.get()).isLessThanOrEqualTo(10);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void getAll_storedOwnAndMissingRows_areInTheOrderOfTheKeys(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, Long> stock = stock(harness);
    List<String> keys = IntStream.range(0, 100).mapToObj(i -> "row " + i).toList();
    stock.put("row 1", 1L);
    stock.put("row 2", 2L);
    stock.put("row 3", 3L);
    stock.put("row 99", 99L);

    List<Optional<Long>> values =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.put(stock, "row 0", 1_000L);
                  tx.delete(stock, "row 1");
                  tx.add(stock, "row 2", 40);
                  assertThat(tx.get(stock, "row 3")).contains(3L);
                  assertThat(tx.getAll(stock, List.of())).isEmpty();
                  assertThat(tx.getAll(stock, List.of("row 3", "row 0", "row 3")))
                      .containsExactly(Optional.of(3L), Optional.of(1_000L), Optional.of(3L));
                  return tx.getAll(stock, keys);
                })
            .orThrow();

    assertThat(values.subList(0, 5))
        .containsExactly(
            Optional.of(1_000L),
            Optional.empty(),
            Optional.of(42L),
            Optional.of(3L),
            Optional.empty());
    assertThat(values).hasSize(100).endsWith(Optional.of(99L));
    assertThat(count(harness, "row 2")).isEqualTo(42);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void getAll_manyMoveAmountsBetweenTheSameRows_noneIsLost(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, Long> stock = stock(harness);
    List<String> keys = IntStream.range(0, 40).mapToObj(i -> "row " + i).toList();
    keys.forEach(key -> stock.put(key, 100L));

    List<CompletableFuture<Void>> all =
        IntStream.range(0, 4)
            .mapToObj(
                thread ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < 25; i++) {
                            int from = (7 * i + thread) % keys.size();
                            int to = (11 * i + 3 * thread + 1) % keys.size();
                            move(harness, keys.get(from), keys.get(to));
                          }
                        }))
            .toList();
    all.forEach(TrapTest::join);

    assertThat(stock.getAll(keys).stream().mapToLong(Optional::orElseThrow).sum()).isEqualTo(4_000);
    assertClean(harness);
  }

  /** Moves one from a row to another. */
  private static void move(EngineHarness harness, String from, String to) {
    Table<String, Long> stock = stock(harness);
    boolean isDone =
        harness
            .queues()
            .inTransaction(
                tx -> {
                  List<Optional<Long>> both = tx.getAll(stock, List.of(from, to));
                  tx.put(stock, from, both.get(0).orElseThrow() - 1);
                  tx.put(stock, to, (from.equals(to) ? -1 : 0) + both.get(1).orElseThrow() + 1);
                })
            .isDone();
    assertThat(isDone).isTrue();
  }

  @Test
  void getAll_moreThanATransactionMayRead_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, byte[]> files = harness.queues().table("files", Codec.TEXT, Codec.BYTES);
    List<String> many =
        IntStream.rangeClosed(0, Limits.CALL_ROW_COUNT_MAX).mapToObj(i -> "f" + i).toList();
    List<String> long33 = IntStream.range(0, 33).mapToObj(i -> "long " + i).toList();
    long33.forEach(key -> files.put(key, new byte[Limits.TABLE_VALUE_BYTES_MAX]));

    harness
        .queues()
        .inTransaction(
            tx -> {
              assertThatThrownBy(() -> tx.getAll(files, many))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("number of keys")
                  .hasMessageContaining("10001");
              assertThat(tx.getAll(files, many.subList(0, 9_998))).hasSize(9_998);
              assertThatThrownBy(() -> tx.getAll(files, Collections.nCopies(33, "long 0")))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("length of all rows asked for");
              assertThatThrownBy(() -> tx.getAll(files, List.of("a", "b")))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("number of rows read in the transaction");
            })
        .orThrow();
    harness
        .queues()
        .inTransaction(
            tx ->
                assertThatThrownBy(() -> tx.getAll(files, long33))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("length of all rows read in the transaction"))
        .orThrow();
  }

  @Test
  void transact_manyOfItsRowsAreAnothersTurn_waitsAsLongAsForOne() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, Long> stock = stock(harness);
    List<String> keys = IntStream.range(0, 15).mapToObj(i -> "row " + i).toList();
    AtomicInteger calls = new AtomicInteger();
    CompletableFuture<Void> hasTurns = new CompletableFuture<>();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    CompletableFuture<TransactionResult<Boolean>> slow =
        CompletableFuture.supplyAsync(
            () ->
                harness
                    .queues()
                    .inTransaction(
                        tx -> {
                          keys.forEach(key -> tx.get(stock, key));
                          if (calls.incrementAndGet() == 1) {
                            Await.another(() -> stock.put("row 0", 1L));
                          } else {
                            hasTurns.complete(null);
                            join(goOn);
                          }
                        }));
    join(hasTurns);
    long beganNs = System.nanoTime();

    boolean isDone =
        harness.queues().inTransaction(tx -> keys.forEach(key -> tx.get(stock, key))).isDone();

    long tookNs = System.nanoTime() - beganNs;
    goOn.complete(null);
    assertThat(isDone).isTrue();
    assertThat(join(slow).isDone()).isTrue();
    assertThat(calls).hasValue(2);
    assertThat(Duration.ofNanos(tookNs)).isLessThan(Duration.ofSeconds(6));
  }
}
