package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.UpdateOptions;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What two features do to one job: none leaves a row that the other should have taken along. */
class InterplayTrapsTest extends TrapTest {

  private static final EnqueueOptions RICH =
      EnqueueOptions.DEFAULT
          .delay(ofSeconds(1))
          .timeToLive(ofHours(1))
          .resultRetention(ofHours(2))
          .backoff(Backoff.fixed(ofSeconds(1)));

  /** How the lease of a job ends that is to be cancelled. */
  enum End {
    FAIL((harness, lease) -> lease.fail("broken").orThrow()),
    FAIL_FOR_GOOD((harness, lease) -> lease.fail("broken", FailOptions.PERMANENT).orThrow()),
    RELEASE((harness, lease) -> lease.release().orThrow()),
    SNOOZE((harness, lease) -> lease.snooze(ofSeconds(5)).orThrow()),
    CLOSE((harness, lease) -> lease.close()),
    EXPIRY((harness, lease) -> advance(harness, LEASE_OVER)),
    CRASH((harness, lease) -> harness.crash()),
    CLEAN_STOP((harness, lease) -> harness.restartCleanly()),
    CHECKPOINT_AND_CRASH(
        (harness, lease) -> {
          lease.checkpoint(new byte[6_000]).orThrow();
          harness.crash();
        }),
    CHECKPOINT_TO_SMALL_AND_FAIL(
        (harness, lease) -> {
          lease.checkpoint(new byte[1]).orThrow();
          lease.fail("broken").orThrow();
        }),
    DELETED_QUEUE((harness, lease) -> mail(harness).delete());

    private final BiConsumer<EngineHarness, Lease> made;

    End(BiConsumer<EngineHarness, Lease> made) {
      this.made = made;
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void requestCancel_jobWithEveryKindOfRow_leavesNoneHoweverItsLeaseEnds(End end) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = mail(harness).enqueue(new byte[5_000], RICH).jobId();
    advance(harness, ofSeconds(1));
    claim(mail(harness)).fail("first").orThrow();
    advance(harness, ofSeconds(1));
    Lease lease = claim(mail(harness));
    assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);

    end.made.accept(harness, lease);

    await("the job is gone", () -> harness.queues().get(id).isEmpty());
    harness.awaitNothingDue();
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
    mail(harness).delete();
    harness.awaitNothingDue();
    advance(harness, ofHours(3));
    harness.awaitNothingDue();
    assertThat(harness.store().rowCount()).as("facts about the store").isEqualTo(4);
  }

  @Test
  void timeToLive_jobWasUpdatedAndRescheduled_endsWhenItWasToEndAndNoLater() {
    EngineHarness harness = start(StoreKind.MEMORY);
    EnqueueOptions oneHour = EnqueueOptions.DEFAULT.timeToLive(ofHours(1));
    JobId moved = enqueue(mail(harness), "moved", oneHour);
    JobId later = enqueue(mail(harness), "later", oneHour);
    JobId sooner = enqueue(mail(harness), "sooner", oneHour.delay(ofSeconds(1_800)));
    Instant now = Instant.ofEpochMilli(harness.clock().epochMs());
    harness
        .queues()
        .update(moved, UpdateOptions.NOTHING.priority(5).payload(new byte[5_000]))
        .orThrow();
    harness.queues().reschedule(later, now.plus(ofHours(9))).orThrow();
    harness.queues().reschedule(sooner, now.minusSeconds(1)).orThrow();
    assertThat(timerCount(harness)).isEqualTo(3);
    assertClean(harness);

    advance(harness, ofHours(1).minusMillis(1));
    harness.awaitNothingDue();
    assertThat(List.of(moved, later, sooner)).allMatch(id -> harness.queues().get(id).isPresent());
    advance(harness, ofSeconds(1));
    harness.awaitNothingDue();

    assertThat(List.of(moved, later, sooner)).allMatch(id -> harness.queues().get(id).isEmpty());
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void deadRetention_deadLetterWasUpdatedThenRedriven_isSweptOnlyWhileDead() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.deadRetention(ofHours(1)));
    JobId stays = enqueue(mail(harness), "stays dead");
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();
    JobId lives = enqueue(mail(harness), "lives again");
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();
    harness
        .queues()
        .update(stays, UpdateOptions.NOTHING.priority(3).payload(new byte[9_000]))
        .orThrow();
    harness
        .queues()
        .update(lives, UpdateOptions.NOTHING.priority(3).payload(new byte[9_000]))
        .orThrow();
    assertThat(timerCount(harness)).isEqualTo(2);
    mail(harness).deadLetters().redrive(lives).orThrow();

