package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.api.TransactionResult.Refused;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What a transaction refuses: then nothing of it happens. */
@Tag("calls")
class TransactionRefusalTrapsTest extends TrapTest {

  private static final QueueName SHIP = QueueName.of("ship");

  private static JobQueue ship(EngineHarness harness) {
    return harness.queues().queue(SHIP);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_queueIsFullOrDraining_nothingHappensAndTheResultSaysWhy(StoreKind kind) {
    EngineHarness harness = start(kind);
    ship(harness).configure(settings -> settings.depthMax(2));
    enqueue(ship(harness), "there");
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));

    TransactionResult<Boolean> full =
        harness
            .queues()
            .inTransaction(
                tx -> {
                  tx.complete(lease);
                  tx.enqueue(SHIP, bytes("fits"));
                  tx.enqueue(SHIP, bytes("does not"));
                });
    assertThat(ship(harness).drain(Duration.ZERO)).isNotNull();
    TransactionResult<JobId> draining =
        harness.queues().transact(tx -> tx.enqueue(SHIP, bytes("one")));

    assertThat(full).isEqualTo(new Refused<Boolean>(new EnqueueResult.QueueFull(SHIP, 2)));
    assertThatThrownBy(full::orThrow)
        .isInstanceOf(EnqueueRefusedException.class)
        .hasMessageContaining("queue is full");
    assertThat(draining).isEqualTo(new Refused<JobId>(new EnqueueResult.Draining(SHIP)));
    assertThat(peek(ship(harness), JobState.READY)).containsExactly("there");
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void transact_roomIsMadeByAnEarlierOperation_theJobFits() {
    EngineHarness harness = start(StoreKind.MEMORY);
    ship(harness).configure(settings -> settings.depthMax(1));
    JobId there = enqueue(ship(harness), "there");

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.cancel(there);
              tx.enqueue(SHIP, bytes("in its place"));
            })
        .orThrow();

    assertThat(peek(ship(harness), JobState.READY)).containsExactly("in its place");
    assertClean(harness);
  }

  @Test
  void transaction_tooManyOperationsOrBytes_isRefusedWhenItIsAsked() {
    EngineHarness harness = start(StoreKind.MEMORY);
    byte[] half = new byte[Limits.PAYLOAD_BYTES_MAX];

    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .inTransaction(
                        tx -> {
                          for (int i = 0; i <= Limits.TRANSACTION_OPERATION_COUNT_MAX; i++) {
                            tx.enqueue(SHIP, new byte[0]);
                          }
                        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "number of operations in the transaction is out of range: value=11001, least=1,"
                + " most=11000");
    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .inTransaction(
                        tx -> {
                          tx.enqueue(SHIP, half);
                          tx.enqueue(SHIP, half);
                          tx.enqueue(SHIP, new byte[1]);
                        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in the transaction in bytes is out of range: value=33554433");

    assertThat(ship(harness).stats()).isEmpty();
  }

  @Test
  void transaction_oneLeaseEndedTwice_isTheCallersMistake() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));

    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .inTransaction(
                        tx -> {
                          tx.complete(lease);
                          tx.release(lease);
                        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a lease of the job is ended in this transaction already")
        .hasMessageContaining("job=" + id);

    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void transaction_endOfALeaseIsOneOperationTooMany_leaseIsNotEnded() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    Table<Long, byte[]> rows = harness.queues().table("rows", Codec.LONG, Codec.BYTES);

    harness
        .queues()
        .inTransaction(
            tx -> {
              for (long i = 0; i < Limits.TRANSACTION_OPERATION_COUNT_MAX; i++) {
                tx.put(rows, i, new byte[0]);
              }
              assertThatThrownBy(() -> tx.complete(lease))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("number of operations in the transaction");
            })
        .orThrow();
    lease.close();

    assertThat(rows.count()).isEqualTo(Limits.TRANSACTION_OPERATION_COUNT_MAX);
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DELAYED);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_functionThrowsAndItsRowsCannotBeReadAgain_whatItThrewComesOut(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<Long, byte[]> rows = harness.queues().table("rows", Codec.LONG, Codec.BYTES);
    IllegalStateException mine = new IllegalStateException("mine");

    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .transact(
                        tx -> {
                          assertThat(tx.get(rows, 1L)).isEmpty();
                          harness.queues().close();
                          throw mine;
                        }))
        .isSameAs(mine);

    assertThat(mine.getSuppressed()).hasOnlyElementsOfType(EngineClosedException.class);
    assertThat(mine.getSuppressed()).hasSize(1);
  }

  @Test
  void transaction_usedAfterItsFunctionOrByAnotherThread_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    AtomicReference<Transaction> kept = new AtomicReference<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              kept.set(tx);
              CompletableFuture<JobId> elsewhere =
                  CompletableFuture.supplyAsync(() -> tx.enqueue(SHIP, bytes("x")));
              assertThatThrownBy(elsewhere::join).hasCauseInstanceOf(IllegalStateException.class);
            })
        .orThrow();

    assertThatThrownBy(() -> kept.get().enqueue(SHIP, bytes("late")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("transaction is over");
    assertThat(ship(harness).stats()).isEmpty();
  }

  @Test
  void transact_interruptedWhileItAsksForAnId_nothingHappenedAndTheCallerIsToldSo()
      throws Exception {
    EngineHarness harness = start(StoreKind.MEMORY);
    harness.store().holdNextWrite();
    CompletableFuture<EnqueueResult> before =
        mail(harness).offerAsync(bytes("before"), EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () ->
                thrown.complete(
                    catchThrowable(
                        () -> harness.queues().inTransaction(tx -> tx.enqueue(SHIP, bytes("x"))))));

    caller.start();
    awaitRingDepth(harness, 1);
    caller.interrupt();

    assertThat(join(thrown))
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessageContaining("no id was told for a job or a batch of a transaction")
        .hasMessageContaining("nothing of it happened: queue=ship")
        .hasCauseInstanceOf(OutcomeUnknownException.class);
    harness.store().letGo();
    assertThat(join(before).isDone()).isTrue();
    assertThat(ship(harness).stats()).isEmpty();
    assertClean(harness);
  }

  @Test
  void transaction_scanOfMoreBytesThanACallMayHave_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<Long, byte[]> pages = harness.queues().table("pages", Codec.LONG, Codec.BYTES);
    for (long i = 0; i < 40; i++) {
      pages.put(i, new byte[Limits.TABLE_VALUE_BYTES_MAX]);
    }

    assertThatThrownBy(() -> harness.queues().transact(tx -> tx.scan(pages, TableRange.all(), 40)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length of all rows of a scan in bytes is out of range: value=")
        .hasMessageContaining("most=33554432");
    assertThat(harness.queues().transact(tx -> tx.scan(pages, TableRange.all(), 31)).orThrow())
        .hasSize(31);
  }

  @Test
  void transact_insideAnother_isRefusedAndTheOuterOneGoesOn() {
    EngineHarness harness = start(StoreKind.MEMORY);

    harness
        .queues()
        .inTransaction(
            tx -> {
              assertThatThrownBy(() -> harness.queues().transact(inner -> 1))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("use the calls of the transaction");
              tx.enqueue(SHIP, bytes("send"));
            })
        .orThrow();

    assertThat(peek(ship(harness), JobState.READY)).containsExactly("send");
  }
}
