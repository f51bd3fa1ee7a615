package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static io.millrace.internal.transition.TransitionRig.START_MS;
import static io.millrace.internal.transition.TransitionRig.claimOf;
import static io.millrace.internal.transition.TransitionRig.ref;
import static io.millrace.internal.transition.TransitionRig.refs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.CompleteResult;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.RedriveResult;
import io.millrace.api.ReleaseResult;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.transition.due.MoveDue;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.lease.Checkpoint;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Expire;
import io.millrace.internal.transition.lease.Extend;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.lease.ReleaseAll;
import io.millrace.internal.transition.lease.Snooze;
import io.millrace.internal.transition.upkeep.OpenStore;
import io.millrace.internal.transition.upkeep.Quarantine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each transition on a store of a few rows: what it answers, and which rows it leaves. */
class TransitionsTest {

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;
  private static final Keyspace[] OF_JOBS = {
    Keyspace.READY,
    Keyspace.LEASE,
    Keyspace.DELAYED,
    Keyspace.DEAD,
    Keyspace.MOVED,
    Keyspace.BLOB,
    Keyspace.HISTORY
  };

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void enqueue_visibleNow_isOneRowAndCounted() {
    JobId id = rig.enqueue("job", PLAIN);

    assertThat(rig.rowCount(OF_JOBS)).isEqualTo(1);
    assertThat(rig.keys(Keyspace.AGENDA)).containsExactly(AgendaKeys.key(START_MS, 1));
    assertThat(rig.count(JobState.READY)).isEqualTo(1);
    assertThat(id).isNotNull();
  }

  @Test
  void enqueue_visibleLater_isDelayedWithAMovedRowAndAnAgenda() {
    rig.enqueue("job", PLAIN.delay(Duration.ofSeconds(5)));

    assertThat(rig.rowCount(Keyspace.DELAYED, Keyspace.MOVED)).isEqualTo(2);
    assertThat(rig.rowCount(OF_JOBS)).isEqualTo(2);
    assertThat(rig.keys(Keyspace.AGENDA)).containsExactly(AgendaKeys.key(START_MS + 5_000, 1));
  }

  @Test
  void enqueue_firstOfItsKeys_bringsRowsThatAreSaidToBeNew() {
    EnqueueOptions holder = PLAIN.unique("u").concurrencyKey("c").timeToLive(Duration.ofDays(1));
    rig.enqueue("x".repeat(2_000), holder);
    assertThat(rig.lastNews()).isEqualTo("[SLOT, TIMER, UNIQUE, BLOB, READY]");

    rig.enqueue("x", PLAIN.concurrencyKey("c"));
    assertThat(rig.lastNews()).isEqualTo("[BLOCKED, MOVED]");

    rig.enqueue("x", PLAIN.engineConcurrencyKey("e", 1));
    rig.enqueue("x", PLAIN.engineConcurrencyKey("e", 1));
    assertThat(rig.lastNews()).isEqualTo("[BLOCKED, SLOT, MOVED]");
  }

  @Test
  void enqueue_inVain_leavesNoQueueAndItsNumberIsGivenAgain() {
    rig.applyInVain(new Enqueue(MAIL, List.of(io.millrace.api.NewJob.of(new byte[1]))));

    assertThat(rig.mail().exists()).isFalse();
    assertThat(rig.state.queueNumbers().next()).isEqualTo(1);
  }

  @Test
  void complete_currentLease_leavesNothing() {
    rig.enqueue("x".repeat(2_000), PLAIN);
    Grant grant = rig.claim();

    List<CompleteResult> first = rig.apply(new Complete(refs(grant)));
    List<CompleteResult> second = rig.apply(new Complete(refs(grant)));

    assertThat(first).containsExactly(CompleteResult.COMPLETED);
    assertThat(second).containsExactly(CompleteResult.GONE);
    assertThat(rig.rowCount(OF_JOBS)).isZero();
    assertThat(rig.mail().isEmpty()).isTrue();
  }

