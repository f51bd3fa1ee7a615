package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static io.millrace.internal.transition.TransitionRig.START_MS;
import static io.millrace.internal.transition.TransitionRig.refs;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.due.OfferRetained;
import io.millrace.internal.transition.due.RemoveRetained;
import io.millrace.internal.transition.due.Sweep;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.HandBack;
import io.millrace.internal.transition.lease.Release;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SweepTest {

  private static final EnqueueOptions SECOND =
      EnqueueOptions.DEFAULT.timeToLive(Duration.ofSeconds(1));

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private int sweep() {
    return rig.apply(new Sweep(rig.head, Sweep.Scope.ALL, rig.nowMs));
  }

  @Test
  void apply_nothingIsDue_remembersWhenSomethingIs() {
    rig.enqueue(SECOND);

    assertThat(sweep()).isZero();

    assertThat(rig.head.timeMs()).isEqualTo(START_MS + 1_000);
    rig.nowMs += 1_000;
    assertThat(sweep()).isEqualTo(1);
    assertThat(rig.head.timeMs()).isEqualTo(QueueState.NEVER);
    assertThat(rig.count(JobState.READY)).isZero();
  }

  @Test
  void apply_moreThanAStepIsDue_stopsAndGoesOnWhereItStopped() {
    rig.apply(new Enqueue(MAIL, Collections.nCopies(2_500, new NewJob(new byte[1], SECOND))));
    rig.nowMs += 1_000;

    assertThat(sweep()).isEqualTo(1_000);
    assertThat(rig.head.timeMs()).isEqualTo(rig.nowMs);
    assertThat(sweep()).isEqualTo(1_000);
    assertThat(sweep()).isEqualTo(500);

    assertThat(rig.mail().counters().totals()[Total.DROPPED.ordinal()]).isEqualTo(2_500);
    assertThat(rig.rowCount(Keyspace.READY)).isZero();
    assertThat(rig.rowCount(Keyspace.TIMER)).isZero();
  }

  @Test
  void apply_rowIsPutBeforeTheHead_isFound() {
    rig.enqueue(EnqueueOptions.DEFAULT.timeToLive(Duration.ofSeconds(9)));
    sweep();
    rig.enqueue(SECOND);

    assertThat(rig.head.timeMs()).isEqualTo(START_MS + 1_000);
    rig.nowMs += 1_000;
    assertThat(sweep()).isEqualTo(1);
    assertThat(rig.count(JobState.READY)).isEqualTo(1);
  }

  @Test
  void apply_batchNeverHappens_isDoneAgain() {
    rig.enqueue(SECOND);
    rig.nowMs += 1_000;
    rig.applyInVain(new Sweep(rig.head, Sweep.Scope.ALL, rig.nowMs));

    assertThat(rig.head.timeMs()).isZero();
    assertThat(sweep()).isEqualTo(1);
    assertThat(rig.rowCount(Keyspace.READY)).isZero();
  }

  @Test
  void apply_retentionOfAJobThatLives_dropsTheRowAndNothingElse() {
    JobId id = rig.enqueue(EnqueueOptions.DEFAULT);
    for (TimerKeys.Kind kind : TimerKeys.Kind.values()) {
      putTimer(kind, START_MS);
    }

    assertThat(sweep()).isEqualTo(TimerKeys.Kind.values().length);

    assertThat(rig.rowCount(Keyspace.TIMER)).isZero();
    assertThat(rig.count(JobState.READY)).isEqualTo(1);
    assertThat(rig.claim().job().jobId(rig.mail().number())).isEqualTo(id);
  }

  @Test
  void apply_timeToLiveOfALeasedJob_dropsTheRowAndNothingElse() {
    rig.enqueue(SECOND);
    Grant grant = rig.claim();
    rig.nowMs += 1_000;
    putTimer(TimerKeys.Kind.TIME_TO_LIVE, rig.nowMs);

    sweep();

    assertThat(rig.rowCount(Keyspace.TIMER)).isZero();
    assertThat(rig.state.leases().get(grant.lease().birth())).isSameAs(grant.lease());
    assertThat(rig.rowCount(Keyspace.READY)).isEqualTo(1);
  }

  /** A row for the queue's first job. */
  private void putTimer(TimerKeys.Kind kind, long timeMs) {
    byte[] ready = rig.keys(Keyspace.READY).get(0);
    byte[] key = TimerKeys.key(timeMs, ReadyKeys.queue(ready), kind, ReadyKeys.sequence(ready));
    rig.put(key, new TimerRecord(ready).encode(key));
  }

  @Test
  void apply_rowsOfNoKindOrQueue_areSetAsideOrDropped() {
    byte[] foreign = {Keyspace.TIMER.code(), 1, 2};
    rig.put(foreign, new byte[] {1});
    byte[] unknown = TimerKeys.key(5, 1, TimerKeys.Kind.TIME_TO_LIVE, 7);
    byte[] ofNoKind = Arrays.copyOf(unknown, unknown.length);
    ofNoKind[13] = 99;
    rig.put(ofNoKind, new byte[] {1});
    byte[] ofNoQueue = TimerKeys.key(5, 777, TimerKeys.Kind.DEAD_RETENTION, 7);
    rig.put(ofNoQueue, new TimerRecord(foreign).encode(ofNoQueue));

    assertThat(sweep()).isEqualTo(1);

    assertThat(rig.rowCount(Keyspace.TIMER)).isZero();
    assertThat(rig.rowCount(Keyspace.QUARANTINE)).isEqualTo(2);
  }

  @Test
  void apply_timerCannotBeRead_findsTheJobAnyhow() {
    rig.enqueue(SECOND);
    byte[] timer = rig.keys(Keyspace.TIMER).get(0);
    rig.put(timer, new byte[] {1, 2, 3});
    rig.nowMs += 1_000;

    sweep();

    assertThat(rig.rowCount(Keyspace.READY)).isZero();
    assertThat(rig.rowCount(Keyspace.TIMER)).isZero();
  }

  @Test
  void withoutRetention_passesOverWhatOthersOffer() {
    dead();
    rig.enqueue(SECOND);
    rig.nowMs += 1_000;

    assertThat(rig.apply(new Sweep(rig.head, Sweep.Scope.WITHOUT_RETENTION, rig.nowMs)))
        .isEqualTo(1);

    assertThat(rig.count(JobState.DEAD)).isEqualTo(1);
    assertThat(rig.count(JobState.READY)).isZero();
    assertThat(rig.rowCount(Keyspace.TIMER)).isEqualTo(1);
  }

  @Test
  void offerRetained_isRemovedOnlyIfItStillHasEnded() {
    JobId first = dead();
    JobId second = dead();
    rig.nowMs += 1_000;
    List<OfferRetained.Offer> offers = offerRetained(List.of()).offers();
    assertThat(offers).extracting(OfferRetained.Offer::jobId).containsExactly(first, second);
    rig.apply(new Redrive(List.of(second)));

    int count =
        rig.apply(new RemoveRetained(offers.stream().map(OfferRetained.Offer::timerKey).toList()));

    assertThat(count).isEqualTo(1);
    assertThat(rig.count(JobState.DEAD)).isZero();
    assertThat(rig.count(JobState.READY)).isEqualTo(1);
    assertThat(offerRetained(List.of()).offers()).isEmpty();
    assertThat(rig.head.timeMs()).isEqualTo(QueueState.NEVER);
  }

  @Test
  void offerRetained_rowsOfferedAgain_areOfferedOnceOrToldToBeGone() {
    dead();
    JobId second = dead();
    rig.nowMs += 1_000;
    List<byte[]> rows =
        offerRetained(List.of()).offers().stream().map(OfferRetained.Offer::timerKey).toList();
    assertThat(offerRetained(List.of()).offers()).isEmpty();
    rig.apply(new RemoveRetained(rows.subList(0, 1)));
    rig.head.note(rows.get(1));

    OfferRetained.Step step = offerRetained(rows);

    assertThat(step.offers()).extracting(OfferRetained.Offer::jobId).containsExactly(second);
    assertThat(step.gone()).containsExactly(rows.get(0));
    assertThat(rig.head.timeMs()).isEqualTo(QueueState.NEVER);
  }

  private OfferRetained.Step offerRetained(List<byte[]> again) {
    return rig.apply(
        new OfferRetained(
            rig.head, again, row -> again.stream().anyMatch(key -> Arrays.equals(key, row))));
  }

  private JobId dead() {
    rig.configure(QueueSettings.DEFAULT.deadRetention(Duration.ofSeconds(1)));
    JobId id = rig.enqueue(EnqueueOptions.DEFAULT);
    rig.apply(new Fail(refs(rig.claim()), "x", FailOptions.PERMANENT));
    return id;
  }

  @Test
  void handBack_nobodyWasTold_timeToLiveGoesOn() {
    rig.enqueue(SECOND);
    Grant grant = rig.claim();
    assertThat(rig.rowCount(Keyspace.TIMER)).isZero();

    rig.apply(new HandBack(List.of(grant.lease())));

    assertThat(rig.rowCount(Keyspace.TIMER)).isEqualTo(1);
    rig.nowMs += 1_000;
    sweep();
    assertThat(rig.rowCount(Keyspace.READY)).isZero();
  }

  @Test
  void release_holderWasTold_timeToLiveIsOver() {
    rig.enqueue(SECOND);
    Grant grant = rig.claim();

    rig.apply(new Release(refs(grant)));

    rig.nowMs += 5_000;
    assertThat(sweep()).isZero();
    assertThat(rig.claim().lease().holdings().timer()).isNull();
  }
}
