package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.ReleaseResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.StoreCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that are changed where they wait: lines, windows, counters and payloads stay true. */
@Tag("calls")
class UpdateTrapsTest extends TrapTest {

  private static final UpdateOptions NOTHING = UpdateOptions.NOTHING;
  private static final String LARGE = "x".repeat(3_000);

  private static UpdateResult update(EngineHarness harness, JobId id, UpdateOptions changes) {
    return harness.queues().update(id, changes);
  }

  /** A waiting job as the test expects it. */
  private record Expected(JobId id, int priority, int order, String payload) {

    static final Comparator<Expected> SERVING =
        Comparator.<Expected>comparingInt(job -> -job.priority()).thenComparingInt(Expected::order);
  }

  @ParameterizedTest
  @EachStoreKind
  void update_anyJobOfALoadedLineAmongLeasedOnes_keepsOrderAndCounts(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    SplittableRandom random = new SplittableRandom(11);
    List<Expected> waiting = new ArrayList<>();
    List<Lease> leased = new ArrayList<>();
    int order = 0;
    for (int i = 0; i < 120; i++) {
      int priority = random.nextInt(3);
      JobId id = enqueue(mail, "job " + i, EnqueueOptions.DEFAULT.priority(priority));
      waiting.add(new Expected(id, priority, order++, "job " + i));
      if (i % 3 == 2) {
        waiting.sort(Expected.SERVING);
        Lease lease = claim(mail);
        assertThat(lease.jobId()).isEqualTo(waiting.remove(0).id());
        leased.add(lease);
      }
      Expected chosen = waiting.get(random.nextInt(waiting.size()));
      int newPriority = random.nextInt(3);
      String payload = "changed " + i;
      assertThat(
              update(
                  harness,
                  chosen.id(),
                  NOTHING.priority(newPriority).payload(payload.getBytes(UTF_8))))
          .isEqualTo(UpdateResult.UPDATED);
      waiting.remove(chosen);
      int place = newPriority == chosen.priority() ? chosen.order() : order++;
      waiting.add(new Expected(chosen.id(), newPriority, place, payload));
      assertThat(mail.stats().orElseThrow().count(JobState.READY)).isEqualTo(waiting.size());
    }
    assertClean(harness);

    waiting.sort(Expected.SERVING);
    assertThat(peek(mail, JobState.READY))
        .isEqualTo(waiting.stream().map(Expected::payload).toList());
    assertThat(payloads(claim(mail, 1_000)))
        .isEqualTo(waiting.stream().map(Expected::payload).toList());
    assertThat(leased)
        .allSatisfy(lease -> assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED));
    assertClean(harness);
  }

  @Test
  void update_neighboursOfALeasedJob_leaveItsOldPlaceToARelease() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId a = enqueue(mail, "a");
    enqueue(mail, "b");
    JobId c = enqueue(mail, "c");
    Lease first = claim(mail);
    Lease second = claim(mail);
    assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);

    update(harness, a, NOTHING.priority(-1));
    update(harness, c, NOTHING.priority(1));
    second.release().orThrow();
    assertClean(harness);

    assertThat(payloads(claim(mail, 10))).containsExactly("c", "b", "a");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void update_largePayload_survivesACrashAndLeavesNoRowBehind(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "small");
    harness.restartCleanly();
    final long rowsBefore = harness.store().rowCount();
    update(harness, id, NOTHING.payload((LARGE + 1).getBytes(UTF_8)));
    update(harness, id, NOTHING.payload((LARGE + 2).getBytes(UTF_8)));

    harness.crash();

    assertThat(new String(job(harness.queues(), id).payload(), UTF_8)).isEqualTo(LARGE + 2);
    assertClean(harness);
    update(harness, id, NOTHING.payload("small again".getBytes(UTF_8)));
    harness.restartCleanly();
    assertThat(harness.store().rowCount()).isEqualTo(rowsBefore);
    assertThat(payload(claim(mail(harness)))).isEqualTo("small again");
    assertClean(harness);
  }

  @Test
  void updateAndReschedule_thatReturned_survivePowerLoss() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId updated = enqueue(mail(harness), "a");
    JobId rescheduled = enqueue(mail(harness), "b");
    Instant later = Instant.ofEpochMilli(harness.clock().epochMs()).plusSeconds(100);
    update(harness, updated, NOTHING.priority(9).weight(7).payload(LARGE.getBytes(UTF_8)));
    harness.queues().reschedule(rescheduled, later).orThrow();

    harness.losePower();

    Job job = job(harness.queues(), updated);
    assertThat(job.priority()).isEqualTo(9);
    assertThat(job.weight()).isEqualTo(7);
    assertThat(new String(job.payload(), UTF_8)).isEqualTo(LARGE);
    assertThat(job(harness.queues(), rescheduled).visibleAt()).contains(later);
    assertClean(harness);
    advance(harness, ofSeconds(100));
    assertThat(payloads(claim(mail(harness), 10))).containsExactly(LARGE, "b");
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "UNKNOWN", "AFTER"})
  void update_writeFails_happensWholeOrNotAtAll(Fault fault) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, LARGE);
    enqueue(mail, "b");
    harness.machine().failNext(StoreCall.WRITE, fault);
    assertThatThrownBy(
            () -> update(harness, id, NOTHING.priority(-3).payload("new".getBytes(UTF_8))))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    boolean isNew = job(harness.queues(), id).priority() == -3;
    assertThat(payloads(claim(mail, 10)))
        .isEqualTo(isNew ? List.of("b", "new") : List.of(LARGE, "b"));
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "UNKNOWN", "AFTER"})
  void reschedule_writeFails_happensWholeOrNotAtAll(Fault fault) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Instant later = Instant.ofEpochMilli(harness.clock().epochMs()).plusSeconds(100);
    harness.machine().failNext(StoreCall.WRITE, fault);
    assertThatThrownBy(() -> harness.queues().reschedule(id, later))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    boolean isDelayed = state(harness.queues(), id) == JobState.DELAYED;
    assertThat(claim(mail, 10)).hasSize(isDelayed ? 0 : 1);
    assertClean(harness);
  }

  @Test
  void update_lighterJob_wakesTheClaimThatItWasTooHeavyFor() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "heavy", EnqueueOptions.DEFAULT.weight(10));
    CompletableFuture<List<Lease>> parked =
        mail.claimAsync(ClaimOptions.by("small").capacity(3).waiting(ofSeconds(600)));
    harness.poke();
    assertNotAnswered(harness, parked);

    update(harness, id, NOTHING.weight(3));

    assertThat(payloads(join(parked))).containsExactly("heavy");
    assertClean(harness);
  }

  /** Ways in which a heavy job stops holding up those behind it. */
  enum Relief {
    CANCELLED((harness, id) -> harness.queues().cancelIfWaiting(id).orThrow()),
    RESCHEDULED(
        (harness, id) ->
            harness.queues().reschedule(id, Instant.now().plusSeconds(9_000)).orThrow()),
    MOVED_BACK((harness, id) -> update(harness, id, NOTHING.priority(-5))),
    TAKEN_BY_ANOTHER((harness, id) -> assertThat(claim(mail(harness)).jobId()).isEqualTo(id));

    final BiConsumer<EngineHarness, JobId> act;

    Relief(BiConsumer<EngineHarness, JobId> act) {
      this.act = act;
    }
  }

  @ParameterizedTest
  @EnumSource(Relief.class)
  void heavyJobThatHeldUpAClaim_leaves_claimIsServedAtOnce(Relief relief) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId heavy = enqueue(mail, "heavy", EnqueueOptions.DEFAULT.weight(10));
    ClaimOptions small = ClaimOptions.by("small").capacity(10).maxWeight(1);
    for (int i = 0; i < ClaimOptions.PASSES_MAX; i++) {
      enqueue(mail, "light");
      assertThat(mail.claim(small)).hasSize(1);
    }
    enqueue(mail, "behind");
    CompletableFuture<List<Lease>> parked = mail.claimAsync(small.waiting(ofSeconds(600)));
    harness.poke();
    assertNotAnswered(harness, parked);

    relief.act.accept(harness, heavy);

    assertThat(payloads(join(parked))).containsExactly("behind");
    assertClean(harness);
  }

  @Test
  void reschedule_delayedJobToNow_wakesAClaimThatWaits() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", EnqueueOptions.DEFAULT.delay(ofSeconds(100)));
    CompletableFuture<List<Lease>> parked =
        mail.claimAsync(ClaimOptions.by("w").waiting(ofSeconds(600)));
    harness.poke();

    RescheduleResult result = harness.queues().reschedule(id, Instant.EPOCH);

    assertThat(result).isEqualTo(RescheduleResult.RESCHEDULED);
    assertThat(payloads(join(parked))).containsExactly("a");
    assertClean(harness);
  }

  @Test
  void reschedule_firstDelayedJobLater_othersAreDueAsBefore() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId first = enqueue(mail, "first", EnqueueOptions.DEFAULT.delay(ofSeconds(10)));
    enqueue(mail, "second", EnqueueOptions.DEFAULT.delay(ofSeconds(20)));
    Instant later = Instant.ofEpochMilli(harness.clock().epochMs()).plusSeconds(30);

    harness.queues().reschedule(first, later).orThrow();

    advance(harness, ofSeconds(20));
    assertThat(payloads(claim(mail, 10))).containsExactly("second");
    advance(harness, ofSeconds(10));
    assertThat(payloads(claim(mail, 10))).containsExactly("first");
    assertClean(harness);
  }

  @Test
  void claim_ofAJobUpdatedInTheSameCommit_getsTheNewPayload() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, LARGE + "old");
    harness.store().holdNextWrite();
    CompletableFuture<?> blocker =
        mail.enqueueAsync("blocker".getBytes(UTF_8), EnqueueOptions.DEFAULT.priority(-9));
    harness.store().awaitHeld();
    CompletableFuture<UpdateResult> updated =
        CompletableFuture.supplyAsync(
            () -> update(harness, id, NOTHING.payload((LARGE + "new").getBytes(UTF_8))));
    CompletableFuture<List<Lease>> claimed = mail.claimAsync(ClaimOptions.by("w"));
    harness.store().letGo();

    join(blocker);
    UpdateResult result = join(updated);

    String expected = LARGE + (result == UpdateResult.UPDATED ? "new" : "old");
    assertThat(payloads(join(claimed))).containsExactly(expected);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void updatesClaimsAndReschedules_fromManyThreads_loseAndDoubleNothing(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    List<JobId> ids = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ids.add(enqueue(mail, "job " + i));
    }

    List<CompletableFuture<Integer>> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      SplittableRandom random = new SplittableRandom(t);
      threads.add(CompletableFuture.supplyAsync(() -> churn(harness, ids, random)));
    }
    int completed = threads.stream().mapToInt(TrapTest::join).sum();

    assertClean(harness);
    advance(harness, ofSeconds(1_000));
    List<Lease> rest = claim(mail, 1_000);
    assertThat(completed + rest.size()).isEqualTo(200);
    rest.forEach(lease -> assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED));
    assertThat(mail.stats().orElseThrow().counts().values()).containsOnly(0L);
    assertClean(harness);
  }

  /** Does this and that with the jobs; answers how many it completed. */
  private static int churn(EngineHarness harness, List<JobId> ids, SplittableRandom random) {
    int completed = 0;
    for (int i = 0; i < 150; i++) {
      JobId id = ids.get(random.nextInt(ids.size()));
      Instant soon = Instant.ofEpochMilli(harness.clock().epochMs()).plusSeconds(random.nextInt(9));
      switch (random.nextInt(5)) {
        case 0 -> update(harness, id, NOTHING.priority(random.nextInt(3)));
        case 1 -> update(harness, id, NOTHING.payload(new byte[random.nextInt(3_000)]));
        case 2 -> Dropped.result(harness.queues().reschedule(id, soon));
        case 3 -> claim(mail(harness), 2).forEach(Lease::close);
        default -> {
          for (Lease lease : claim(mail(harness), 1)) {
            completed += lease.complete() == CompleteResult.COMPLETED ? 1 : 0;
          }
        }
      }
    }
    return completed;
  }
}