  @Test
  void complete_inVain_leaseAndCountsAreAsBefore() {
    rig.enqueue("job", PLAIN);
    Grant grant = rig.claim();
    rig.state.leases().start(grant.lease(), Long.MAX_VALUE / 2);

    rig.applyInVain(new Complete(refs(grant)));

    assertThat(rig.count(JobState.LEASED)).isEqualTo(1);
    assertThat(rig.apply(new Complete(refs(grant)))).containsExactly(CompleteResult.COMPLETED);
  }

  @Test
  void complete_sameLeaseTwiceInOneCall_countsOnce() {
    rig.enqueue("job", PLAIN);
    NamedLease ref = ref(rig.claim());

    List<CompleteResult> results = rig.apply(new Complete(List.of(ref, ref)));

    assertThat(results).containsExactly(CompleteResult.COMPLETED, CompleteResult.GONE);
    assertThat(rig.count(JobState.LEASED)).isZero();
  }

  @Test
  void claim_inVain_jobIsReadyAgainAndTheLeaseWasNever() {
    rig.enqueue("job", PLAIN);

    List<Grant> grants = rig.applyInVain(claimOf(1));

    assertThat(grants).hasSize(1);
    assertThat(rig.state.leases().size()).isZero();
    assertThat(rig.claim().lease().attempt()).isEqualTo(1);
  }

  @Test
  void recount_claimToldBeforeItsBatchFailed_isInTheNextBatchOnce() {
    rig.enqueue("job", PLAIN);
    rig.enqueue("other", PLAIN);
    LeaseEntry told = rig.applyInVain(new ToldClaim()).get(0).lease();

    List<Grant> next = rig.apply(new AfterRecount());

    assertThat(next).extracting(grant -> grant.lease().birth()).doesNotContain(told.birth());
    assertThat(rig.rowCount(Keyspace.LEASE)).isEqualTo(2);
    assertThat(rig.count(JobState.LEASED)).isEqualTo(2);
    assertThat(rig.count(JobState.READY)).isZero();
  }

  /** A claim whose holder is told before the batch is written. */
  private static final class ToldClaim implements Transition<List<Grant>> {
    @Override
    public Growth growth() {
      return Growth.FREES;
    }

    @Override
    public Cost cost() {
      return new Cost(1, 1_000);
    }

    @Override
    public List<Grant> apply(OpenBatch batch) {
      List<Grant> grants = claimOf(1).apply(batch);
      grants.forEach(grant -> batch.state().leases().start(grant.lease(), Long.MAX_VALUE / 2));
      return grants;
    }
  }

  /** What the loop does with every batch, and then another claim. */
  private static final class AfterRecount implements Transition<List<Grant>> {
    @Override
    public Growth growth() {
      return Growth.FREES;
    }

    @Override
    public Cost cost() {
      return new Cost(2, 1_000);
    }

    @Override
    public List<Grant> apply(OpenBatch batch) {
      LeaseRows.recount(batch);
      return claimOf(9).apply(batch);
    }
  }

  @Test
  void fail_attemptsLeft_isDelayedByTheBackoff() {
    rig.enqueue("job", PLAIN.backoff(Backoff.fixed(Duration.ofSeconds(7))));
    Grant grant = rig.claim();

    List<FailResult> results = rig.apply(new Fail(refs(grant), "broken", FailOptions.RETRY));

    assertThat(results)
        .containsExactly(new FailResult.Retried(Instant.ofEpochMilli(START_MS + 7_000)));
    assertThat(rig.rowCount(Keyspace.DELAYED)).isEqualTo(1);
    assertThat(rig.rowCount(Keyspace.READY, Keyspace.LEASE)).isZero();
  }

