package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static io.millrace.internal.transition.TransitionRig.refs;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.lease.RestoreLeases;
import io.millrace.internal.transition.queue.DropQueue;
import io.millrace.internal.transition.queue.EmptyDropped;
import io.millrace.internal.transition.queue.Purge;
import io.millrace.internal.transition.upkeep.OpenStore;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Purges and deletions, a step each. */
final class QueueRemovalTest {

  private static final EnqueueOptions TIMED =
      EnqueueOptions.DEFAULT.timeToLive(Duration.ofSeconds(9));

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private void fill(int count, EnqueueOptions options) {
    rig.apply(new Enqueue(MAIL, Collections.nCopies(count, new NewJob(new byte[1], options))));
  }

  @Test
  void purge_longLine_isTakenInStepsWithCountsRightAtEach() {
    fill(600, TIMED);
    rig.claim();

    Purge.Progress first = rig.apply(new Purge(MAIL, JobState.READY, null));
    assertThat(first.removedCount()).isEqualTo(250);
    assertThat(rig.count(JobState.READY)).isEqualTo(349);
    assertThat(rig.rowCount(Keyspace.READY)).isEqualTo(350);
    assertThat(rig.rowCount(Keyspace.TIMER)).isEqualTo(349);
    Purge.Progress second = rig.apply(new Purge(MAIL, JobState.READY, first.next().orElseThrow()));
    Purge.Progress third = rig.apply(new Purge(MAIL, JobState.READY, second.next().orElseThrow()));

    assertThat(second.removedCount() + third.removedCount()).isEqualTo(349);
    assertThat(rig.count(JobState.READY)).isZero();
    assertThat(rig.rowCount(Keyspace.READY)).isEqualTo(1);
  }

  @Test
  void purge_queueIsAnotherByNow_stops() {
    fill(1_500, EnqueueOptions.DEFAULT);
    Purge.Progress first = rig.apply(new Purge(MAIL, JobState.READY, null));
    rig.apply(new DropQueue(MAIL));
    fill(1, EnqueueOptions.DEFAULT);

    Purge.Progress second = rig.apply(new Purge(MAIL, JobState.READY, first.next().orElseThrow()));

    assertThat(second).isEqualTo(new Purge.Progress(0, Optional.empty()));
    assertThat(rig.count(JobState.READY)).isEqualTo(1);
  }

  @Test
  void purge_releasedBehindItsBack_isServedAfterwards() {
    fill(2_500, EnqueueOptions.DEFAULT);
    Grant leased = rig.claim();
    Purge.Progress progress = rig.apply(new Purge(MAIL, JobState.READY, null));
    rig.apply(new Release(refs(leased)));
    while (progress.next().isPresent()) {
      progress = rig.apply(new Purge(MAIL, JobState.READY, progress.next().get()));
    }

    assertThat(rig.count(JobState.READY)).isEqualTo(1);
    assertThat(rig.claim().lease().birth()).isEqualTo(leased.lease().birth());
  }

  @Test
  void dropQueue_leasedJob_isGoneAtOnceAndItsRowsInSteps() {
    fill(2_500, TIMED);
    Grant leased = rig.claim();
    int number = rig.mail().number();

    assertThat(rig.apply(new DropQueue(MAIL))).isTrue();

    assertThat(rig.apply(new Complete(refs(leased)))).containsExactly(CompleteResult.GONE);
    assertThat(rig.state.leases().size()).isZero();
    assertThat(rig.rowCount(Keyspace.READY)).isEqualTo(2_500);
    Optional<byte[]> from = rig.apply(new EmptyDropped(number, null));
    assertThat(rig.rowCount(Keyspace.LEASE)).isZero();
    assertThat(rig.rowCount(Keyspace.READY)).isEqualTo(1_501);
    assertThat(rig.rowCount(Keyspace.TIMER)).isEqualTo(1_501);
    int steps = 1;
    while (from.isPresent()) {
      from = rig.apply(new EmptyDropped(number, from.get()));
      steps++;
    }
    assertThat(steps).isEqualTo(3);
    assertThat(rig.rowCount(Keyspace.READY) + rig.rowCount(Keyspace.LEASE)).isZero();
    assertThat(rig.rowCount(Keyspace.TIMER) + rig.rowCount(Keyspace.QUEUE_NAME)).isZero();
    assertThat(rig.rowCount(Keyspace.AGENDA)).isZero();
    assertThat(rig.state.isDropped(number)).isFalse();
  }

  @Test
  void dropQueue_batchNeverHappens_everythingIsThere() {
    fill(3, EnqueueOptions.DEFAULT);
    Grant leased = rig.claim();

    rig.applyInVain(new DropQueue(MAIL));

    assertThat(rig.state.isDropped(leased.lease().queue())).isFalse();
    assertThat(rig.apply(new Complete(refs(leased)))).containsExactly(CompleteResult.COMPLETED);
    assertThat(rig.claim().queue()).isEqualTo(MAIL);
  }

  @Test
  void openStore_deletionWasNotFinished_isKnownAgain() {
    fill(3, EnqueueOptions.DEFAULT);
    rig.claim();
    int number = rig.mail().number();
    rig.apply(new DropQueue(MAIL));

    rig.apply(new OpenStore(2));
    rig.apply(new RestoreLeases(Keyspace.LEASE.start(), new RestoreLeases.Policy(true, 0)));

    assertThat(rig.state.anyDropped()).isEqualTo(number);
    assertThat(rig.state.leases().size()).isZero();
  }

  @Test
  void emptyDropped_manyDamagedRecords_keysOfTheEngineAreCountedOnce() {
    int count = 200;
    fill(count, EnqueueOptions.DEFAULT);
    int dropped = rig.number(MAIL);
    rig.keys(Keyspace.READY).forEach(rig::damage);
    rig.apply(new DropQueue(MAIL));
    fill(1, EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1));
    fill(count, EnqueueOptions.DEFAULT);
    long before = rig.rowsRead();

    rig.apply(new EmptyDropped(dropped, null));

    assertThat(rig.rowsRead() - before).isLessThan(10 * count);
    assertThat(rig.rowCount(Keyspace.READY)).isEqualTo(count + 1);
  }
}
