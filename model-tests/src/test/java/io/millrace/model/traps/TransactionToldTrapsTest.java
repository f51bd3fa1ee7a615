package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EngineMetrics;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobListening;
import io.millrace.api.Lease;
import io.millrace.api.Table;
import io.millrace.api.TransactionResult;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.FaultyStore.Room;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What metrics and listeners are told of transactions: what happened, once, and nothing else. */
class TransactionToldTrapsTest extends JobListenerTrapTest {

  private static Table<String, Long> stock(EngineHarness harness) {
    return harness.queues().table("stock", Codec.TEXT, Codec.LONG);
  }

  /** Transactions that committed, calls of their functions, and those of them in vain. */
  private static List<Long> counted(EngineHarness harness) {
    EngineMetrics metrics = harness.engine().metrics();
    return List.of(
        metrics.transactionCount(),
        metrics.transactionCallCount(),
        metrics.transactionConflictCount());
  }

  @ParameterizedTest
  @EachStoreKind
  void metrics_transactionMeetsAnother_callsAndConflictsAreCountedAndOneCommit(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, Long> stock = stock(harness);
    assertThat(counted(harness)).containsExactly(0L, 0L, 0L);
    AtomicInteger calls = new AtomicInteger();

    harness
        .queues()
        .inTransaction(
            tx -> {
              long left = tx.get(stock, "boots").orElse(0L);
              if (calls.incrementAndGet() <= 2) {
                Await.another(() -> stock.put("boots", 10L * calls.get()));
              }
              tx.put(stock, "boots", left + 1);
            })
        .orThrow();

    assertThat(stock.get("boots")).contains(21L);
    assertThat(counted(harness)).containsExactly(1L, 3L, 2L);
    assertThat(harness.engine().metrics().tableRowsPut()).isEqualTo(3);
  }

  @Test
  void metrics_functionThrowsForWhatIsOutdated_isAConflictAndWhatElseItThrowsIsNone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, Long> stock = stock(harness);

    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .transact(
                        tx -> {
                          Optional<Long> seen = tx.get(stock, "boots");
                          if (seen.isEmpty()) {
                            Await.another(() -> stock.put("boots", 1L));
                          }
                          throw new IllegalStateException("seen: " + seen);
                        }))
        .hasMessage("seen: Optional[1]");

    assertThat(counted(harness)).containsExactly(0L, 2L, 1L);
  }

  @Test
  void metrics_nothingHappens_noTransactionAndNoRowIsCounted() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Table<String, Long> stock = stock(harness);
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    lease.complete().orThrow();
    TransactionResult<Integer> stale =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.put(stock, "boots", 1L);
                  tx.complete(lease);
                  return 1;
                });
    assertThat(stale).isEqualTo(new TransactionResult.StaleLease<>(lease.jobId()));
    harness.machine().room(Room.FOR_NONE);

    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .inTransaction(tx -> tx.enqueue(mail(harness).name(), new byte[10_000]))
                    .orThrow())
        .isInstanceOf(StoreFullException.class);

    assertThat(counted(harness)).containsExactly(0L, 2L, 0L);
    assertThat(harness.engine().metrics().tableRowsPut()).isZero();
    harness.machine().room(Room.FOR_ALL);
  }

  @ParameterizedTest
  @EachStoreKind
  void listener_everyChangeOfATransaction_isToldInItsOrder(StoreKind kind) {
    EngineHarness harness = start(kind);
    Lease done = claimNew(harness, "done");
    Lease retried = claimNew(harness, "retried");
    Lease dead = claimNew(harness, "dead");
    Lease released = claimNew(harness, "released");
    Lease snoozed = claimNew(harness, "snoozed");
    Lease buried = claimNew(harness, "buried");
    buried.fail("broken", FailOptions.PERMANENT).orThrow();
    JobId unwanted = enqueue(harness, "unwanted");
    harness.storeLeases();
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    harness.clock().advanceMs(70);

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.complete(done);
              tx.enqueue(mail(harness).name(), new byte[1], TWICE.type("next").priority(-5));
              tx.fail(retried, "broken");
              tx.fail(dead, "broken", FailOptions.PERMANENT);
              tx.release(released);
              tx.snooze(snoozed, ofSeconds(900));
              tx.cancel(unwanted);
              tx.redrive(buried.jobId());
            })
        .orThrow();

    assertThat(told(harness, listening, heard))
        .containsExactly(
            "done COMPLETED 1 by worker ran 75",
            "next ENQUEUED 0 now READY",
            "retried RETRIED 1 by worker ran 75 of broken now DELAYED",
            "dead DIED 1 by worker ran 75 of broken now DEAD",
            "released RELEASED 1 by worker ran 75 now READY",
            "snoozed SNOOZED 1 by worker ran 75 now DELAYED",
            "unwanted CANCELLED 0",
            "buried REDRIVEN 0 now READY");
  }

  @Test
  void listener_transactionWaitsForItsSync_isToldAfterItAndOnce() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease done = claimNew(harness, "done");
    harness.storeLeases();
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);
    harness.store().holdNextSync();

    CompletableFuture<TransactionResult<JobId>> running =
        CompletableFuture.supplyAsync(
            () ->
                harness
                    .queues()
                    .transact(
                        tx -> {
                          tx.complete(done);
                          return tx.enqueue(mail(harness).name(), new byte[1], TWICE.type("next"));
                        }));
    harness.store().awaitHeld();
    assertNotAnswered(harness, running);
    assertThat(heard.texts()).isEmpty();
    harness.store().letGo();

    assertThat(join(running).isDone()).isTrue();
    assertThat(told(harness, listening, heard))
        .containsExactly("done COMPLETED 1 by worker ran 5", "next ENQUEUED 0 now READY");
  }

  @Test
  void listener_oneLeaseIsStale_isToldNothingOfTheRest() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease stale = claimNew(harness, "stale");
    Lease held = claimNew(harness, "held");
    stale.complete().orThrow();
    harness.storeLeases();
    Heard heard = new Heard();
    JobListening listening = harness.queues().listen(heard);

    TransactionResult<Integer> result =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.complete(held);
                  tx.enqueue(mail(harness).name(), new byte[1], TWICE.type("next"));
                  tx.complete(stale);
                  return 1;
                });

    assertThat(result).isEqualTo(new TransactionResult.StaleLease<>(stale.jobId()));
    assertThat(told(harness, listening, heard)).isEmpty();
    assertThat(held.complete().isDone()).isTrue();
  }
}