  @Test
  void fail_lastAttempt_isDead() {
    rig.enqueue("job", PLAIN.maxAttempts(1));
    Grant grant = rig.claim();

    List<FailResult> results = rig.apply(new Fail(refs(grant), "broken", FailOptions.RETRY));

    assertThat(results).containsExactly(new FailResult.Died());
    assertThat(rig.rowCount(Keyspace.DEAD)).isEqualTo(1);
    assertThat(rig.count(JobState.DEAD)).isEqualTo(1);
  }

  @Test
  void release_keepsThePlaceAndTheAttempts() {
    rig.enqueue("first", PLAIN);
    rig.enqueue("second", PLAIN);
    Grant first = rig.claim();

    List<ReleaseResult> results = rig.apply(new Release(refs(first)));

    assertThat(results).containsExactly(ReleaseResult.RELEASED);
    Grant again = rig.claim();
    assertThat(again.lease().birth()).isEqualTo(first.lease().birth());
    assertThat(again.lease().attempt()).isEqualTo(1);
    assertThat(again.lease().token()).isGreaterThan(first.lease().token());
    assertThat(rig.apply(new Release(refs(first)))).containsExactly(ReleaseResult.STALE_LEASE);
  }

  @Test
  void snooze_untilThePast_goesToTheBack() {
    rig.enqueue("first", PLAIN);
    rig.enqueue("second", PLAIN);
    Grant first = rig.claim();

    rig.apply(new Snooze(refs(first), new Snooze.Until(Snooze.Until.Kind.INSTANT, 1)));

    assertThat(rig.claim().lease().birth()).isNotEqualTo(first.lease().birth());
    assertThat(rig.claim().lease().birth()).isEqualTo(first.lease().birth());
  }

  @Test
  void extend_moreThanGranted_isStoredAndTakenBackWithItsBatch() {
    rig.enqueue("job", PLAIN);
    Grant grant = rig.claim();
    rig.state.leases().start(grant.lease(), START_MS * 1_000_000 + 1);

    rig.applyInVain(new Extend(refs(grant), Duration.ofMinutes(9)));
    assertThat(grant.lease().grantedMs()).isEqualTo(30_000);
    List<ExtendResult> results = rig.apply(new Extend(refs(grant), Duration.ofMinutes(9)));

    assertThat(results).containsExactly(new ExtendResult.Extended(Duration.ofMinutes(9)));
    assertThat(grant.lease().grantedMs()).isEqualTo(540_000);
  }

  @Test
  void extend_atItsVeryEnd_isStale() {
    rig.enqueue("job", PLAIN);
    Grant grant = rig.claim();
    rig.state.leases().start(grant.lease(), START_MS * 1_000_000);

    List<ExtendResult> results = rig.apply(new Extend(refs(grant), Duration.ofMinutes(9)));

    assertThat(results).containsExactly(new ExtendResult.StaleLease());
  }

  @Test
  void expire_severalEnded_readyOrDeadByTheirAttempts() {
    rig.enqueue("again", PLAIN);
    rig.enqueue("last", PLAIN.maxAttempts(1));
    rig.state.leases().start(rig.claim().lease(), 10);
    rig.state.leases().start(rig.claim().lease(), 20);

    int none = rig.apply(new Expire(9));
    int both = rig.apply(new Expire(20));

    assertThat(none).isZero();
    assertThat(both).isEqualTo(2);
    assertThat(rig.count(JobState.READY)).isEqualTo(1);
    assertThat(rig.count(JobState.DEAD)).isEqualTo(1);
    assertThat(rig.claim().lease().attempt()).isEqualTo(2);
  }

  @Test
  void moveDue_onlyWhatIsVisible_joinsTheLineInTheOrderOfTimes() {
    JobId second = rig.enqueue("second", PLAIN.delay(Duration.ofMillis(20)));
    JobId first = rig.enqueue("first", PLAIN.delay(Duration.ofMillis(10)));
    rig.enqueue("third", PLAIN.delay(Duration.ofMillis(30)));
    rig.nowMs += 20;

    assertThat(rig.apply(new MoveDue())).isEmpty();

    assertThat(rig.count(JobState.DELAYED)).isEqualTo(1);
    assertThat(rig.mail().nextDelayed().earliestMs()).isEqualTo(START_MS + 30);
    assertThat(jobId(rig.claim())).isEqualTo(first);
    assertThat(jobId(rig.claim())).isEqualTo(second);
  }

