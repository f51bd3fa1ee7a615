package io.millrace.internal.transition;

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
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SweepTest {

  private static final EnqueueOptions SECOND =
      EnqueueOptions.DEFAULT.timeToLive(Duration.ofSeconds(1));

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private int sweep() {
    return bench.apply(new Sweep(bench.head, Sweep.Scope.ALL));
  }

  @Test
  void apply_nothingIsDue_remembersWhenSomethingIs() {
    bench.enqueue(SECOND);

    assertThat(sweep()).isZero();

    assertThat(bench.head.timeMs()).isEqualTo(Bench.START_MS + 1_000);
    bench.nowMs += 1_000;
    assertThat(sweep()).isEqualTo(1);
    assertThat(bench.head.timeMs()).isEqualTo(QueueState.NEVER);
    assertThat(bench.count(JobState.READY)).isZero();
  }

  @Test
  void apply_moreThanAStepIsDue_stopsAndGoesOnWhereItStopped() {
    bench.apply(
        new Enqueue(Bench.MAIL, Collections.nCopies(2_500, new NewJob(new byte[1], SECOND))));
    bench.nowMs += 1_000;

    assertThat(sweep()).isEqualTo(1_000);
    assertThat(bench.head.timeMs()).isEqualTo(bench.nowMs);
    assertThat(sweep()).isEqualTo(1_000);
    assertThat(sweep()).isEqualTo(500);

    assertThat(bench.mail().counters().totals()[Total.EXPIRED_UNSTARTED.ordinal()])
        .isEqualTo(2_500);
    assertThat(bench.rows(Keyspace.READY)).isZero();
    assertThat(bench.rows(Keyspace.TIMER)).isZero();
  }

  @Test
  void apply_rowIsPutBeforeTheHead_isFound() {
    bench.enqueue(EnqueueOptions.DEFAULT.timeToLive(Duration.ofSeconds(9)));
    sweep();
    bench.enqueue(SECOND);

    assertThat(bench.head.timeMs()).isEqualTo(Bench.START_MS + 1_000);
    bench.nowMs += 1_000;
    assertThat(sweep()).isEqualTo(1);
    assertThat(bench.count(JobState.READY)).isEqualTo(1);
  }

  @Test
  void apply_batchNeverHappens_isDoneAgain() {
    bench.enqueue(SECOND);
    bench.nowMs += 1_000;
    bench.applyInVain(new Sweep(bench.head, Sweep.Scope.ALL));

    assertThat(bench.head.timeMs()).isZero();
    assertThat(sweep()).isEqualTo(1);
    assertThat(bench.rows(Keyspace.READY)).isZero();
  }

  @Test
  void apply_retentionOfAJobThatLives_dropsTheRowAndNothingElse() {
    JobId id = bench.enqueue(EnqueueOptions.DEFAULT);
    for (TimerKeys.Kind kind : TimerKeys.Kind.values()) {
      putTimer(kind, Bench.START_MS);
    }

    assertThat(sweep()).isEqualTo(TimerKeys.Kind.values().length);

    assertThat(bench.rows(Keyspace.TIMER)).isZero();
    assertThat(bench.count(JobState.READY)).isEqualTo(1);
    assertThat(bench.claim().job().jobId(bench.mail().number())).isEqualTo(id);
  }

  @Test
  void apply_timeToLiveOfALeasedJob_dropsTheRowAndNothingElse() {
    bench.enqueue(SECOND);
    Grant grant = bench.claim();
    bench.nowMs += 1_000;
    putTimer(TimerKeys.Kind.TIME_TO_LIVE, bench.nowMs);

    sweep();

    assertThat(bench.rows(Keyspace.TIMER)).isZero();
    assertThat(bench.state.leases().get(grant.lease().birth())).isSameAs(grant.lease());
    assertThat(bench.rows(Keyspace.READY)).isEqualTo(1);
  }

  /** A row for the queue's first job. */
  private void putTimer(TimerKeys.Kind kind, long timeMs) {
    byte[] ready = bench.keys(Keyspace.READY).get(0);
    byte[] key = TimerKeys.key(timeMs, ReadyKeys.queue(ready), kind, ReadyKeys.sequence(ready));
    bench.put(key, new TimerRecord(ready).encode(key));
  }

  @Test
  void apply_rowsOfNoKindOrQueue_areSetAsideOrDropped() {
    byte[] foreign = {Keyspace.TIMER.code(), 1, 2};
    bench.put(foreign, new byte[] {1});
    byte[] unknown = TimerKeys.key(5, 1, TimerKeys.Kind.TIME_TO_LIVE, 7);
    byte[] ofNoKind = Arrays.copyOf(unknown, unknown.length);
    ofNoKind[13] = 99;
    bench.put(ofNoKind, new byte[] {1});
    byte[] ofNoQueue = TimerKeys.key(5, 777, TimerKeys.Kind.DEAD_RETENTION, 7);
    bench.put(ofNoQueue, new TimerRecord(foreign).encode(ofNoQueue));

    assertThat(sweep()).isEqualTo(1);

    assertThat(bench.rows(Keyspace.TIMER)).isZero();
    assertThat(bench.rows(Keyspace.QUARANTINE)).isEqualTo(2);
  }

  @Test
  void apply_timerCannotBeRead_findsTheJobAnyhow() {
    bench.enqueue(SECOND);
    byte[] timer = bench.keys(Keyspace.TIMER).get(0);
    bench.put(timer, new byte[] {1, 2, 3});
    bench.nowMs += 1_000;

    sweep();

    assertThat(bench.rows(Keyspace.READY)).isZero();
    assertThat(bench.rows(Keyspace.TIMER)).isZero();
  }

  @Test
  void withoutRetention_passesOverWhatOthersOffer() {
    dead();
    bench.enqueue(SECOND);
    bench.nowMs += 1_000;

    assertThat(bench.apply(new Sweep(bench.head, Sweep.Scope.WITHOUT_RETENTION))).isEqualTo(1);

    assertThat(bench.count(JobState.DEAD)).isEqualTo(1);
    assertThat(bench.count(JobState.READY)).isZero();
    assertThat(bench.rows(Keyspace.TIMER)).isEqualTo(1);
  }

  @Test
  void offerKept_isRemovedOnlyIfItStillHasEnded() {
    JobId first = dead();
    JobId second = dead();
    bench.nowMs += 1_000;
    List<OfferKept.Offer> offers = offerKept(List.of()).offers();
    assertThat(offers).extracting(OfferKept.Offer::jobId).containsExactly(first, second);
    bench.apply(new Redrive(List.of(second)));

    int count =
        bench.apply(new RemoveKept(offers.stream().map(OfferKept.Offer::timerKey).toList()));

    assertThat(count).isEqualTo(1);
    assertThat(bench.count(JobState.DEAD)).isZero();
    assertThat(bench.count(JobState.READY)).isEqualTo(1);
    assertThat(offerKept(List.of()).offers()).isEmpty();
    assertThat(bench.head.timeMs()).isEqualTo(QueueState.NEVER);
  }

  @Test
  void offerKept_rowsOfferedAgain_areOfferedOnceOrToldToBeGone() {
    dead();
    JobId second = dead();
    bench.nowMs += 1_000;
    List<byte[]> rows =
        offerKept(List.of()).offers().stream().map(OfferKept.Offer::timerKey).toList();
    assertThat(offerKept(List.of()).offers()).isEmpty();
    bench.apply(new RemoveKept(rows.subList(0, 1)));
    bench.head.note(rows.get(1));

    OfferKept.Step step = offerKept(rows);

    assertThat(step.offers()).extracting(OfferKept.Offer::jobId).containsExactly(second);
    assertThat(step.gone()).containsExactly(rows.get(0));
    assertThat(bench.head.timeMs()).isEqualTo(QueueState.NEVER);
  }

  private OfferKept.Step offerKept(List<byte[]> again) {
    return bench.apply(
        new OfferKept(
            bench.head, again, row -> again.stream().anyMatch(key -> Arrays.equals(key, row))));
  }

  private JobId dead() {
    bench.configure(QueueSettings.DEFAULT.withDeadRetention(Duration.ofSeconds(1)));
    JobId id = bench.enqueue(EnqueueOptions.DEFAULT);
    bench.apply(new Fail(List.of(bench.ref(bench.claim())), "x", FailOptions.PERMANENT));
    return id;
  }

  @Test
  void handBack_nobodyWasTold_timeToLiveGoesOn() {
    bench.enqueue(SECOND);
    Grant grant = bench.claim();
    assertThat(bench.rows(Keyspace.TIMER)).isZero();

    bench.apply(new HandBack(List.of(grant)));

    assertThat(bench.rows(Keyspace.TIMER)).isEqualTo(1);
    bench.nowMs += 1_000;
    sweep();
    assertThat(bench.rows(Keyspace.READY)).isZero();
  }

  @Test
  void release_holderWasTold_timeToLiveIsOver() {
    bench.enqueue(SECOND);
    Grant grant = bench.claim();

    bench.apply(new Release(List.of(bench.ref(grant))));

    bench.nowMs += 5_000;
    assertThat(sweep()).isZero();
    assertThat(bench.claim().lease().holdings().timer()).isNull();
  }
}
