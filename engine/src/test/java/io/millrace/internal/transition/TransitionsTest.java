package io.millrace.internal.transition;

import static io.millrace.internal.transition.SmallStore.START_MS;
import static io.millrace.internal.transition.SmallStore.ref;
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
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.LeaseEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

  private final SmallStore store = new SmallStore();

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void enqueue_visibleNow_isOneRowAndCounted() {
    JobId id = store.enqueue("job", PLAIN);

    assertThat(store.rowCount(OF_JOBS)).isEqualTo(1);
    assertThat(store.rows(Keyspace.AGENDA)).containsExactly(AgendaKeys.key(START_MS, 1));
    assertThat(store.count(JobState.READY)).isEqualTo(1);
    assertThat(id).isNotNull();
  }

  @Test
  void enqueue_visibleLater_isDelayedWithAMovedRowAndAnAgenda() {
    store.enqueue("job", PLAIN.delay(Duration.ofSeconds(5)));

    assertThat(store.rowCount(Keyspace.DELAYED, Keyspace.MOVED)).isEqualTo(2);
    assertThat(store.rowCount(OF_JOBS)).isEqualTo(2);
    assertThat(store.rows(Keyspace.AGENDA)).containsExactly(AgendaKeys.key(START_MS + 5_000, 1));
  }

  @Test
  void enqueue_inVain_leavesNoQueueAndItsNumberIsGivenAgain() {
    store.applyInVain(
        new Enqueue(SmallStore.MAIL, List.of(io.millrace.api.NewJob.of(new byte[1]))));

    assertThat(store.mail().exists()).isFalse();
    assertThat(store.state.nextQueueNumber()).isEqualTo(1);
  }

  @Test
  void complete_currentLease_leavesNothing() {
    store.enqueue("x".repeat(2_000), PLAIN);
    Grant grant = store.claim();

    List<CompleteResult> first = store.apply(new Complete(ref(grant)));
    List<CompleteResult> second = store.apply(new Complete(ref(grant)));

    assertThat(first).containsExactly(CompleteResult.COMPLETED);
    assertThat(second).containsExactly(CompleteResult.GONE);
    assertThat(store.rowCount(OF_JOBS)).isZero();
    assertThat(store.mail().isEmpty()).isTrue();
  }

  @Test
  void complete_inVain_leaseAndCountsAreAsBefore() {
    store.enqueue("job", PLAIN);
    Grant grant = store.claim();
    store.state.leases().start(grant.lease(), Long.MAX_VALUE / 2);

    store.applyInVain(new Complete(ref(grant)));

    assertThat(store.count(JobState.LEASED)).isEqualTo(1);
    assertThat(store.apply(new Complete(ref(grant)))).containsExactly(CompleteResult.COMPLETED);
  }

  @Test
  void complete_sameLeaseTwiceInOneCall_countsOnce() {
    store.enqueue("job", PLAIN);
    LeaseRef ref = ref(store.claim()).get(0);

    List<CompleteResult> results = store.apply(new Complete(List.of(ref, ref)));

    assertThat(results).containsExactly(CompleteResult.COMPLETED, CompleteResult.GONE);
    assertThat(store.count(JobState.LEASED)).isZero();
  }

  @Test
  void claim_inVain_jobIsReadyAgainAndTheLeaseWasNever() {
    store.enqueue("job", PLAIN);

    List<Grant> grants = store.applyInVain(SmallStore.claimOf(1));

    assertThat(grants).hasSize(1);
    assertThat(store.state.leases().size()).isZero();
    assertThat(store.claim().lease().attempt()).isEqualTo(1);
  }

  @Test
  void countUnwritten_claimToldBeforeItsBatchFailed_isInTheNextBatchOnce() {
    store.enqueue("job", PLAIN);
    store.enqueue("other", PLAIN);
    LeaseEntry told = store.applyInVain(new ToldClaim()).get(0).lease();

    List<Grant> next = store.apply(new AfterUnwritten());

    assertThat(next).extracting(grant -> grant.lease().birth()).doesNotContain(told.birth());
    assertThat(store.rowCount(Keyspace.LEASE)).isEqualTo(2);
    assertThat(store.count(JobState.LEASED)).isEqualTo(2);
    assertThat(store.count(JobState.READY)).isZero();
  }

  /** A claim whose holder is told before the batch is written. */
  private static final class ToldClaim implements Transition<List<Grant>> {
    @Override
    public Growth growth() {
      return Growth.FREES;
    }

    @Override
    public int operationCountMax() {
      return 1;
    }

    @Override
    public long bytesMax() {
      return 1_000;
    }

    @Override
    public List<Grant> apply(Change change) {
      List<Grant> grants = SmallStore.claimOf(1).apply(change);
      grants.forEach(grant -> change.state().leases().start(grant.lease(), Long.MAX_VALUE / 2));
      return grants;
    }
  }

  /** What the loop does with every batch, and then another claim. */
  private static final class AfterUnwritten implements Transition<List<Grant>> {
    @Override
    public Growth growth() {
      return Growth.FREES;
    }

    @Override
    public int operationCountMax() {
      return 2;
    }

    @Override
    public long bytesMax() {
      return 1_000;
    }

    @Override
    public List<Grant> apply(Change change) {
      LeaseRows.countUnwritten(change);
      return SmallStore.claimOf(9).apply(change);
    }
  }

  @Test
  void fail_attemptsLeft_isDelayedByTheBackoff() {
    store.enqueue("job", PLAIN.backoff(Backoff.fixed(Duration.ofSeconds(7))));
    Grant grant = store.claim();

    List<FailResult> results = store.apply(new Fail(ref(grant), "broken", FailOptions.RETRY));

    assertThat(results)
        .containsExactly(new FailResult.Retried(Instant.ofEpochMilli(START_MS + 7_000)));
    assertThat(store.rowCount(Keyspace.DELAYED)).isEqualTo(1);
    assertThat(store.rowCount(Keyspace.READY, Keyspace.LEASE)).isZero();
  }

  @Test
  void fail_lastAttempt_isDead() {
    store.enqueue("job", PLAIN.maxAttempts(1));
    Grant grant = store.claim();

    List<FailResult> results = store.apply(new Fail(ref(grant), "broken", FailOptions.RETRY));

    assertThat(results).containsExactly(new FailResult.Dead());
    assertThat(store.rowCount(Keyspace.DEAD)).isEqualTo(1);
    assertThat(store.count(JobState.DEAD)).isEqualTo(1);
  }

  @Test
  void release_keepsThePlaceAndTheAttempts() {
    store.enqueue("first", PLAIN);
    store.enqueue("second", PLAIN);
    Grant first = store.claim();

    List<ReleaseResult> results = store.apply(new Release(ref(first)));

    assertThat(results).containsExactly(ReleaseResult.RELEASED);
    Grant again = store.claim();
    assertThat(again.lease().birth()).isEqualTo(first.lease().birth());
    assertThat(again.lease().attempt()).isEqualTo(1);
    assertThat(again.lease().token()).isGreaterThan(first.lease().token());
    assertThat(store.apply(new Release(ref(first)))).containsExactly(ReleaseResult.STALE_LEASE);
  }

  @Test
  void snooze_untilThePast_goesToTheBack() {
    store.enqueue("first", PLAIN);
    store.enqueue("second", PLAIN);
    Grant first = store.claim();

    store.apply(new Snooze(ref(first), new Snooze.Until(Snooze.Until.Kind.INSTANT, 1)));

    assertThat(store.claim().lease().birth()).isNotEqualTo(first.lease().birth());
    assertThat(store.claim().lease().birth()).isEqualTo(first.lease().birth());
  }

  @Test
  void extend_moreThanGranted_isStoredAndTakenBackWithItsBatch() {
    store.enqueue("job", PLAIN);
    Grant grant = store.claim();
    store.state.leases().start(grant.lease(), START_MS * 1_000_000 + 1);

    store.applyInVain(new Extend(ref(grant), Duration.ofMinutes(9)));
    assertThat(grant.lease().grantedMs()).isEqualTo(30_000);
    List<ExtendResult> results = store.apply(new Extend(ref(grant), Duration.ofMinutes(9)));

    assertThat(results).containsExactly(new ExtendResult.Extended(Duration.ofMinutes(9)));
    assertThat(grant.lease().grantedMs()).isEqualTo(540_000);
  }

  @Test
  void extend_atItsVeryEnd_isStale() {
    store.enqueue("job", PLAIN);
    Grant grant = store.claim();
    store.state.leases().start(grant.lease(), START_MS * 1_000_000);

    List<ExtendResult> results = store.apply(new Extend(ref(grant), Duration.ofMinutes(9)));

    assertThat(results).containsExactly(new ExtendResult.StaleLease());
  }

  @Test
  void expire_severalEnded_readyOrDeadByTheirAttempts() {
    store.enqueue("again", PLAIN);
    store.enqueue("last", PLAIN.maxAttempts(1));
    store.state.leases().start(store.claim().lease(), 10);
    store.state.leases().start(store.claim().lease(), 20);

    int none = store.apply(new Expire(9));
    int both = store.apply(new Expire(20));

    assertThat(none).isZero();
    assertThat(both).isEqualTo(2);
    assertThat(store.count(JobState.READY)).isEqualTo(1);
    assertThat(store.count(JobState.DEAD)).isEqualTo(1);
    assertThat(store.claim().lease().attempt()).isEqualTo(2);
  }

  @Test
  void moveDue_onlyWhatIsVisible_joinsTheLineInTheOrderOfTimes() {
    JobId second = store.enqueue("second", PLAIN.delay(Duration.ofMillis(20)));
    JobId first = store.enqueue("first", PLAIN.delay(Duration.ofMillis(10)));
    store.enqueue("third", PLAIN.delay(Duration.ofMillis(30)));
    store.nowMs += 20;

    assertThat(store.apply(new MoveDue())).isEmpty();

    assertThat(store.count(JobState.DELAYED)).isEqualTo(1);
    assertThat(store.mail().nextDelayedAtMs()).isEqualTo(START_MS + 30);
    assertThat(jobId(store.claim())).isEqualTo(first);
    assertThat(jobId(store.claim())).isEqualTo(second);
  }

  private static JobId jobId(Grant grant) {
    return grant.job().jobId(grant.lease().queue());
  }

  @Test
  void cancel_everyState_removesAllRowsOrRefuses() {
    JobId ready = store.enqueue("ready", PLAIN);
    JobId delayed = store.enqueue("delayed", PLAIN.delay(Duration.ofSeconds(1)));
    JobId dead = store.enqueue("dead", PLAIN.priority(9));
    store.apply(new Fail(ref(store.claim()), "x", FailOptions.PERMANENT));
    JobId leased = store.enqueue("leased", PLAIN.priority(9));
    Grant grant = store.claim();

    assertThat(store.apply(new Cancel(ready))).isEqualTo(CancelResult.OK);
    assertThat(store.apply(new Cancel(delayed))).isEqualTo(CancelResult.OK);
    assertThat(store.apply(new Cancel(dead))).isEqualTo(CancelResult.OK);
    assertThat(store.apply(new Cancel(leased))).isEqualTo(CancelResult.RUNNING);
    assertThat(store.apply(new Cancel(ready))).isEqualTo(CancelResult.GONE);
    store.apply(new Complete(ref(grant)));

    assertThat(store.rowCount(OF_JOBS)).isZero();
  }

  @Test
  void redrive_sameJobTwiceInOneCall_isRedrivenOnce() {
    JobId dead = store.enqueue("dead", PLAIN);
    store.apply(new Fail(ref(store.claim()), "x", FailOptions.PERMANENT));

    List<RedriveResult> results = store.apply(new Redrive(List.of(dead, dead)));

    assertThat(results).containsExactly(RedriveResult.REDRIVEN, RedriveResult.NOT_DEAD);
    assertThat(store.count(JobState.DEAD)).isZero();
    assertThat(store.claim().lease().attempt()).isEqualTo(1);
  }

  @Test
  void releaseAll_recordOfALeaseMissing_othersAreHandedBack() {
    store.enqueue("lost", PLAIN);
    store.enqueue("kept", PLAIN);
    Grant lost = store.claim();
    store.claim();
    store.remove(lost.lease().readyKey());

    store.apply(new ReleaseAll(List.copyOf(store.state.leases().all())));

    assertThat(store.state.leases().size()).isEqualTo(1);
    assertThat(store.state.leases().get(lost.lease().birth())).isSameAs(lost.lease());
  }

  @Test
  void quarantine_corruptReadyRow_isSetAsideWithItsCountAndOthersAreServed() {
    store.enqueue("lost", PLAIN);
    store.enqueue("kept", PLAIN);
    byte[] key = store.rows(Keyspace.READY).get(0);
    store.damage(key);
    store.state.forgetStored();

    boolean wasSetAside = store.apply(new Quarantine(key));
    boolean again = store.apply(new Quarantine(key));

    assertThat(wasSetAside).isTrue();
    assertThat(again).isFalse();
    assertThat(store.rowCount(Keyspace.QUARANTINE)).isEqualTo(1);
    assertThat(store.count(JobState.READY)).isEqualTo(1);
    assertThat(new String(inline(store.claim()), java.nio.charset.StandardCharsets.UTF_8))
        .isEqualTo("kept");
  }

  private static byte[] inline(Grant grant) {
    return ((io.millrace.internal.format.Payload.Inline) grant.job().payload()).payload();
  }

  @Test
  void recount_countersCorrupt_countsAndHeadsAreExactAgain() {
    store.enqueue("leased", PLAIN.priority(3));
    store.enqueue("ready", PLAIN.priority(3));
    store.enqueue("low", PLAIN);
    store.enqueue("later", PLAIN.delay(Duration.ofSeconds(9)));
    store.claim();
    byte[] low = store.rows(Keyspace.READY).get(2);
    store.damage(store.rows(Keyspace.COUNTERS).get(0));
    store.state.forgetStored();

    List<Grant> none =
        store.apply(
            new Claim(
                new io.millrace.internal.state.ClaimSpec(
                    List.of(SmallStore.MAIL), "w", 1, 0, 1, 0, 1)));

    assertThat(none).isEmpty();
    assertThat(store.count(JobState.READY)).isEqualTo(2);
    assertThat(store.count(JobState.LEASED)).isEqualTo(1);
    assertThat(store.count(JobState.DELAYED)).isEqualTo(1);
    assertThat(store.mail().nextDelayedAtMs()).isEqualTo(START_MS + 9_000);
    assertThat(store.mail().windows().get(1).lowestUnleased())
        .isLessThanOrEqualTo(ReadyKeys.sequence(low));
    assertThat(store.rowCount(Keyspace.AGENDA, Keyspace.QUARANTINE)).isEqualTo(2);
  }

  @Test
  void openStore_factsCorrupt_areSetAsideAndNumbersAreNotGivenTwice() {
    store.enqueue("job", PLAIN);
    store.damage(io.millrace.internal.format.MetaKeys.QUEUE_NUMBERS);
    store.damage(io.millrace.internal.format.MetaKeys.CLEAN_STOP);

    OpenStore.LastStop stop = store.apply(new OpenStore(2));

    assertThat(stop).isEqualTo(OpenStore.LastStop.UNCLEAN);
    assertThat(store.state.nextQueueNumber()).isEqualTo(2);
    assertThat(store.rowCount(Keyspace.QUARANTINE)).isEqualTo(2);
  }

  @Test
  void release_recordCorrupt_isToldAndReportedAndChangesNothing() {
    store.enqueue("job", PLAIN);
    Grant grant = store.claim();
    store.damage(grant.lease().readyKey());

    assertThatThrownBy(() -> store.apply(new Release(ref(grant))))
        .isInstanceOf(CorruptDataException.class);

    assertThat(store.state.leases().get(grant.lease().birth())).isSameAs(grant.lease());
  }
}
