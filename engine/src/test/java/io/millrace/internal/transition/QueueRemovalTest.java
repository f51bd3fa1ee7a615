package io.millrace.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.internal.format.Keyspace;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Purges and deletions, a step each. */
final class QueueRemovalTest {

  private static final EnqueueOptions TIMED =
      EnqueueOptions.DEFAULT.timeToLive(Duration.ofSeconds(9));

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void fill(int count, EnqueueOptions options) {
    bench.apply(
        new Enqueue(Bench.MAIL, Collections.nCopies(count, new NewJob(new byte[1], options))));
  }

  @Test
  void purge_longLine_takesAThousandAStepWithCountsRightAtEach() {
    fill(2_300, TIMED);
    bench.claim();

    Purge.Progress first = bench.apply(new Purge(Bench.MAIL, JobState.READY, null));
    assertThat(first.removedCount()).isEqualTo(1_000);
    assertThat(bench.count(JobState.READY)).isEqualTo(1_299);
    assertThat(bench.rows(Keyspace.READY)).isEqualTo(1_300);
    assertThat(bench.rows(Keyspace.TIMER)).isEqualTo(1_299);
    Purge.Progress second =
        bench.apply(new Purge(Bench.MAIL, JobState.READY, first.next().orElseThrow()));
    Purge.Progress third =
        bench.apply(new Purge(Bench.MAIL, JobState.READY, second.next().orElseThrow()));

    assertThat(second.removedCount() + third.removedCount()).isEqualTo(1_299);
    assertThat(bench.count(JobState.READY)).isZero();
    assertThat(bench.rows(Keyspace.READY)).isEqualTo(1);
  }

  @Test
  void purge_queueIsAnotherByNow_stops() {
    fill(1_500, EnqueueOptions.DEFAULT);
    Purge.Progress first = bench.apply(new Purge(Bench.MAIL, JobState.READY, null));
    bench.apply(new DropQueue(Bench.MAIL));
    fill(1, EnqueueOptions.DEFAULT);

    Purge.Progress second =
        bench.apply(new Purge(Bench.MAIL, JobState.READY, first.next().orElseThrow()));

    assertThat(second).isEqualTo(new Purge.Progress(0, Optional.empty()));
    assertThat(bench.count(JobState.READY)).isEqualTo(1);
  }

  @Test
  void purge_releasedBehindItsBack_isServedAfterwards() {
    fill(2_500, EnqueueOptions.DEFAULT);
    Grant leased = bench.claim();
    Purge.Progress progress = bench.apply(new Purge(Bench.MAIL, JobState.READY, null));
    bench.apply(new Release(List.of(bench.ref(leased))));
    while (progress.next().isPresent()) {
      progress = bench.apply(new Purge(Bench.MAIL, JobState.READY, progress.next().get()));
    }

    assertThat(bench.count(JobState.READY)).isEqualTo(1);
    assertThat(bench.claim().lease().birth()).isEqualTo(leased.lease().birth());
  }

  @Test
  void dropQueue_leasedJob_isGoneAtOnceAndItsRowsInSteps() {
    fill(2_500, TIMED);
    Grant leased = bench.claim();
    int number = bench.mail().number();

    assertThat(bench.apply(new DropQueue(Bench.MAIL))).isTrue();

    assertThat(bench.apply(new Complete(List.of(bench.ref(leased)))))
        .containsExactly(CompleteResult.GONE);
    assertThat(bench.state.leases().size()).isZero();
    assertThat(bench.rows(Keyspace.READY)).isEqualTo(2_500);
    Optional<byte[]> from = bench.apply(new EmptyDropped(number, null));
    assertThat(bench.rows(Keyspace.LEASE)).isZero();
    assertThat(bench.rows(Keyspace.READY)).isEqualTo(1_501);
    assertThat(bench.rows(Keyspace.TIMER)).isEqualTo(1_501);
    int steps = 1;
    while (from.isPresent()) {
      from = bench.apply(new EmptyDropped(number, from.get()));
      steps++;
    }
    assertThat(steps).isEqualTo(3);
    assertThat(bench.rows(Keyspace.READY) + bench.rows(Keyspace.LEASE)).isZero();
    assertThat(bench.rows(Keyspace.TIMER) + bench.rows(Keyspace.QUEUE_NAME)).isZero();
    assertThat(bench.rows(Keyspace.AGENDA)).isZero();
    assertThat(bench.state.isDropped(number)).isFalse();
  }

  @Test
  void dropQueue_batchNeverHappens_everythingIsThere() {
    fill(3, EnqueueOptions.DEFAULT);
    Grant leased = bench.claim();

    bench.applyInVain(new DropQueue(Bench.MAIL));

    assertThat(bench.state.isDropped(leased.lease().queue())).isFalse();
    assertThat(bench.apply(new Complete(List.of(bench.ref(leased)))))
        .containsExactly(CompleteResult.COMPLETED);
    assertThat(bench.claim().queue()).isEqualTo(Bench.MAIL);
  }

  @Test
  void openStore_deletionWasNotFinished_isKnownAgain() {
    fill(3, EnqueueOptions.DEFAULT);
    bench.claim();
    int number = bench.mail().number();
    bench.apply(new DropQueue(Bench.MAIL));

    bench.apply(new OpenStore(2));
    bench.apply(new RestoreLeases(Keyspace.LEASE.start(), new RestoreLeases.Policy(true, 0)));

    assertThat(bench.state.anyDropped()).isEqualTo(number);
    assertThat(bench.state.leases().size()).isZero();
  }
}
