package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.MatchingJobs;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RateLimit;
import io.millrace.api.ReleaseResult;
import io.millrace.api.TransactionResult;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** A lease is taken from whoever holds it: the job goes on elsewhere, and the holder is fenced. */
@Tag("calls")
class ReleaseJobTrapsTest extends TrapTest {

  private static void assertFenced(Lease lease) {
    assertThat(lease.complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(lease.fail("late")).isInstanceOf(FailResult.StaleLease.class);
    assertThat(lease.extend(ofMinutes(1))).isInstanceOf(ExtendResult.StaleLease.class);
    assertThat(lease.checkpoint(new byte[1])).isInstanceOf(ExtendResult.StaleLease.class);
    assertThat(lease.release()).isEqualTo(ReleaseResult.STALE_LEASE);
  }

  @ParameterizedTest
  @EachStoreKind
  void release_runningJob_isReadyAtItsOldPlaceAndItsHolderIsFenced(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "a");
    enqueue(mail(harness), "b");
    Lease hung = claim(mail(harness));

    assertThat(harness.queues().admin().release(id)).isEqualTo(JobReleaseResult.RELEASED);

    assertThat(peek(mail(harness), JobState.READY)).containsExactly("a", "b");
    assertThat(job(harness.queues(), id).attempts()).isZero();
    assertFenced(hung);
    Lease next = claim(mail(harness));
    assertThat(next.jobId()).isEqualTo(id);
    assertThat(next.attempt()).isEqualTo(1);
    assertThat(next.token()).isGreaterThan(hung.token());
    assertFenced(hung);
    assertThat(next.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(hung.complete()).isEqualTo(CompleteResult.GONE);
    assertThat(mail(harness).stats().orElseThrow().total(Total.RELEASED)).isEqualTo(1);
    assertThat(mail(harness).stats().orElseThrow().total(Total.COMPLETED)).isEqualTo(1);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void release_atOnceAfterTheClaim_holdsOverACrash(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "a");
    Lease hung = claim(mail(harness));
    assertThat(harness.queues().admin().release(id)).isEqualTo(JobReleaseResult.RELEASED);

    harness.crash();

    assertThat(job(harness.queues(), id).state()).isEqualTo(JobState.READY);
    assertThat(job(harness.queues(), id).attempts()).isZero();
    assertThat(claim(mail(harness)).attempt()).isEqualTo(1);
    assertFenced(harness.queues().lease(id, hung.token()));
    assertClean(harness);
  }

  @Test
  void release_honouredLeaseOfADeadProcess_neverWaitsForItsEnd() {
    Setup honoured = Setup.DEFAULT.withLeasesAtOpen(LeasesAtOpen.HONOUR);
    EngineHarness harness = start(StoreKind.FAULTY, honoured);
    JobId id = enqueue(mail(harness), "a");
    long token = claim(mail(harness)).token();
    enqueue(mail(harness), "the lease's record is written with it");
    harness.losePower();
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.LEASED);

    assertThat(harness.queues().admin().release(id)).isEqualTo(JobReleaseResult.RELEASED);

    assertThat(payload(claim(mail(harness)))).isEqualTo("a");
    assertFenced(harness.queues().lease(id, token));
    assertClean(harness);
  }

