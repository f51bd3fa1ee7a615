package io.millrace.model.traps;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchReader;
import io.millrace.api.BatchStats;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueResult.BatchOver;
import io.millrace.api.JobId;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.Wake;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What is told of batches, and for how long. */
class BatchKeptTrapsTest extends BatchTrapTest {

  private static final Duration KEPT = ofMinutes(10);

  private static BatchReader batches(EngineHarness harness) {
    return harness.queues().batches();
  }

  private static List<BatchId> listed(BatchReader batches) {
    return Page.stream(batches::list).map(BatchStats::id).toList();
  }

  private static Batch kept(String... payloads) {
    return watched(payloads).retention(KEPT);
  }

  private static void assertGone(EngineHarness harness, BatchId id) {
    assertThat(batches(harness).get(id)).isEmpty();
    assertThat(listed(batches(harness))).doesNotContain(id);
    assertThatThrownBy(() -> harness.queues().batches().seal(id))
        .isInstanceOf(NoSuchBatchException.class);
    assertThatThrownBy(() -> harness.queues().batches().cancel(id))
        .isInstanceOf(NoSuchBatchException.class);
    assertThat(mail(harness).offer(new byte[1], in(id))).isEqualTo(new BatchOver(MAIL, id));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void retention_passed_nothingOfTheBatchIsLeft(StoreKind kind) {
    EngineHarness harness = start(kind, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    cycle(harness);
    long rowCount = harness.store().rowCount();
    for (int i = 0; i < 20; i++) {
      cycle(harness);
    }
    assertThat(harness.store().rowCount()).isEqualTo(rowCount);
    assertThat(listed(batches(harness))).isEmpty();
    assertClean(harness);
  }

  private static void cycle(EngineHarness harness) {
    BatchId id = begin(harness, kept("a", "b").add(OTHER, job("c")));
    completeAll(harness, mail(harness), 2);
    claim(harness.queues().queue(OTHER)).complete().orThrow();
    completeAll(harness, after(harness), 2);
    pass(harness, KEPT.minusMillis(1));
    assertFigures(harness, id, "succeeded=3 over");
    pass(harness, ofMillis(1));
    assertThat(batches(harness).get(id)).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void retention_passesWhileTheEngineIsClosed_batchIsGoneAfterOpening(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, kept("a"));
    BatchId going = begin(harness, kept("b"));
    claim(mail(harness)).complete().orThrow();
    harness.engine().close();
    harness.clock().advanceMs(KEPT.toMillis());

    harness.openAgain();
    harness.awaitNothingDue();

    assertFigures(harness, going, "left=1 not over");
    assertThat(listed(batches(harness))).containsExactly(going);
    claim(mail(harness)).complete().orThrow();
    pass(harness, KEPT);
    assertGone(harness, id);
    assertGone(harness, going);
  }

  @Test
  void retention_ofTheDefault_isSevenDays() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, Batch.of("b"));

    pass(harness, ofDays(7).minusMillis(1));
    assertFigures(harness, id, "over");
    pass(harness, ofMillis(1));

    assertGone(harness, id);
  }

  @ParameterizedTest
  @EachStoreKind
  void retention_ofZero_isGoneWithItsEndAndWhatComesAfterComes(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a").retention(ZERO));
    pass(harness, ofMinutes(1));
    assertFigures(harness, id, "left=1 not over");

    claim(mail(harness)).complete().orThrow();

    assertAllSucceeded(harness);
    harness.awaitNothingDue();
    assertGone(harness, id);
    harness.crash();
    assertGone(harness, id);
    assertAllSucceeded(harness);
    assertThat(claim(after(harness)).wake()).isEqualTo(new Wake.AfterBatch(id));
  }

  /** The inner one says of what it was a job, and stays as it was. */
  @Test
  void retention_ofTheOuterBatchPasses_innerOneIsKeptForItsOwn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId outer = open(harness, Batch.of("outer").retention(ZERO));
    BatchId inner = begin(harness, kept("a").within(outer));
    harness.queues().batches().seal(outer);

    claim(mail(harness)).complete().orThrow();
    harness.awaitNothingDue();

