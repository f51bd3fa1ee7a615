package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.MillraceException;
import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.DrainResult;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import io.millrace.api.ReleaseResult;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.StoreCall;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Emptying and deleting a queue: whole, in steps, over crashes, and without harm to others. */
class QueueRemovalTrapsTest extends TrapTest {

  private static final Setup BUFFERED = Setup.DEFAULT.withDurability(Durability.BUFFERED);
  private static final EnqueueOptions TIMED =
      EnqueueOptions.DEFAULT.timeToLive(ofMinutes(9)).resultRetention(ofMinutes(9));

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void purge_byStates_removesTheseAndLeavesTheOthers(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    everyState(mail);
    Lease lease = claim(mail);
    harness.poke();
    QueueStats before = mail.stats().orElseThrow();

    long removed = mail.purge(EnumSet.of(JobState.READY, JobState.DONE));

    assertThat(removed).isEqualTo(3);
    assertThat(counts(mail)).isEqualTo(List.of(0L, 2L, 1L, 2L, 0L));
    assertThat(before.count(JobState.READY) + before.count(JobState.DONE)).isEqualTo(3);
    assertClean(harness);

    assertThat(mail.purge(EnumSet.of(JobState.DELAYED, JobState.DEAD))).isEqualTo(4);
    assertThat(counts(mail)).isEqualTo(List.of(0L, 0L, 1L, 0L, 0L));
    assertThat(timerCount(harness)).isZero();
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(mail.purge(EnumSet.complementOf(EnumSet.of(JobState.LEASED)))).isEqualTo(1);
    assertThat(mail.stats().orElseThrow().total(Total.PURGED)).isEqualTo(8);
    enqueue(mail, "after");
    assertThat(payload(claim(mail))).isEqualTo("after");
    assertClean(harness);
  }

  @Test
  void purge_leasedJobBetweenReadyOnes_leavesItToItsHolder() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    fill(mail, 3, EnqueueOptions.DEFAULT);
    List<Lease> leases = claim(mail, 3);
    leases.get(0).release().orThrow();
    leases.get(2).release().orThrow();

    long removed = mail.purge(Set.of(JobState.READY));

    assertThat(removed).isEqualTo(2);
    assertThat(leases.get(1).complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(mail.stats().orElseThrow().total(Total.PURGED)).isEqualTo(2);
    assertClean(harness);
  }

  /** Two jobs each ready (of two priorities), delayed and dead, two done, one more ready. */
  private static void everyState(JobQueue mail) {
    mail.configure(settings -> settings.deadRetention(ofMinutes(1)));
    for (int i = 0; i < 2; i++) {
      enqueue(mail, "done", TIMED);
      claim(mail).complete(new byte[10]).orThrow();
      enqueue(mail, "dead", TIMED);
      claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();
      mail.enqueue(new byte[3_000], TIMED.delay(ofMinutes(1 + i)));
    }
    enqueue(mail, "ready", TIMED);
    enqueue(mail, "low", TIMED.priority(-3));
  }

  private static List<Long> counts(JobQueue queue) {
    QueueStats stats = queue.stats().orElseThrow();
    return List.of(
        stats.count(JobState.READY),
        stats.count(JobState.DELAYED),
        stats.count(JobState.LEASED),
        stats.count(JobState.DEAD),
        stats.count(JobState.DONE));
  }