  private static JobId jobId(Grant grant) {
    return grant.job().jobId(grant.lease().queue());
  }

  @Test
  void cancel_everyState_removesAllRowsOrRefuses() {
    JobId ready = rig.enqueue("ready", PLAIN);
    JobId delayed = rig.enqueue("delayed", PLAIN.delay(Duration.ofSeconds(1)));
    JobId dead = rig.enqueue("dead", PLAIN.priority(9));
    rig.apply(new Fail(refs(rig.claim()), "x", FailOptions.PERMANENT));
    JobId leased = rig.enqueue("leased", PLAIN.priority(9));
    Grant grant = rig.claim();

    assertThat(rig.apply(Cancel.ifWaiting(ready))).isEqualTo(CancelResult.CANCELLED);
    assertThat(rig.apply(Cancel.ifWaiting(delayed))).isEqualTo(CancelResult.CANCELLED);
    assertThat(rig.apply(Cancel.ifWaiting(dead))).isEqualTo(CancelResult.CANCELLED);
    assertThat(rig.apply(Cancel.ifWaiting(leased))).isEqualTo(CancelResult.RUNNING);
    assertThat(rig.apply(Cancel.ifWaiting(ready))).isEqualTo(CancelResult.GONE);
    rig.apply(new Complete(refs(grant)));

    assertThat(rig.rowCount(OF_JOBS)).isZero();
  }

  @Test
  void redrive_sameJobTwiceInOneCall_isRedrivenOnce() {
    JobId dead = rig.enqueue("dead", PLAIN);
    rig.apply(new Fail(refs(rig.claim()), "x", FailOptions.PERMANENT));

    List<RedriveResult> results = rig.apply(new Redrive(List.of(dead, dead)));

    assertThat(results).containsExactly(new RedriveResult.Redriven(), new RedriveResult.NotDead());
    assertThat(rig.count(JobState.DEAD)).isZero();
    assertThat(rig.claim().lease().attempt()).isEqualTo(1);
  }

  @Test
  void redrive_sameJobTwiceInOneBatch_isRedrivenOnce() {
    JobId dead = rig.enqueue("dead", PLAIN);
    rig.apply(new Fail(refs(rig.claim()), "x", FailOptions.PERMANENT));

    rig.applyWithoutRows(new Redrive(List.of(dead)), new Redrive(List.of(dead)));

    assertThat(rig.count(JobState.DEAD)).isZero();
    assertThat(rig.count(JobState.READY)).isEqualTo(1);
    assertThat(rig.rowCount(Keyspace.READY)).isEqualTo(1);
  }

  @Test
  void snooze_afterACheckpointInTheSameBatch_keepsTheCheckpoint() {
    rig.enqueue("job", PLAIN);
    NamedLease lease = ref(rig.claim());

    rig.applyWithoutRows(
        new Checkpoint(lease, new byte[] {7}),
        new Snooze(List.of(lease), new Snooze.Until(Snooze.Until.Kind.INSTANT, START_MS + 1_000)));

    rig.nowMs += 1_000;
    rig.apply(new MoveDue());
    assertThat(rig.claim().job().checkpointed())
        .isInstanceOfSatisfying(
            Payload.Inline.class, kept -> assertThat(kept.payload()).containsExactly(7));
  }

