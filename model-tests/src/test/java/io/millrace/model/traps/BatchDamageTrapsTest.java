package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged rows of batches and of what belongs to them: the rest goes on, and ends. */
@InProcess("damaged rows of the store, whoever calls")
class BatchDamageTrapsTest extends BatchTrapTest {

  private static final int BIT = 70;

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int BATCH_COUNT = 10;
  private static final int JOB_COUNT = 200;

  private static List<BatchId> listed(EngineHarness harness) {
    return harness.queues().batches().list(PageRequest.first(1_000)).items().stream()
        .map(BatchStats::id)
        .toList();
  }

  /** Closes the engine, damages the row and opens it again. */
  private void damage(EngineHarness harness, byte[] key) {
    harness.machine().flipBit(folder.resolve("store"), key, BIT);
    harness.openAgain();
    harness.awaitNothingDue();
  }

  /** The keys of the keyspace in the store of an engine that is closed. */
  private List<byte[]> keys(EngineHarness harness, Keyspace keyspace) {
    StoreOptions options =
        StoreOptions.of(folder.resolve("store")).access(StoreOptions.Access.READ_ONLY);
    List<byte[]> keys = new ArrayList<>();
    try (OrderedStore store = harness.machine().open(options);
        ReadView view = store.read()) {
      view.scan(
          keyspace.start(),
          keyspace.end(),
          Integer.MAX_VALUE,
          (key, value) -> keys.add(key.clone()));
    }
    return keys;
  }

  /** Damages the only record of the keyspace that is of no follower, and has it found. */
  private void damageChild(EngineHarness harness, Keyspace keyspace) {
    harness.engine().close();
    List<byte[]> children =
        keys(harness, keyspace).stream()
            .filter(key -> keyspace != Keyspace.WAITING || !isOfFollower(key))
            .toList();
    assertThat(children).hasSize(1);
    damage(harness, children.get(0));
    find(harness);
  }

  private static boolean isOfFollower(byte[] key) {
    return TallyKeys.isSignal(WaitingKeys.signal(key));
  }

  /** Has a damaged row found that nobody has come upon, and what follows from that done. */
  private static void find(EngineHarness harness) {
    assertThat(harness.queues().verify()).isNotNull();
    pokeTwice(harness);
    harness.awaitNothingDue();
  }

  private static void assertWhole(EngineHarness harness) {
    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(harness.engine().poison()).isEmpty();
  }

  /** The batch has lost a job, and nothing else is left: what comes after it has come. */
  private static void assertLost(EngineHarness harness, BatchId id, String figures) {
    assertFigures(harness, id, figures);
    assertAfter(harness, List.of(DONE), List.of());
    assertWhole(harness);
  }

  @Test
  void batchWithResults_isDamaged_keepsThemAndRemovesThemInTheEnd() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id =
        begin(harness, Batch.of("b").keepResults().add(MAIL, job("a")).add(MAIL, job("b")));
    claim(mail(harness)).complete(new byte[] {7}).orThrow();
    harness.engine().close();
    damage(harness, TallyKeys.key(id.value()));
    find(harness);