  @Test
  void purge_leased_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);

    assertThatThrownBy(() -> mail(harness).purge(Set.of(JobState.LEASED)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "leased jobs cannot be purged: states=[LEASED]; leave out LEASED, or delete the queue");
  }

  @Test
  void purge_queueThatDoesNotExist_removesNothingAndMakesNone() {
    EngineHarness harness = start(StoreKind.MEMORY);

    assertThat(mail(harness).purge(Set.of(JobState.READY))).isZero();
    assertThat(mail(harness).stats()).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void purge_longLine_isServedInOrderAfterwardsAndReadsNothingTwice(StoreKind kind) {
    EngineHarness harness = start(kind, BUFFERED);
    JobQueue mail = mail(harness);
    fill(mail, 5_500, EnqueueOptions.DEFAULT);
    fill(mail, 2_500, EnqueueOptions.DEFAULT.delay(ofSeconds(9)));
    List<Lease> leases = claim(mail, 10);
    long before = harness.store().rowsVisited();

    assertThat(mail.purge(EnumSet.of(JobState.READY, JobState.DELAYED))).isEqualTo(7_990);

    assertThat(harness.store().rowsVisited() - before).isLessThan(3 * 8_000);
    enqueue(mail, "new");
    leases.get(3).release().orThrow();
    before = harness.store().rowsVisited();
    assertThat(claim(mail, 5)).hasSize(2).last().extracting(TrapTest::payload).isEqualTo("new");
    assertThat(harness.store().rowsVisited() - before).isLessThan(1_000);
    advance(harness, ofSeconds(9));
    harness.poke();
    assertThat(counts(mail)).isEqualTo(List.of(0L, 0L, 11L, 0L, 0L));
    assertClean(harness);
  }

  @Test
  void purge_whileOthersWork_servesThemBetweenItsSteps() {
    EngineHarness harness = start(StoreKind.MEMORY, BUFFERED);
    JobQueue mail = mail(harness);
    JobQueue other = harness.queues().queue("other");
    fill(mail, 10_000, EnqueueOptions.DEFAULT);
    enqueue(other, "first");

    CompletableFuture<Long> purge =
        CompletableFuture.supplyAsync(() -> mail.purge(Set.of(JobState.READY)));
    long served = 0;
    while (!purge.isDone()) {
      enqueue(other, "next");
      claim(other).complete().orThrow();
      enqueue(mail, "new");
      served++;
    }

    // The first of the new ones may have come before the purge was called.
    long left = mail.stats().orElseThrow().count(JobState.READY);
    assertThat(left).isBetween(1L, served);
    assertThat(join(purge)).isEqualTo(10_000 + served - left);
    assertThat(other.stats().orElseThrow().count(JobState.READY)).isEqualTo(1);
    assertClean(harness);
  }

  @Test
  void purge_jobsThatCameAfterTheCall_stay() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    fill(mail, 1_500, EnqueueOptions.DEFAULT);
    harness.store().holdNextWrite();
    CompletableFuture<Long> purge =
        CompletableFuture.supplyAsync(() -> mail.purge(Set.of(JobState.READY)));
    harness.store().awaitHeld();
    CompletableFuture<Enqueued> late =
        mail.enqueueAsync("late".getBytes(UTF_8), EnqueueOptions.DEFAULT.priority(5));
    harness.store().letGo();

    assertThat(join(purge)).isEqualTo(1_500);
    assertThat(join(late).jobId()).isNotNull();
    assertThat(peek(mail, JobState.READY)).containsExactly("late");
    assertThat(payload(claim(mail))).isEqualTo("late");
    assertClean(harness);
  }

  @Test
  void drain_refusesEnqueuesAndIsEmptyWhenTheWorkIsDone() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    enqueue(mail, "b", EnqueueOptions.DEFAULT.delay(ofSeconds(1)));

    assertThat(mail.drain(Duration.ZERO)).isEqualTo(DrainResult.DRAINING);

    EnqueueResult refused = mail.offer("c".getBytes(UTF_8), EnqueueOptions.DEFAULT);
    assertThat(refused).isEqualTo(new EnqueueResult.Draining(QueueName.of("mail")));
    assertThat(refused.isDone()).isFalse();
    assertThatThrownBy(() -> mail.enqueue("c".getBytes(UTF_8)))
        .isInstanceOf(EnqueueRefusedException.class)
        .hasMessage("queue is being drained and takes no jobs until endDrain: queue=mail");
    assertThat(mail.stats().orElseThrow().serving()).isEqualTo(QueueStats.Serving.DRAINING);
    harness.restartCleanly();
    assertThat(mail(harness).offer("d".getBytes(UTF_8), EnqueueOptions.DEFAULT))
        .isInstanceOf(EnqueueResult.Draining.class);
    claim(mail(harness)).complete().orThrow();
    assertThat(mail(harness).drain(Duration.ZERO)).isEqualTo(DrainResult.DRAINING);
    advance(harness, ofSeconds(1));
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();
    assertThat(mail(harness).drain(Duration.ZERO)).isEqualTo(DrainResult.EMPTY);

    mail(harness).endDrain();

    assertThat(mail(harness).stats().orElseThrow().serving()).isEqualTo(QueueStats.Serving.ON);
    enqueue(mail(harness), "e");
    assertThat(payload(claim(mail(harness)))).isEqualTo("e");
    assertClean(harness);
  }

  @Test
  void drain_waiting_endsWhenTheLastJobDoes() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    Lease last = claim(mail);
    CompletableFuture<DrainResult> drain =
        CompletableFuture.supplyAsync(() -> mail.drain(ofMinutes(1)));
    await(
        "the drain has begun",
        () -> mail.stats().orElseThrow().serving() == QueueStats.Serving.DRAINING);
    assertThat(drain).isNotDone();

    last.complete().orThrow();

    await(
        "the drain looks again",
        () -> {
          harness.clock().advanceMs(10);
          return drain.isDone();
        });
    assertThat(join(drain)).isEqualTo(DrainResult.EMPTY);
  }

  @Test
  void drain_timeIsUp_saysThatJobsAreLeft() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    CompletableFuture<DrainResult> drain =
        CompletableFuture.supplyAsync(() -> mail.drain(ofSeconds(1)));

    await(
        "the time is up",
        () -> {
          harness.clock().advanceMs(10);
          return drain.isDone();
        });

    assertThat(join(drain)).isEqualTo(DrainResult.DRAINING);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void delete_queueWithJobsInEveryState_leavesNothingBehind(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(harness.queues().queue("other"), "stays");
    JobQueue mail = mail(harness);
    long rowCount = harness.store().rowCount();
    everyState(mail);
    Lease lease = claim(mail);

    assertThat(mail.delete()).isTrue();

    assertThat(mail.stats()).isEmpty();
    assertThat(harness.queues().get(lease.jobId())).isEmpty();
    assertThat(lease.complete()).isEqualTo(CompleteResult.GONE);
    await("all rows are gone", () -> harness.store().rowCount() == rowCount);
    assertThat(mail.delete()).isFalse();
    advance(harness, LEASE_OVER.plusMinutes(20));
    assertThat(payload(claim(harness.queues().queue("other")))).isEqualTo("stays");
    assertClean(harness);
  }

  @Test
  void delete_holdersOfItsJobs_areToldThatTheyAreGone() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    fill(mail, 3_000, EnqueueOptions.DEFAULT);
    JobId dead = mail.enqueue(new byte[0], EnqueueOptions.DEFAULT.priority(99)).jobId();
    claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();
    JobId ready = mail.enqueue(new byte[0]).jobId();
    List<Lease> leases = claim(mail, 6);
    mail.delete();

    // Whatever of it is stored still: the hold keeps the steps that remove it from going on. If
    // they
    // have ended by now, another job is what is held.
    harness.store().holdNextWrite();
    Dropped.result(
        harness.queues().queue("other").enqueueAsync(new byte[0], EnqueueOptions.DEFAULT));
    harness.store().awaitHeld();
    CompletableFuture<CompleteResult> complete = leases.get(0).completeAsync();
    CompletableFuture<FailResult> fail = leases.get(1).failAsync("x", FailOptions.RETRY);
    CompletableFuture<ReleaseResult> release = leases.get(2).releaseAsync();
    CompletableFuture<ExtendResult> extend = leases.get(3).extendAsync(ofSeconds(1));
    harness.store().letGo();

    assertThat(join(complete)).isEqualTo(CompleteResult.GONE);
    assertThat(join(fail)).isEqualTo(new FailResult.Gone());
    assertThat(join(release)).isEqualTo(ReleaseResult.GONE);
    assertThat(join(extend)).isEqualTo(new ExtendResult.Gone());
    assertThat(leases.get(4).snooze(ofSeconds(1))).isEqualTo(ReleaseResult.GONE);
    assertThat(leases.get(5).checkpoint(new byte[1])).isEqualTo(new ExtendResult.Gone());
    assertThat(harness.queues().cancelIfWaiting(ready)).isEqualTo(CancelResult.GONE);
    assertThat(mail.deadLetters().redrive(dead)).isEqualTo(new RedriveResult.Gone());
    assertThat(mail.deadLetters().delete(dead)).isFalse();
    assertClean(harness);
  }

  @Test
  void delete_newQueueOfTheName_comesAtOnceAndSharesNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.depthMax(9_000));
    fill(mail, 3_000, EnqueueOptions.DEFAULT);
    CompletableFuture<List<Lease>> waiting =
        harness.queues().queue("mail").claimAsync(ClaimOptions.by("worker").max(5_000));
    List<Lease> old = join(waiting);

    mail.delete();
    JobId id = enqueue(mail, "new");

    assertThat(mail.settings()).isEqualTo(QueueSettings.DEFAULT);
    assertThat(payload(claim(mail))).isEqualTo("new");
    assertThat(id.toString().substring(0, 8))
        .isNotEqualTo(old.get(0).jobId().toString().substring(0, 8));
    assertThat(mail.stats().orElseThrow().total(Total.ENQUEUED)).isEqualTo(1);
    assertClean(harness);
    harness.restartCleanly();
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
    assertClean(harness);
  }

  @Test
  void delete_claimThatWaits_isServedByTheNextQueueOfTheName() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(held -> QueueSettings.DEFAULT);
    CompletableFuture<List<Lease>> waiting =
        mail.claimAsync(ClaimOptions.by("worker").waiting(ofMinutes(1)));

    mail.delete();
    enqueue(mail, "new");

    assertThat(payloads(join(waiting))).containsExactly("new");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
  void delete_storeFailsAtAnyStep_isResumedAtTheNextOpening(int step) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    everyState(mail);
    fill(mail, 2_000, TIMED);
    claim(mail, 500);
    enqueue(harness.queues().queue("other"), "stays");
    long failing = harness.machine().callCount(StoreCall.WRITE) + step;
    harness.machine().plan(FaultPlan.at(StoreCall.WRITE, failing, Fault.UNKNOWN));
    boolean wasDeleted;
    try {
      wasDeleted = mail.delete();
    } catch (MillraceException e) {
      wasDeleted = false;
    }

    await(
        "the store has failed, or was done before",
        () -> harness.engine().poison().isPresent() || isEmptied(harness));
    harness.machine().plan(FaultPlan.none());
    harness.losePower();

    boolean isThere = mail(harness).stats().isPresent();
    assertThat(wasDeleted && isThere).as("a deletion that was told is not lost").isFalse();
    assertClean(harness);
    if (isThere) {
      assertThat(mail(harness).delete()).isTrue();
    }
    JobId id = enqueue(mail(harness), "new");
    await("all rows are gone", () -> isEmptied(harness));
    assertThat(timerCount(harness)).isZero();
    advance(harness, ofMinutes(30));
    assertThat(claim(mail(harness)).jobId()).isEqualTo(id);
    assertThat(peek(harness.queues().queue("other"), JobState.READY)).containsExactly("stays");
    assertClean(harness);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void purge_storeFailsAtAnyStep_countsAreRightAndItCanBeCalledAgain(int step) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    fill(mail, 3_500, TIMED);
    long failing = harness.machine().callCount(StoreCall.WRITE) + step;
    harness.machine().plan(FaultPlan.at(StoreCall.WRITE, failing, Fault.UNKNOWN));

    assertThatThrownBy(() -> mail.purge(Set.of(JobState.READY)))
        .isInstanceOf(RuntimeException.class);
    harness.machine().plan(FaultPlan.none());
    harness.losePower();

    long left = mail(harness).stats().orElseThrow().count(JobState.READY);
    assertThat(left).isBetween(0L, 3_500L);
    assertClean(harness);
    assertThat(mail(harness).purge(Set.of(JobState.READY))).isEqualTo(left);
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void delete_nameRemovedWhileAnotherStepWaits_otherQueuesGoOn() {
    EngineHarness harness = start(StoreKind.MEMORY, BUFFERED);
    JobQueue other = harness.queues().queue("other");
    for (int i = 0; i < 5; i++) {
      fill(harness.queues().queue("queue " + i), 1_500, TIMED);
      harness.queues().queue("queue " + i).delete();
      enqueue(other, "job " + i);
      assertThat(payload(claim(other))).isEqualTo("job " + i);
    }

    await("all rows are gone", () -> isEmptied(harness));
    advance(harness, ofMillis(1));
    assertClean(harness);
  }

  /** Whether nothing is stored any more of queues that were deleted. */
  private static boolean isEmptied(EngineHarness harness) {
    try (ReadView view = harness.store().read()) {
      return view.scan(
              AgendaKeys.start(AgendaKeys.DROPPED_MS),
              AgendaKeys.end(AgendaKeys.DROPPED_MS),
              1,
              (key, value) -> true)
          == 0;
    }
  }

  private static void fill(JobQueue queue, int count, EnqueueOptions options) {
    for (int i = 0; i < count; i += 500) {
      queue.enqueueAll(
          Collections.nCopies(Math.min(500, count - i), new NewJob(new byte[20], options)));
    }
  }
}