  @Test
  void releaseAll_recordOfALeaseMissing_othersAreHandedBack() {
    rig.enqueue("lost", PLAIN);
    rig.enqueue("kept", PLAIN);
    Grant lost = rig.claim();
    rig.claim();
    rig.remove(lost.lease().readyKey());

    rig.apply(new ReleaseAll(List.copyOf(rig.state.leases().all())));

    assertThat(rig.state.leases().size()).isEqualTo(1);
    assertThat(rig.state.leases().get(lost.lease().birth())).isSameAs(lost.lease());
  }

  @Test
  void quarantine_corruptReadyRow_isSetAsideWithItsCountAndOthersAreServed() {
    rig.enqueue("lost", PLAIN);
    rig.enqueue("kept", PLAIN);
    byte[] key = rig.keys(Keyspace.READY).get(0);
    rig.damage(key);
    rig.state.forgetStored();

    boolean wasSetAside = rig.apply(new Quarantine(key));
    boolean again = rig.apply(new Quarantine(key));

    assertThat(wasSetAside).isTrue();
    assertThat(again).isFalse();
    assertThat(rig.rowCount(Keyspace.QUARANTINE)).isEqualTo(1);
    assertThat(rig.count(JobState.READY)).isEqualTo(1);
    assertThat(new String(inline(rig.claim()), java.nio.charset.StandardCharsets.UTF_8))
        .isEqualTo("kept");
  }

  private static byte[] inline(Grant grant) {
    return ((io.millrace.internal.format.Payload.Inline) grant.job().payload()).payload();
  }

  @Test
  void recount_countersCorrupt_countsAndHeadsAreExactAgain() {
    rig.enqueue("leased", PLAIN.priority(3));
    rig.enqueue("ready", PLAIN.priority(3));
    rig.enqueue("low", PLAIN);
    rig.enqueue("later", PLAIN.delay(Duration.ofSeconds(9)));
    rig.claim();
    byte[] low = rig.keys(Keyspace.READY).get(2);
    rig.damage(rig.keys(Keyspace.COUNTERS).get(0));
    rig.state.forgetStored();

    List<Grant> none =
        rig.apply(
            new Claim(
                new io.millrace.internal.state.ClaimSpec(
                    List.of(MAIL), "w", 1, 0, 1, 0, 1, Map.of(), 0, List.of())));

    assertThat(none).isEmpty();
    assertThat(rig.count(JobState.READY)).isEqualTo(2);
    assertThat(rig.count(JobState.LEASED)).isEqualTo(1);
    assertThat(rig.count(JobState.DELAYED)).isEqualTo(1);
    assertThat(rig.mail().nextDelayed().earliestMs()).isEqualTo(START_MS + 9_000);
    assertThat(rig.mail().windows().get(1).lowestUnleased())
        .isLessThanOrEqualTo(ReadyKeys.sequence(low));
    assertThat(rig.rowCount(Keyspace.AGENDA, Keyspace.QUARANTINE)).isEqualTo(2);
  }

  @Test
  void openStore_factsCorrupt_areSetAsideAndNumbersAreNotGivenTwice() {
    rig.enqueue("job", PLAIN);
    rig.damage(io.millrace.internal.format.MetaKeys.QUEUE_NUMBERS);
    rig.damage(io.millrace.internal.format.MetaKeys.CLEAN_STOP);

    OpenStore.LastStop stop = rig.apply(new OpenStore(2));

    assertThat(stop).isEqualTo(OpenStore.LastStop.UNCLEAN);
    assertThat(rig.state.queueNumbers().next()).isEqualTo(2);
    assertThat(rig.rowCount(Keyspace.QUARANTINE)).isEqualTo(2);
  }

  @Test
  void release_recordCorrupt_isToldAndReportedAndChangesNothing() {
    rig.enqueue("job", PLAIN);
    Grant grant = rig.claim();
    rig.damage(grant.lease().readyKey());

    assertThatThrownBy(() -> rig.apply(new Release(refs(grant))))
        .isInstanceOf(CorruptDataException.class);

    assertThat(rig.state.leases().get(grant.lease().birth())).isSameAs(grant.lease());
  }
}
