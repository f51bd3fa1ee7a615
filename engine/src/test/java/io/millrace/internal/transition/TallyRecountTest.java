package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static io.millrace.internal.transition.TransitionRig.refs;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.move.LostTallies;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.move.TallyRef;
import io.millrace.internal.transition.move.TallyTie;
import io.millrace.internal.transition.queue.DropQueue;
import io.millrace.internal.transition.queue.EmptyDropped;
import io.millrace.internal.transition.tally.LookAtDue;
import io.millrace.internal.transition.tally.MarkTally;
import io.millrace.internal.transition.tally.OpenTally;
import io.millrace.internal.transition.tally.TallyRecount;
import io.millrace.internal.transition.upkeep.Quarantine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of tallies that are counted anew, since rows of jobs or of tallies were lost. */
final class TallyRecountTest {

  private static final QueueName AFTER = QueueName.of("after");
  private static final long RETENTION_MS = 60_000;

  private TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    assertThat(recountKeys()).isEmpty();
    rig.close();
  }

  private TallyRef open(long outer) {
    TallyRef ref = TallyRef.toBegin();
    rig.apply(new OpenTally("import", outer, RETENTION_MS, 0, ref));
    return ref;
  }

  /** A sealed tally of so many jobs, that {@link #AFTER} waits for. */
  private TallyRef sealed(int count) {
    TallyRef ref = open(0);
    children(ref, count);
    after(ref);
    rig.apply(MarkTally.sealed(ref));
    return ref;
  }

  private void children(TallyRef ref, int count) {
    NewJob job = new NewJob(new byte[1], EnqueueOptions.DEFAULT);
    rig.apply(new Enqueue(MAIL, Collections.nCopies(count, job), TallyTie.to(ref)));
  }

  private JobId after(TallyRef ref) {
    return after(ref, Condition.ENDED);
  }

  private JobId after(TallyRef ref, Condition condition) {
    List<NewJob> job = List.of(new NewJob(new byte[1], EnqueueOptions.DEFAULT));
    return rig.apply(new Enqueue(AFTER, job, TallyTie.after(ref, condition)))
        .get(0)
        .orThrow()
        .jobId();
  }

  private TallyRecord record(TallyRef ref) {
    TallyRecord[] record = new TallyRecord[1];
    rig.look(batch -> record[0] = Tallies.record(batch, ref.number()));
    return record[0];
  }

  /** Returns how many are left, dead, succeeded and lost. */
  private String counts(TallyRef ref) {
    TallyRecord tally = record(ref);
    return tally.count(Count.LEFT)
        + " "
        + tally.count(Count.DEAD)
        + " "
        + tally.count(Count.SUCCEEDED)
        + " "
        + tally.count(Count.LOST)
        + (tally.overSinceMs() == 0 ? "" : " over");
  }

  private List<byte[]> recountKeys() {
    byte[] end = TallyKeys.recountEnd();
    return rig.keys(Keyspace.TABLE).stream()
        .filter(key -> TallyKeys.isDueKey(key) && Arrays.compareUnsigned(key, end) < 0)
        .toList();
  }

  private void damage(byte[] key) {
    rig.damage(key);
    rig.unload();
  }

  private void setAside(byte[] key) {
    damage(key);
    rig.apply(new Quarantine(key));
  }

  private void recount() {
    rig.apply(new TallyRecount());
  }

  @Test
  void oneOfTwo_isSetAside_isLostByTheRecount() {
    TallyRef tally = sealed(2);

    setAside(rig.keys(Keyspace.READY).get(1));
    assertThat(counts(tally)).isEqualTo("2 0 0 0");
    recount();

    assertThat(counts(tally)).isEqualTo("1 0 0 1");
    rig.apply(new Complete(refs(rig.claim())));
    assertThat(counts(tally)).isEqualTo("0 0 1 1 over");
  }

  @Test
  void lastOne_isSetAside_whatComesAfterGoesOn() {
    TallyRef tally = sealed(1);
    JobId allSucceeded = after(tally, Condition.ALL_SUCCEEDED);
    JobId ended = after(tally, Condition.ENDED);

    setAside(rig.keys(Keyspace.READY).get(0));
    recount();

    assertThat(counts(tally)).isEqualTo("0 0 0 1 over");
    assertThat(rig.job(ended).state()).isEqualTo(JobState.READY);
    assertThat(rig.exists(allSucceeded)).isFalse();
  }

  @Test
  void recount_again_changesNothing() {
    TallyRef tally = sealed(3);
    setAside(rig.keys(Keyspace.READY).get(0));
    recount();
    TallyRecord once = record(tally);

    rig.look(LostTallies::recount);
    rig.apply(new Quarantine(TallyKeys.key(tally.number())));
    recount();

    assertThat(record(tally)).isEqualTo(once);
  }

  @Test
  void damagedRecord_thatNobodyHasComeUpon_isSetAsideBeforeAnythingIsCounted() {
    TallyRef tally = sealed(3);
    List<byte[]> keys = rig.keys(Keyspace.READY);
    damage(keys.get(2));

    setAside(keys.get(0));
    recount();
    recount();
    assertThat(counts(tally)).isEqualTo("3 0 0 0");
    rig.apply(new Quarantine(keys.get(2)));
    recount();

    assertThat(counts(tally)).isEqualTo("1 0 0 2");
  }

  @Test
  void manyDamaged_areCountedInOneWalk() {
    int count = 2_000;
    TallyRef tally = sealed(count);
    List<byte[]> damaged = rig.keys(Keyspace.READY).subList(0, count / 2);
    damaged.forEach(rig::damage);
    rig.unload();
    rig.apply(new Quarantine(damaged.get(0)));
    recount();
    long before = rig.rowsRead();

    for (int i = 1; i < damaged.size(); i++) {
      recount();
    }
    assertThat(rig.rowsRead() - before).isLessThan(10L * count);
    damaged.forEach(key -> rig.apply(new Quarantine(key)));
    recount();

    assertThat(counts(tally)).isEqualTo(count / 2 + " 0 0 " + count / 2);
  }

  @Test
  void noTally_jobIsSetAside_nothingIsCounted() {
    rig.enqueue("job");

    setAside(rig.keys(Keyspace.READY).get(0));

    assertThat(recountKeys()).isEmpty();
    assertThat(rig.apply(new TallyRecount())).isFalse();
  }

  @Test
  void engine_stopsBeforeTheRecount_isDoneByTheNext() {
    TallyRef tally = sealed(2);
    setAside(rig.keys(Keyspace.READY).get(0));

    rig.unload();
    assertThat(rig.state.tallies().recountMs()).isZero();
    recount();
    recount();

    assertThat(counts(tally)).isEqualTo("1 0 0 1");
    assertThat(rig.state.tallies().recountMs()).isPositive();
  }

  @Test
  void rowOfATally_isDamaged_isMadeAnewByItsJobs() {
    TallyRef tally = sealed(3);
    rig.apply(new Complete(refs(rig.claim())));
    rig.die();
    JobId anyDied = after(tally, Condition.ANY_DIED);
    JobId allSucceeded = after(tally, Condition.ALL_SUCCEEDED);
    TallyRecord before = record(tally);

    setAside(TallyKeys.key(tally.number()));
    recount();

    assertThat(counts(tally)).isEqualTo("1 1 0 1");
    assertThat(record(tally).waiters()).containsExactlyInAnyOrderElementsOf(before.waiters());
    rig.apply(new Complete(refs(rig.claim())));
    assertThat(counts(tally)).isEqualTo("0 1 1 1 over");
    assertThat(rig.job(anyDied).state()).isEqualTo(JobState.READY);
    assertThat(rig.job(allSucceeded).state()).isEqualTo(JobState.WAITING);
  }

  @Test
  void rowOfATally_isDamagedWhileItsJobsEnd_isMadeAnewWithoutTheirCounts() {
    TallyRef tally = sealed(2);
    damage(TallyKeys.key(tally.number()));
    rig.apply(new Complete(refs(rig.claim())));

    rig.apply(new Quarantine(TallyKeys.key(tally.number())));
    recount();

    assertThat(counts(tally)).isEqualTo("1 0 0 1");
  }

  @Test
  void rowOfATally_isDamagedAndInMemory_isAsItWas() {
    TallyRef tally = sealed(2);
    TallyRecord before = record(tally);
    byte[] key = TallyKeys.key(tally.number());
    rig.damage(key);

    rig.apply(new Quarantine(key));

    assertThat(recountKeys()).isEmpty();
    rig.unload();
    assertThat(record(tally)).isEqualTo(before);
  }

  @Test
  void rowOfATallyOfWhichNothingIsLeft_isDamaged_isOver() {
    TallyRef tally = open(0);

    setAside(TallyKeys.key(tally.number()));
    recount();

    assertThat(counts(tally)).isEqualTo("0 0 0 1 over");
    assertThat(record(tally).removalMs()).isPositive();
  }

  @Test
  void rowOfATally_isMissing_isMadeAnewOnceThatIsFound() {
    TallyRef tally = sealed(2);
    byte[] key = TallyKeys.key(tally.number());
    rig.remove(key);
    rig.unload();
    assertThat(rig.problems()).isNotEmpty();

    rig.apply(new Quarantine(key));
    assertThat(rig.problems()).isEmpty(); // it is about to be counted
    recount();

    assertThat(counts(tally)).isEqualTo("2 0 0 1");
    assertThat(record(tally).waiters()).hasSize(1);
  }

  @Test
  void innerRow_isDamaged_outerOneCountsItAsLost() {
    TallyRef outer = open(0);
    TallyRef inner = open(outer.number());
    children(inner, 1);
    rig.apply(MarkTally.sealed(inner));
    rig.apply(MarkTally.sealed(outer));

    setAside(TallyKeys.key(inner.number()));
    recount();

    assertThat(counts(outer)).isEqualTo("0 0 0 1 over");
    assertThat(counts(inner)).isEqualTo("1 0 0 1");
    assertThat(record(inner).outer()).isZero();
  }

  @Test
  void lastJobOfAnInnerOne_isSetAside_bothAreOver() {
    TallyRef outer = open(0);
    TallyRef inner = open(outer.number());
    children(inner, 1);
    rig.apply(MarkTally.sealed(inner));
    rig.apply(MarkTally.sealed(outer));

    setAside(rig.keys(Keyspace.READY).get(0));
    recount();

    assertThat(counts(inner)).isEqualTo("0 0 0 1 over");
    assertThat(counts(outer)).isEqualTo("0 0 0 1 over");
  }

  @Test
  void deadLetter_isSetAside_tallyIsFinal() {
    TallyRef tally = sealed(1);
    JobId allSucceeded = after(tally, Condition.ALL_SUCCEEDED);
    rig.die();
    assertThat(rig.exists(allSucceeded)).isTrue();

    setAside(rig.keys(Keyspace.DEAD).get(0));
    recount();

    assertThat(counts(tally)).isEqualTo("0 0 0 1 over");
    assertThat(rig.exists(allSucceeded)).isFalse();
    assertThat(record(tally).removalMs()).isPositive();
  }

  @Test
  void moreThanOneBatchHasRoomFor_areMadeGoodOneAfterTheOther() {
    rig.close();
    rig = new TransitionRig(1 << 20, new BatchLimits(600, 64 << 20));
    List<TallyRef> tallies = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      tallies.add(sealed(1));
    }
    rig.keys(Keyspace.READY).forEach(rig::damage);
    rig.unload();
    rig.keys(Keyspace.READY).forEach(key -> rig.apply(new Quarantine(key)));

    int steps = 0;
    while (rig.apply(new TallyRecount())) {
      rig.apply(new LookAtDue());
      steps++;
    }
    while (rig.apply(new LookAtDue()) > 0) {
      steps++;
    }

    assertThat(steps).isBetween(2, 60);
    assertThat(tallies).allMatch(tally -> counts(tally).equals("0 0 0 1 over"));
    assertThat(rig.keys(Keyspace.WAITING)).isEmpty();
  }

  @Test
  void damagedJobOfADeletedQueue_isLost() {
    TallyRef tally = sealed(2);
    damage(rig.keys(Keyspace.READY).get(0));
    int queue = rig.mail().number();
    rig.apply(new DropQueue(MAIL));

    rig.apply(new EmptyDropped(queue, null));
    recount();

    assertThat(counts(tally)).isEqualTo("0 0 0 1 over");
    assertThat(record(tally).count(Count.PURGED)).isEqualTo(1);
  }

  @Test
  void rowThatSaysWhenToRemove_isLost_isPutAnew() {
    TallyRef tally = sealed(0);
    byte[] due = TallyKeys.dueKey(record(tally).removalMs(), tally.number());
    rig.remove(due);
    assertThat(rig.problems()).hasSize(1);

    rig.apply(new Quarantine(TallyKeys.key(tally.number())));
    recount();

    assertThat(rig.keys(Keyspace.TABLE)).contains(due);
    setAside(due);
    assertThat(rig.keys(Keyspace.TABLE)).contains(due);
  }

  @Test
  void recountThatNeverHappened_isDueAgain() {
    TallyRef tally = sealed(2);
    setAside(rig.keys(Keyspace.READY).get(0));

    rig.applyInVain(new TallyRecount());
    assertThat(counts(tally)).isEqualTo("2 0 0 0");
    recount();

    assertThat(counts(tally)).isEqualTo("1 0 0 1");
  }
}
