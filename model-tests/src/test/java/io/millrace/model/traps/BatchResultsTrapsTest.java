package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.JobOutput;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.UpdateOptions;
import io.millrace.internal.format.TallyKeys;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results that batches keep: in the order of their jobs, and for as long as the batch. */
class BatchResultsTrapsTest extends BatchTrapTest {

  private static List<String> results(EngineHarness harness, BatchId id) {
    return Page.stream(
            page -> harness.queues().batches().results(id, new PageRequest(2, page.cursor())))
        .map(result -> new String(result.result(), UTF_8))
        .toList();
  }

  private static byte[] result(Lease lease) {
    return ("result of " + new String(lease.payload(), UTF_8)).getBytes(UTF_8);
  }

  @ParameterizedTest
  @EachStoreKind
  void results_ofJobsThatEndedInAnyOrder_areInTheOrderOfAdding(StoreKind kind) {
    EngineHarness harness = start(kind);
    Batch batch = Batch.of("b").keepResults();
    for (String payload : List.of("a", "b", "c", "d", "e")) {
      batch.add(MAIL, job(payload));
    }
    BatchId id = begin(harness, batch);
    List<Lease> leases = new ArrayList<>(claim(mail(harness), 5));
    leases.get(3).complete(result(leases.get(3))).orThrow();
    leases.get(0).complete(result(leases.get(0))).orThrow();
    leases.get(2).complete().orThrow();
    leases.get(4).fail("no", DEAD).orThrow();
    harness
        .queues()
        .inTransaction(tx -> tx.complete(leases.get(1), result(leases.get(1))))
        .orThrow();

    assertThat(results(harness, id)).containsExactly("result of a", "result of b", "result of d");
    assertThat(harness.queues().batches().results(id, PageRequest.first(1)).items())
        .extracting(JobOutput::jobId)
        .containsExactly(leases.get(0).jobId());
    assertClean(harness);
    harness.crash();
    assertThat(results(harness, id)).containsExactly("result of a", "result of b", "result of d");
  }

  @ParameterizedTest
  @EachStoreKind
  void results_retentionOfTheBatchPasses_areGoneWithIt(StoreKind kind) {
    EngineHarness harness = start(kind);
    Batch batch = Batch.of("b").keepResults().retention(Duration.ofHours(1));
    int count = 1_200; // more than one step removes
    for (int i = 0; i < count; i++) {
      batch.add(MAIL, job("" + i));
    }
    BatchId id = begin(harness, batch);
    BatchId other = begin(harness, Batch.of("other").keepResults().add(OTHER, job("x")));
    Lease of = claim(harness.queues().queue(OTHER));
    of.complete(result(of)).orThrow();
    for (List<Lease> some = claim(mail(harness), 500);
        !some.isEmpty();
        some = claim(mail(harness), 500)) {
      for (Lease lease : some) {
        lease.complete(result(lease)).orThrow();
      }
    }
    assertThat(results(harness, id)).hasSize(count);

    advance(harness, Duration.ofHours(2));
    await("the batch is gone", () -> harness.queues().batches().get(id).isEmpty());

    assertThatThrownBy(() -> results(harness, id)).isInstanceOf(NoSuchBatchException.class);
    assertThat(results(harness, other)).containsExactly("result of x");
    assertClean(harness);
    harness.crash();
    assertClean(harness);
  }