    advance(harness, ofHours(2));
    harness.awaitNothingDue();

    assertThat(harness.queues().get(stays)).isEmpty();
    assertThat(claim(mail(harness)).payload()).hasSize(9_000);
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void delete_newQueueOfTheNameWhileTheOldOneIsEmptied_isUntouchedOverACrash(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (int i = 0; i < 3; i++) {
      enqueue(mail(harness), "old", RICH);
      enqueue(mail(harness), "old");
    }
    Lease old = claim(mail(harness));
    harness.queues().cancel(old.jobId()).orThrow();
    mail(harness).delete();
    JobId fresh = mail(harness).enqueue(new byte[5_000], RICH).jobId();
    Lease held = claimOf(harness, "new");

    harness.crash();
    advance(harness, ofSeconds(2));
    harness.awaitNothingDue();

    assertThat(harness.queues().get(fresh)).isPresent();
    assertThat(harness.queues().get(held.jobId())).isPresent();
    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(2);
    assertThat(timerCount(harness)).isEqualTo(1);
    assertClean(harness);
  }

  private static Lease claimOf(EngineHarness harness, String payload) {
    enqueue(mail(harness), payload);
    return claim(mail(harness));
  }

  @Test
  void cancel_jobOfAQueueLongDeleted_readsNothingOfTheOtherQueues() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "gone");
    mail(harness).delete();
    for (int i = 0; i < 200; i++) {
      enqueue(harness.queues().queue("other " + i), "job");
    }
    harness.awaitNothingDue();
    long before = harness.store().rowsVisited();

    CancelResult result = harness.queues().cancelIfWaiting(id);

    assertThat(result).isEqualTo(CancelResult.GONE);
    assertThat(harness.store().rowsVisited() - before).isLessThan(20);
  }

  @Test
  void claim_ofSeveralQueuesThatAreNotInMemory_getsWhatIsDueInThem() {
    EngineHarness harness = start(StoreKind.MEMORY);
    EnqueueOptions later = EnqueueOptions.DEFAULT.delay(ofSeconds(10));
    enqueue(harness.queues().queue("a"), "due", later.priority(5));
    enqueue(harness.queues().queue("b"), "ready");
    enqueue(harness.queues().queue("c"), "not due", later.delay(ofHours(1)));
    harness.engine().close();
    harness.clock().advanceMs(11_000);
    harness.openAgain();

    List<Lease> leases =
        harness
            .queues()
            .claim(
                List.of(QueueName.of("c"), QueueName.of("b"), QueueName.of("a")),
                ClaimOptions.by("worker").max(9));

    assertThat(payloads(leases)).containsExactly("due", "ready");
    assertClean(harness);
  }

  @Test
  void claimThatWaits_queueIsDrainedPausedAndDeleted_isServedWhenAJobMayBeHad() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(held -> QueueSettings.DEFAULT);
    CompletableFuture<List<Lease>> waiting =
        mail(harness).claimAsync(ClaimOptions.by("worker").waiting(ofHours(1)));
    Dropped.result(mail(harness).drain(ofSeconds(0)));
    mail(harness).pause();
    mail(harness).delete();
    mail(harness).pause();
    enqueue(mail(harness), "new");
    harness.poke();
    assertNotAnswered(harness, waiting);

    mail(harness).resume();

    assertThat(payloads(join(waiting))).containsExactly("new");
    assertClean(harness);
  }
}