    claim(mail(harness)).complete(new byte[] {8}).orThrow();
    assertThat(harness.queues().batches().results(id, PageRequest.first(9)).items())
        .extracting(each -> each.result()[0])
        .containsExactly((byte) 7, (byte) 8);
    assertWhole(harness);
    advance(harness, Batch.RETENTION_DEFAULT.plusDays(1));
    await("the batch is gone", () -> harness.queues().batches().get(id).isEmpty());
    assertWhole(harness);
  }

  @Test
  void batch_isDamaged_isToldAndMadeAnewWhileOthersGoOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId damaged = begin(harness, Batch.of("damaged").add(MAIL, job("a")).add(MAIL, job("b")));
    BatchId sound = begin(harness, watched("c"));
    harness.engine().close();
    damage(harness, TallyKeys.key(damaged.value()));

    assertThat(listed(harness)).containsExactly(sound);
    assertThatThrownBy(() -> harness.queues().batches().get(damaged))
        .isInstanceOf(CorruptDataException.class);
    assertFigures(harness, sound, "left=1 not over");

    pokeTwice(harness);
    harness.awaitNothingDue();
    assertFigures(harness, damaged, "left=2 lost=1 not over");
    assertThat(stats(harness, damaged).name()).isEmpty();
    List<Lease> leases = claim(mail(harness), 9);
    assertThat(payloads(leases)).containsExactly("a", "b", "c");
    leases.forEach(lease -> assertThat(lease.complete().isDone()).isTrue());
    assertFigures(harness, damaged, "succeeded=2 lost=1 over");
    assertFigures(harness, sound, "succeeded=1 over");
    assertAllSucceeded(harness);
    harness.crash();
    assertFigures(harness, sound, "succeeded=1 over");
    assertThat(listed(harness)).containsExactly(damaged, sound);
    assertWhole(harness);
  }

  @Test
  void watchedBatch_isDamaged_whatComesAfterItComesOnceAsIfAJobWasLost() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a", "b", "c"));
    claim(mail(harness)).complete().orThrow();
    claim(mail(harness)).fail("broken", DEAD).orThrow();
    harness.engine().close();
    damage(harness, TallyKeys.key(id.value()));
    find(harness);

    assertFigures(harness, id, "left=1 dead=1 lost=1 not over");
    assertNothingAfter(harness);
    claim(mail(harness)).complete().orThrow();

    assertFigures(harness, id, "succeeded=1 dead=1 lost=1 over");
    assertAnyDied(harness);
    JobId dead = jobs(harness, id).get(0);
    mail(harness).deadLetters().redrive(dead).orThrow();
    claim(mail(harness)).complete().orThrow();
    assertFigures(harness, id, "succeeded=2 lost=1 over");
    assertAfter(harness, List.of(DONE, ANY_DIED), List.of());
    assertWhole(harness);
  }

  @Test
  void watchedBatch_isDamagedWhenAllHaveEnded_isOverAtOnce() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = open(harness, watched("a"));
    claim(mail(harness)).complete().orThrow();
    harness.engine().close();
    damage(harness, TallyKeys.key(id.value()));
    CompletableFuture<BatchStats> end = harness.queues().batches().await(id);
    find(harness);

    assertThat(end)
        .failsWithin(SOON)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(CorruptDataException.class);
    assertThat(harness.queues().batches().await(id)).succeedsWithin(SOON);
    assertLost(harness, id, "lost=1 over");
  }

  @Test
  void innerBatch_isDamaged_outerOneLosesIt() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId outer = begin(harness, watched("a"));
    BatchId inner = open(harness, Batch.of("inner").within(outer).add(OTHER, job("b")));
    assertFigures(harness, outer, "left=2 not over");
    harness.engine().close();
    damage(harness, TallyKeys.key(inner.value()));
    find(harness);

    assertFigures(harness, outer, "left=1 lost=1 not over");
    claim(mail(harness)).complete().orThrow();
    claim(harness.queues().queue(OTHER)).complete().orThrow();
    assertFigures(harness, inner, "succeeded=1 lost=1 over");
    assertLost(harness, outer, "succeeded=1 lost=1 over");
  }

  @Test
  void lastJobOfAnInnerBatch_isDamaged_bothAreOver() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId outer = begin(harness, watched());
    BatchId id = open(harness, watched());
    assertFigures(harness, outer, "over");
    BatchId inner = begin(harness, Batch.of("inner").within(id).add(MAIL, job("a")));
    harness.queues().batches().seal(id);
    pass(harness, Duration.ofMillis(1));
    claim(after(harness), 9).forEach(lease -> lease.complete().orThrow());
    damageChild(harness, Keyspace.READY);

    assertFigures(harness, inner, "lost=1 over");
    assertLost(harness, id, "lost=1 over");
  }

  @Test
  void readyJob_isDamaged_isLostAndTheBatchEnds() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a"));
    damageChild(harness, Keyspace.READY);

    assertLost(harness, id, "lost=1 over");
  }

  @Test
  void readyJob_isDamagedAndClaimed_isLostWithTheOthersDone() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a", "b", "c"));
    harness.engine().close();
    damage(harness, keys(harness, Keyspace.READY).get(1));

    completeAll(harness, mail(harness), 2);
    harness.awaitNothingDue();

    assertLost(harness, id, "succeeded=2 lost=1 over");
  }

  @Test
  void delayedJob_isDamaged_isLostAndTheBatchEnds() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id =
        begin(harness, watched("a").add(OTHER, job("b", PLAIN.delay(Duration.ofHours(1)))));
    damageChild(harness, Keyspace.DELAYED);

    assertFigures(harness, id, "left=1 lost=1 not over");
    claim(mail(harness)).complete().orThrow();
    assertLost(harness, id, "succeeded=1 lost=1 over");
  }

  @Test
  void waitingJob_isDamaged_isLostAndTheBatchEnds() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a"));
    claim(mail(harness)).waitFor("signal").orThrow();
    damageChild(harness, Keyspace.WAITING);

    assertLost(harness, id, "lost=1 over");
  }

  @Test
  void blockedJob_isDamaged_isLostAndTheBatchEnds() {
    EngineHarness harness = start(StoreKind.FAULTY);
    EnqueueOptions keyed = PLAIN.concurrencyKey("key");
    BatchId id = begin(harness, watched().add(MAIL, job("a", keyed)).add(MAIL, job("b", keyed)));
    damageChild(harness, Keyspace.BLOCKED);

    claim(mail(harness)).complete().orThrow();
    assertLost(harness, id, "succeeded=1 lost=1 over");
  }

  @Test
  void deadJob_isDamaged_isLostAndTheBatchIsFinal() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a"));
    claim(mail(harness)).fail("broken", DEAD).orThrow();
    assertAnyDied(harness);
    damageChild(harness, Keyspace.DEAD);

    assertFigures(harness, id, "lost=1 over");
    assertAfter(harness, List.of(DONE, ANY_DIED), List.of());
    assertWhole(harness);
    pass(harness, Batch.RETENTION_DEFAULT);
    assertThat(harness.queues().batches().get(id)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(LeasesAtOpen.class)
  void leasedJob_isDamaged_isLostAndTheBatchEnds(LeasesAtOpen leases) {
    EngineHarness harness = start(StoreKind.FAULTY, Setup.DEFAULT.withLeasesAtOpen(leases));
    BatchId id = begin(harness, watched("a", "b"));
    assertThat(claim(mail(harness), 2)).hasSize(2);
    harness.storeLeases();
    harness.engine().close();
    damage(harness, keys(harness, Keyspace.READY).get(1));
    find(harness);

    pass(harness, LEASE_OVER);
    pass(harness, Duration.ofMinutes(1));
    claim(mail(harness)).complete().orThrow();
    assertLost(harness, id, "succeeded=1 lost=1 over");
  }

  @Test
  void manyJobs_areDamaged_areLostAllAndEveryBatchEnds() {
    EngineHarness harness = start(StoreKind.FAULTY);
    List<BatchId> ids = new ArrayList<>();
    for (int i = 0; i < BATCH_COUNT; i++) {
      Batch batch = Batch.of("one of many").whenDone(AFTER, job(DONE));
      for (int j = 0; j < JOB_COUNT; j++) {
        batch.add(MAIL, job("a"));
      }
      ids.add(begin(harness, batch));
    }
    harness.engine().close();
    List<byte[]> ready = keys(harness, Keyspace.READY);
    for (int i = 0; i < ready.size(); i += 2) {
      harness.machine().flipBit(folder.resolve("store"), ready.get(i), BIT);
    }
    harness.openAgain();

    find(harness);

    ids.forEach(id -> assertFigures(harness, id, "left=100 lost=100 not over"));
    completeAll(harness, mail(harness), BATCH_COUNT * JOB_COUNT / 2);
    harness.awaitNothingDue();
    ids.forEach(id -> assertFigures(harness, id, "succeeded=100 lost=100 over"));
    assertThat(peek(after(harness), JobState.READY)).hasSize(BATCH_COUNT);
    assertWhole(harness);
  }

  @Test
  void engine_diesAsADamagedJobIsSetAside_isCountedByTheNext() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a"));
    harness.engine().close();
    damage(harness, keys(harness, Keyspace.READY).get(0));
    harness.store().breakRead(Keyspace.DELAYED, 0, new StoreException("cannot be read"));
    assertThat(claim(mail(harness), 1)).isEmpty();
    pokeTwice(harness);
    assertFigures(harness, id, "left=1 not over");

    harness.crash();
    harness.awaitNothingDue();

    assertLost(harness, id, "lost=1 over");
  }

  @Test
  void recount_cannotBeMade_isTriedAgain() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a"));
    harness.engine().close();
    damage(harness, keys(harness, Keyspace.READY).get(0));
    harness.store().breakRead(Keyspace.DELAYED, 0, new StoreException("cannot be read"));
    assertThat(claim(mail(harness), 1)).isEmpty();
    pokeTwice(harness);
    assertFigures(harness, id, "left=1 not over");

    pass(harness, Duration.ofMinutes(1));

    assertLost(harness, id, "lost=1 over");
  }

  @Test
  void payloadOfTheLastJob_isDamaged_countsAsLostAndTheBatchEnds() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched().add(MAIL, NewJob.of(new byte[100_000])));
    harness.engine().close();
    damage(harness, keys(harness, Keyspace.BLOB).get(0));

    assertThatThrownBy(() -> claim(mail(harness), 1)).isInstanceOf(CorruptDataException.class);
    pokeTwice(harness);

    assertLost(harness, id, "lost=1 over");
  }

  @Test
  void payloadOfADelayedJob_isDamaged_countsAsLostOnceItIsClaimed() {
    EngineHarness harness = start(StoreKind.FAULTY);
    NewJob large = new NewJob(new byte[100_000], PLAIN.delay(Duration.ofHours(1)));
    BatchId id = begin(harness, watched().add(MAIL, large));
    harness.engine().close();
    damage(harness, keys(harness, Keyspace.BLOB).get(0));
    find(harness);

    assertLost(harness, id, "lost=1 over");
  }

  @Test
  void follower_cannotBeRead_endsOfLeasesGoOnAndItComesLater() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched().add(MAIL, job("a", ONCE)).add(MAIL, job("b", ONCE)));
    JobId other = enqueue(mail(harness), "c", ONCE);
    assertThat(claim(mail(harness), 3)).hasSize(3);
    harness.store().breakRead(Keyspace.WAITING, 0, new StoreException("cannot be read"));

    pass(harness, LEASE_OVER);

    assertFigures(harness, id, "dead=2 over");
    awaitJob(harness, other, JobState.DEAD, 1);
    pass(harness, Duration.ofMinutes(1));
    assertAnyDied(harness);
    assertWhole(harness);
  }

  @Test
  void follower_isDamaged_othersGoOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a").add(OTHER, job("b")));
    harness.engine().close();
    damage(harness, keys(harness, Keyspace.WAITING).get(0));
    claim(mail(harness)).complete().orThrow();

    claim(harness.queues().queue(OTHER)).complete().orThrow();
    harness.awaitNothingDue();

    assertFigures(harness, id, "succeeded=2 over");
    assertAfter(harness, List.of(ALL_SUCCEEDED), List.of());
    assertThat(harness.engine().poison()).isEmpty();
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @Test
  void batch_isDamagedAndAJobIsToJoinIt_isRefusedOnceAndThenMadeAnew() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = open(harness, Batch.of("b").add(MAIL, job("x")));
    harness.engine().close();
    damage(harness, TallyKeys.key(id.value()));

    assertThatThrownBy(() -> mail(harness).enqueue(new byte[1], in(id)))
        .isInstanceOf(CorruptDataException.class);
    harness.awaitNothingDue();

    assertFigures(harness, id, "left=1 lost=1 not over");
    mail(harness).enqueue(new byte[1], in(id));
    assertFigures(harness, id, "left=2 lost=1 not over");
    assertWhole(harness);
  }

  @Test
  void batch_isLostForWhichAJobWaits_isMadeAnewAndTheJobGoesOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, Batch.of("b").add(MAIL, job("x")));
    enqueue(after(harness), "parent");
    Lease parent = claim(after(harness));
    parent.waitFor(id).orThrow();
    harness.engine().close();
    damage(harness, TallyKeys.key(id.value()));
    claim(mail(harness)).complete().orThrow();
    find(harness);

    assertFigures(harness, id, "lost=1 over");
    assertThat(claim(after(harness)).jobId()).isEqualTo(parent.jobId());
    assertWhole(harness);
  }

  /** The keys of the rows that keep results. */
  private List<byte[]> resultKeys(EngineHarness harness) {
    return keys(harness, Keyspace.TABLE).stream().filter(TallyKeys::isResultKey).toList();
  }

  private static void echo(Lease lease) {
    lease.complete(lease.payload()).orThrow();
  }

  private static List<String> results(EngineHarness harness, BatchId id) {
    return Page.stream(
            page -> harness.queues().batches().results(id, new PageRequest(1, page.cursor())))
        .map(output -> new String(output.result(), UTF_8))
        .toList();
  }

  @Test
  void result_isDamaged_isToldAndLeftOutAndRemovedWithTheBatch() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Batch batch = watched("a", "b", "c").keepResults().retention(Duration.ofHours(1));
    BatchId id = begin(harness, batch);
    claim(mail(harness), 3).forEach(BatchDamageTrapsTest::echo);
    harness.engine().close();
    byte[] key = resultKeys(harness).get(1);
    damage(harness, key);

    assertThat(results(harness, id)).containsExactly("a", "c");
    assertThat(harness.queues().verify().problems())
        .hasSize(1)
        .first()
        .asString()
        .contains("key=" + HexFormat.of().formatHex(key), "checksum does not match");
    assertFigures(harness, id, "succeeded=3 over");
    pass(harness, Duration.ofHours(2));
    await("the batch is gone", () -> harness.queues().batches().get(id).isEmpty());
    assertThat(harness.queues().verify().problems()).isEmpty();
    harness.engine().close();
    assertThat(resultKeys(harness)).isEmpty();
    harness.openAgain();
  }
}