  @Test
  void results_ofABatchThatKeepsNone_areNone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, Batch.of("b").add(MAIL, job("a")));
    Lease lease = claim(mail(harness));
    lease.complete(result(lease)).orThrow();

    assertThat(results(harness, id)).isEmpty();
    assertThatThrownBy(() -> results(harness, new BatchId(1_000)))
        .isInstanceOf(NoSuchBatchException.class);
  }

  /** The ids of jobs do not tell where they are by now, nor what has become of their priority. */
  @Test
  void results_ofJobsThatWereMovedAboutAndChanged_areOfTheIdsThatWereTold() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = open(harness, Batch.of("b").keepResults());
    JobQueue mail = mail(harness);
    List<JobId> ids =
        List.of(
            enqueue(mail, "delayed", in(id).delay(Duration.ofHours(1))),
            enqueue(mail, "urgent", in(id).priority(5)),
            enqueue(mail, "first of its key", in(id).concurrencyKey("key")),
            enqueue(mail, "blocked", in(id).concurrencyKey("key")),
            enqueue(mail, "dies", in(id)),
            harness.queues().transact(tx -> tx.enqueue(MAIL, new byte[1], in(id))).orThrow());
    UpdateOptions calmly = UpdateOptions.NOTHING.priority(-3);
    harness.queues().update(ids.get(0), calmly).orThrow();
    harness.queues().update(ids.get(1), calmly).orThrow();
    for (int round = 0; round < 2; round++) {
      for (Lease lease : claim(mail, 9)) {
        if (payload(lease).equals("dies")) {
          lease.fail("no", DEAD).orThrow();
        } else {
          // Whoever names the lease knows less of the job than who was granted it.
          harness.queues().lease(lease.jobId(), lease.token()).complete(result(lease)).orThrow();
        }
      }
    }
    mail.deadLetters().redrive(ids.get(4)).orThrow();
    harness.restartCleanly();
    pass(harness, Duration.ofHours(1));
    for (Lease lease : claim(mail(harness), 9)) {
      lease.complete(result(lease)).orThrow();
    }

    assertThat(harness.queues().batches().results(id, PageRequest.first(9)).items())
        .extracting(JobOutput::jobId)
        .containsExactlyElementsOf(ids);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void results_asLongAsMayBe_areInPagesThatFitIntoACall(StoreKind kind) {
    EngineHarness harness = start(kind);
    int count = 40;
    Batch batch = Batch.of("b").keepResults().retention(Duration.ofHours(1));
    Collections.nCopies(count, job("x")).forEach(job -> batch.add(MAIL, job));
    BatchId id = begin(harness, batch);
    byte[] result = new byte[Limits.RESULT_BYTES_MAX];
    for (Lease lease : claim(mail(harness), count)) {
      result[0]++;
      lease.complete(result).orThrow();
    }

    Page<JobOutput> first = harness.queues().batches().results(id, PageRequest.first(1_000));
    assertThat(first.items()).hasSize(Limits.CALL_BYTES_MAX / Limits.RESULT_BYTES_MAX);
    assertThat(Page.stream(page -> harness.queues().batches().results(id, page)))
        .extracting(output -> (int) output.result()[0])
        .containsExactlyElementsOf(IntStream.rangeClosed(1, count).boxed().toList());
    pass(harness, Duration.ofHours(2));
    await("the batch is gone", () -> harness.queues().batches().get(id).isEmpty());
    assertThat(resultCount(harness)).isZero();
    assertClean(harness);
  }

  private static int resultCount(EngineHarness harness) {
    try (ReadView view = harness.store().read()) {
      return view.scan(
          TallyKeys.resultsStart(),
          TallyKeys.resultsEnd(),
          Integer.MAX_VALUE,
          (key, value) -> true);
    }
  }

  private static BatchId ended(EngineHarness harness, int count) {
    Batch batch = Batch.of("b").keepResults().retention(Duration.ofHours(1));
    Collections.nCopies(count, job("x")).forEach(job -> batch.add(MAIL, job));
    BatchId id = begin(harness, batch);
    for (List<Lease> some = claim(mail(harness), 1_000);
        !some.isEmpty();
        some = claim(mail(harness), 1_000)) {
      some.stream()
          .map(lease -> lease.completeAsync(result(lease)))
          .toList()
          .forEach(done -> join(done).orThrow());
    }
    assertThat(resultCount(harness)).isEqualTo(count);
    return id;
  }

  /** The process dies between the steps of a store that takes little at once. */
  @ParameterizedTest
  @EachStoreKind
  void removal_processDiesBetweenItsSteps_goesOnUntilNothingIsLeft(StoreKind kind)
      throws Exception {
    AtomicInteger operationCountMax = new AtomicInteger(131_072);
    EngineHarness harness = startTaking(kind, operationCountMax);
    int count = 10_000;
    BatchId id = ended(harness, count);
    operationCountMax.set(1_000);
    harness.restartCleanly();

    harness.store().holdNextWrite();
    harness.clock().advanceMs(Duration.ofHours(2).toMillis());
    harness.store().awaitHeld();
    for (int step = 0; step < 5; step++) {
      harness.store().letGoUntilWrite();
      harness.store().awaitHeld();
    }
    assertThat(resultCount(harness)).isPositive().isLessThan(count);
    assertThat(harness.queues().batches().get(id)).isPresent();
    harness.crash();
    assertClean(harness);

    harness.awaitNothingDue();
    assertThat(harness.queues().batches().get(id)).isEmpty();
    assertThat(resultCount(harness)).isZero();
    assertClean(harness);
  }

  private EngineHarness startTaking(StoreKind kind, AtomicInteger operationCountMax) {
    StoreFactory factory =
        ForwardingStore.factory(
            kind.newFactory(),
            sound ->
                new ForwardingStore(sound) {
                  @Override
                  public StoreInfo info() {
                    return store.info().batchOperationsMax(operationCountMax.get());
                  }
                });
    return started(new EngineHarness(factory, folder.resolve("store"), Setup.DEFAULT::options));
  }

  @ParameterizedTest
  @CsvSource({"BEFORE, 0", "AFTER, 0", "BEFORE, 1", "AFTER, 1", "BEFORE, 4", "AFTER, 4"})
  void removal_aStepFails_leavesNoResult(Fault fault, int stepsBefore) throws Exception {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = ended(harness, 3_000);
    BatchId other = begin(harness, Batch.of("other").keepResults().add(OTHER, job("x")));
    Lease of = claim(harness.queues().queue(OTHER));
    of.complete(result(of)).orThrow();

    harness.store().holdNextWrite();
    harness.clock().advanceMs(Duration.ofHours(2).toMillis());
    harness.store().awaitHeld();
    for (int i = 0; i < stepsBefore; i++) {
      harness.store().letGoUntilWrite();
      harness.store().awaitHeld();
    }
    harness.machine().failNext(StoreCall.WRITE, fault);
    harness.store().letGo();
    await("the engine has failed", () -> harness.engine().poison().isPresent());
    harness.recover();

    await("the batch is gone", () -> harness.queues().batches().get(id).isEmpty());
    assertThat(results(harness, other)).containsExactly("result of x");
    assertThat(resultCount(harness)).isOne();
    assertClean(harness);
  }
}