    assertGone(harness, outer);
    assertThat(stats(harness, inner).outer()).contains(outer);
    assertFigures(harness, inner, "succeeded=1 over");
    harness.crash();
    assertClean(harness);
    pass(harness, KEPT);
    assertGone(harness, inner);
  }

  @Test
  void retention_ofABatchThatIsNotOver_doesNotBegin() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId running = begin(harness, kept("a"));
    BatchId open = open(harness, Batch.of("open").retention(ZERO));

    pass(harness, ofDays(100));

    assertFigures(harness, running, "left=1 not over");
    assertFigures(harness, open, "not over");
    claim(mail(harness)).complete().orThrow();
    pass(harness, KEPT.minusMillis(1));
    assertFigures(harness, running, "succeeded=1 over");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void retention_withDeadLetters_beginsWhenTheLastIsGone(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, kept("a", "b"));
    List<JobId> ids = jobs(harness, id);
    assertThat(harness.queues().failAll(claim(mail(harness), 2), "broken", DEAD)).hasSize(2);
    pass(harness, ofDays(30));
    assertFigures(harness, id, "dead=2 over");
    assertThat(mail(harness).deadLetters().delete(ids.get(0))).isTrue();
    pass(harness, ofDays(30));
    assertFigures(harness, id, "dead=1 failed=1 over");
    assertAnyDied(harness);

    assertThat(mail(harness).deadLetters().delete(ids.get(1))).isTrue();

    assertAfter(harness, List.of(DONE, ANY_DIED), List.of());
    pass(harness, KEPT.minusMillis(1));
    assertFigures(harness, id, "failed=2 over");
    pass(harness, ofMillis(1));
    assertGone(harness, id);
  }

  /** The batch had been over without dead letters before a kept result could bring it back. */
  @Test
  void retention_ofARedrivenBatch_beginsWithItsLastEnd() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, kept("a"));
    JobId dead = onlyJob(harness, id);
    claim(mail(harness)).fail("broken", DEAD).orThrow();
    pass(harness, KEPT);
    mail(harness).deadLetters().redrive(dead).orThrow();
    pass(harness, KEPT);
    assertFigures(harness, id, "left=1 not over");

    claim(mail(harness)).complete().orThrow();

    pass(harness, KEPT.minusMillis(1));
    assertFigures(harness, id, "succeeded=1 over");
    pass(harness, ofMillis(1));
    assertGone(harness, id);
  }

  /** Jobs that are kept for their results outlive their batch. */
  @Test
  void result_keptLongerThanTheBatch_isReadAndSweptWithoutIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id =
        begin(harness, kept().add(MAIL, job("a", PLAIN.resultRetention(KEPT.multipliedBy(2)))));
    JobId done = onlyJob(harness, id);
    claim(mail(harness)).complete(new byte[5]).orThrow();
    pass(harness, KEPT);
    assertGone(harness, id);

    assertThat(job(harness.queues(), done).result()).hasValue(new byte[5]);
    assertThat(job(harness.queues(), done).batch()).hasValue(id);
    assertThat(jobs(harness, id)).containsExactly(done);
    harness.crash();
    assertClean(harness);

    pass(harness, KEPT);

    assertThat(harness.queues().get(done)).isEmpty();
    assertGone(harness, id);
  }

  /** A kept result that is swept, purged or deleted has been counted long before. */
  @Test
  void result_sweptBeforeItsBatch_countsAsSucceeded() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id =
        begin(harness, kept("last").add(MAIL, job("a", PLAIN.resultRetention(ofMinutes(1)))));
    List<Lease> leases = claim(mail(harness), 2);
    leases.get(1).complete(new byte[5]).orThrow();
    assertFigures(harness, id, "left=1 running=1 succeeded=1 not over");
    pass(harness, ofMinutes(1));
    assertFigures(harness, id, "left=1 succeeded=1 not over");

    claim(mail(harness)).complete().orThrow();

    assertFigures(harness, id, "succeeded=2 over");
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void running_countsTheLeasesOfNow(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a", "b", "c"));
    BatchId other = begin(harness, Batch.of("other").add(OTHER, job("d")));
    List<Lease> leases = claim(mail(harness), 3);
    assertFigures(harness, id, "left=3 running=3 not over");
    assertFigures(harness, other, "left=1 not over");
    leases.get(0).release().orThrow();
    assertFigures(harness, id, "left=3 running=2 not over");
    leases.get(1).complete().orThrow();
    assertFigures(harness, id, "left=2 running=1 succeeded=1 not over");
    harness.storeLeases();
    assertThat(batches(harness).list(PageRequest.first(9)).items())
        .extracting(BatchStats::running)
        .containsExactly(1L, 0L);
    pass(harness, LEASE_OVER);
    awaitJob(harness, leases.get(2).jobId(), JobState.READY, 1);
    assertFigures(harness, id, "left=2 succeeded=1 not over");
    claim(mail(harness));
    harness.storeLeases();
    assertFigures(harness, id, "left=2 running=1 succeeded=1 not over");

    harness.crash();

    assertFigures(harness, id, "left=2 succeeded=1 not over");
    assertThat(claim(mail(harness), 9)).hasSize(2);
    assertFigures(harness, id, "left=2 running=2 succeeded=1 not over");
    assertClean(harness);
  }

  @Test
  void running_afterACrashWithLeasesHonoured_countsThem() {
    EngineHarness harness =
        start(StoreKind.FAULTY, Setup.DEFAULT.withLeasesAtOpen(LeasesAtOpen.HONOUR));
    BatchId id = begin(harness, watched("a", "b"));
    assertThat(claim(mail(harness), 2)).hasSize(2);
    harness.storeLeases();

    harness.crash();

    assertFigures(harness, id, "left=2 running=2 not over");
    pass(harness, LEASE_OVER);
    await("the leases have ended", () -> stats(harness, id).running() == 0);
    assertFigures(harness, id, "left=2 not over");
    assertClean(harness);
  }

  /** A batch is not over while the last of its jobs is tried once more. */
  @ParameterizedTest
  @EachStoreKind
  void leaseExpiry_withAttemptsLeft_countsNothing(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched().add(MAIL, job("a", PLAIN.maxAttempts(2))));
    JobId last = onlyJob(harness, id);
    Lease first = claim(mail(harness));
    harness.storeLeases();
    pass(harness, LEASE_OVER);
    awaitJob(harness, last, JobState.READY, 1);
    assertNothingAfter(harness);
    assertThat(first.complete().isDone()).isFalse();
    assertFigures(harness, id, "left=1 not over");
    claim(mail(harness));
    harness.storeLeases();

    harness.crash();
    harness.awaitNothingDue();

    awaitJob(harness, last, JobState.DEAD, 2);
    assertFigures(harness, id, "dead=1 over");
    assertAnyDied(harness);
    assertClean(harness);
  }

  @Test
  void list_ofManyBatches_isPagedInTheirOrder() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<BatchId> ids = new ArrayList<>();
    for (int i = 0; i < 450; i++) {
      ids.add(begin(harness, Batch.of("same name").add(MAIL, job("a"))));
    }

    assertThat(listed(batches(harness))).isEqualTo(ids);
    Page<BatchStats> first = batches(harness).list(PageRequest.first(7));
    assertThat(first.items()).extracting(BatchStats::id).isEqualTo(ids.subList(0, 7));
    completeAll(harness, mail(harness), 10);
    pass(harness, Batch.RETENTION_DEFAULT);
    Page<BatchStats> second =
        batches(harness).list(PageRequest.after(first.next().orElseThrow(), 1_000));
    assertThat(second.items()).extracting(BatchStats::id).isEqualTo(ids.subList(10, 450));
    assertThat(second.next()).isEmpty();
    assertThat(batches(harness).list(PageRequest.first(450)).items()).hasSize(440);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batches(harness).list(PageRequest.after("nonsense", 10)));
    String queues = harness.queues().queues(PageRequest.first(1)).next().orElse("00");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batches(harness).list(PageRequest.after(queues, 10)));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.LMDB, StoreKind.ROCKSDB})
  void inspect_ofAClosedStore_tellsTheSameButThatNobodyRuns(StoreKind kind) {
    EngineHarness harness = start(kind, Setup.DEFAULT.withLeasesAtOpen(LeasesAtOpen.HONOUR));
    BatchId id = begin(harness, watched("a", "b"));
    BatchId open = open(harness, Batch.of("open"));
    claim(mail(harness)).complete().orThrow();
    claim(mail(harness));
    harness.storeLeases();
    BatchStats before = stats(harness, id);
    assertThat(before.running()).isEqualTo(1);
    harness.engine().close();

    String scheme = kind.name().toLowerCase(Locale.ROOT);
    try (JobReader reader = JobEngine.inspect(scheme + ":" + folder.resolve("store"))) {
      BatchStats stored = reader.batches().get(id).orElseThrow();
      assertThat(stored.running()).isZero();
      assertThat(stored).usingRecursiveComparison().ignoringFields("running").isEqualTo(before);
      assertThat(listed(reader.batches())).containsExactly(id, open);
      assertThat(reader.batches().get(new BatchId(123))).isEmpty();
      assertThat(reader.verify().isClean()).isTrue();
    }
  }

  @Test
  void durabilityOfAHandle_changesNothingOfWhatIsTold() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = watched("a").start(harness.queues().with(Durability.BUFFERED));
    BatchId synced = Batch.of("synced").start(harness.queues().with(Durability.SYNCED));
    assertFigures(harness, id, "left=1 not over");

    harness.losePower();

    assertFigures(harness, synced, "over");
    assertFigures(harness, id, "left=1 not over");
    assertClean(harness);
  }
}