  @Test
  void release_ofAJobThatIsToBeCancelled_removesIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease hung = claim(mail(harness));
    assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);

    assertThat(harness.queues().admin().release(id)).isEqualTo(JobReleaseResult.CANCELLED);

    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(hung.complete()).isEqualTo(CompleteResult.GONE);
    assertThat(harness.queues().admin().release(id)).isEqualTo(JobReleaseResult.GONE);
    assertThat(mail(harness).stats().orElseThrow().total(Total.CANCELLED)).isEqualTo(1);
    assertClean(harness);
  }

  @Test
  void release_ofWhatNobodyWorksOn_leavesItAsItIs() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.resultRetention(ofDays(1)));
    JobId done = enqueue(mail(harness), "done");
    claim(mail(harness)).complete().orThrow();
    JobId dead = enqueue(mail(harness), "dead");
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();
    JobId waiting = enqueue(mail(harness), "waiting");
    assertThat(claim(mail(harness)).waitFor("go").isDone()).isTrue();
    JobId delayed = enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(ofSeconds(9)));
    EnqueueOptions keyed = EnqueueOptions.DEFAULT.concurrencyKey("k");
    JobId ready = enqueue(mail(harness), "ready", keyed);
    JobId blocked = enqueue(mail(harness), "blocked", keyed);

    for (JobId id : List.of(dead, waiting, delayed, ready, blocked)) {
      JobState before = state(harness.queues(), id);
      assertThat(harness.queues().admin().release(id)).isEqualTo(JobReleaseResult.NOT_RUNNING);
      assertThat(state(harness.queues(), id)).isEqualTo(before);
    }
    assertThat(harness.queues().admin().release(done)).isEqualTo(JobReleaseResult.GONE);
    assertThat(harness.queues().admin().release(new JobId(1, 2))).isEqualTo(JobReleaseResult.GONE);
    assertClean(harness);
  }

  @Test
  void release_ofAJobWithAKey_keepsItsSlotAndNobodyPassesIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    EnqueueOptions keyed = EnqueueOptions.DEFAULT.concurrencyKey("k");
    JobId first = enqueue(mail(harness), "first", keyed);
    enqueue(mail(harness), "second", keyed);
    claim(mail(harness));

    assertThat(harness.queues().admin().release(first).isDone()).isTrue();

    assertThat(peek(mail(harness), JobState.BLOCKED)).containsExactly("second");
    List<Lease> leases = claim(mail(harness), 2);
    assertThat(payloads(leases)).containsExactly("first");
    leases.get(0).complete().orThrow();
    assertThat(payload(claim(mail(harness)))).isEqualTo("second");
    assertClean(harness);
  }

  @Test
  void release_inALimitedQueue_givesTheTokenBack() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.rateLimit(RateLimit.of(1, ofDays(1))));
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    assertThat(claim(mail(harness), 1)).isEmpty();

    assertThat(harness.queues().admin().release(id).isDone()).isTrue();

    assertThat(claim(mail(harness)).jobId()).isEqualTo(id);
  }

  @Test
  void release_whileAClaimWaits_givesItTheJob() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    CompletableFuture<List<Lease>> waiting =
        mail(harness).claimAsync(ClaimOptions.by("other").waiting(ofDays(1)));

    assertThat(harness.queues().admin().release(id).isDone()).isTrue();

    assertThat(join(waiting)).extracting(Lease::jobId).containsExactly(id);
  }

  @ParameterizedTest
  @EachStoreKind
  void release_inATransaction_happensWithTheRestAndSeesWhatCameBefore(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    JobId hung = enqueue(mail, "hung", EnqueueOptions.DEFAULT.timeToLive(ofDays(1)));
    JobId finished = enqueue(mail, "finished");
    Lease lease = claim(mail);
    Lease last = claim(mail);

    List<JobReleaseResult> told =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.checkpoint(lease, "half".getBytes(UTF_8));
                  tx.complete(last);
                  tx.enqueue(mail.name(), "next".getBytes(UTF_8));
                  return List.of(tx.release(hung), tx.release(hung), tx.release(finished));
                })
            .orThrow()
            .stream()
            .map(answer -> answer.get())
            .toList();

    assertThat(told)
        .containsExactly(
            JobReleaseResult.RELEASED, JobReleaseResult.NOT_RUNNING, JobReleaseResult.GONE);
    assertFenced(lease);
    assertThat(peek(mail, JobState.READY)).containsExactly("hung", "next");
    assertThat(claim(mail).checkpointed()).hasValue("half".getBytes(UTF_8));
    assertClean(harness);
  }

  @Test
  void release_thenTheHoldersOwnEnd_inATransaction_nothingHappens() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));

    TransactionResult<Boolean> result =
        harness
            .queues()
            .inTransaction(
                tx -> {
                  tx.release(id);
                  tx.complete(lease);
                });

    assertThat(result).isEqualTo(new TransactionResult.StaleLease<>(id));
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.LEASED);
    lease.complete().orThrow();
    assertClean(harness);
  }

  @Test
  void release_ofAllThatMeetAFilter_tellsHowManyEndedHow() {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (int i = 0; i < 5; i++) {
      enqueue(mail(harness), "running " + i);
    }
    List<Lease> leases = claim(mail(harness), 4);
    assertThat(harness.queues().cancel(leases.get(3).jobId())).isEqualTo(CancelResult.REQUESTED);
    enqueue(mail(harness), "the leases' records are written with it");
    MatchingJobs all = MatchingJobs.of(harness.queues(), JobFilter.ALL.queueName("mail"));

    assertThat(all.release())
        .isEqualTo(
            Map.of(
                JobReleaseResult.RELEASED, 3L,
                JobReleaseResult.CANCELLED, 1L,
                JobReleaseResult.NOT_RUNNING, 2L));

    assertFenced(leases.get(0));
    assertThat(claim(mail(harness), 9)).hasSize(5);
    assertClean(harness);
  }
}
