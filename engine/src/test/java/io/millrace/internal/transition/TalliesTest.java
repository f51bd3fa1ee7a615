package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static io.millrace.internal.transition.TransitionRig.ref;
import static io.millrace.internal.transition.TransitionRig.refs;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.UniqueKey;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords.Format;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.transition.due.Sweep;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.DeleteDead;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.move.TallyRef;
import io.millrace.internal.transition.move.TallyTie;
import io.millrace.internal.transition.queue.DropQueue;
import io.millrace.internal.transition.queue.EmptyDropped;
import io.millrace.internal.transition.queue.Purge;
import io.millrace.internal.transition.tally.MarkTally;
import io.millrace.internal.transition.tally.OpenTally;
import io.millrace.internal.transition.upkeep.Quarantine;
import io.millrace.spi.ReadView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of what a tally counts, as the store has it after each change. */
final class TalliesTest {

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;

  private final TransitionRig rig = new TransitionRig();
  private final TallyRef tally = TallyRef.toBegin();

  TalliesTest() {
    open(tally);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void open(TallyRef ref) {
    rig.apply(new OpenTally("import", 0, 60_000, 0, ref));
  }

  private List<JobId> enqueue(int count, EnqueueOptions options) {
    List<NewJob> jobs = Collections.nCopies(count, new NewJob(new byte[1], options));
    return rig.apply(new Enqueue(MAIL, jobs, TallyTie.to(tally))).stream()
        .map(result -> result.orThrow().jobId())
        .toList();
  }

  private JobId enqueue(EnqueueOptions options) {
    return enqueue(1, options).get(0);
  }

  private TallyRecord stored(TallyRef ref) {
    byte[] key = TallyKeys.key(ref.number());
    try (ReadView view = rig.store.read()) {
      return TallyRecord.decode(key, Objects.requireNonNull(view.get(key)));
    }
  }

  /** The counts that are not 0, once they agree with the jobs. */
  private String counts(TallyRef ref) {
    assertThat(rig.problems()).isEmpty();
    TallyRecord stored = stored(ref);
    TreeMap<Count, Long> counts = new TreeMap<>();
    for (Count count : Count.values()) {
      if (stored.count(count) != 0) {
        counts.put(count, stored.count(count));
      }
    }
    return counts.toString();
  }

  private String counts() {
    return counts(tally);
  }

  @Test
  void open_firstOfAStore_raisesItsFormatAndKeepsWhatWasAsked() {
    try (ReadView view = rig.store.read()) {
      Format format = Format.decode(Objects.requireNonNull(view.get(MetaKeys.FORMAT)));
      assertThat(format).isEqualTo(Format.WITH_TALLIES);
    }
    TallyRecord stored = stored(tally);
    assertThat(stored.name()).isEqualTo("import");
    assertThat(stored.retentionMs()).isEqualTo(60_000);
    assertThat(stored.createdAtMs()).isEqualTo(rig.nowMs);
    assertThat(counts()).isEqualTo("{}");
  }

  @Test
  void enqueue_jobsOfTwoQueues_areLeftAndTheirQueuesNamed() {
    enqueue(3, PLAIN);
    List<NewJob> delayed = List.of(new NewJob(new byte[1], PLAIN.delay(Duration.ofSeconds(9))));
    rig.apply(new Enqueue(QueueName.of("other"), delayed, TallyTie.to(tally)));

    assertThat(counts()).isEqualTo("{LEFT=4}");
    assertThat(stored(tally).queues())
        .containsExactly(rig.number(MAIL), rig.number(QueueName.of("other")));
  }

  @Test
  void enqueue_intoMoreQueuesThanATallyNames_namesNone() {
    for (int i = 0; i <= TallyRecord.QUEUE_COUNT_MAX + 1; i++) {
      NewJob job = new NewJob(new byte[1], PLAIN);
      rig.apply(new Enqueue(QueueName.of("q" + i), List.of(job), TallyTie.to(tally)));
      assertThat(stored(tally).queues()).hasSize(i < TallyRecord.QUEUE_COUNT_MAX ? i + 1 : 0);
    }
  }

  @Test
  void complete_job_hasSucceededWhetherItIsKeptOrNot() {
    enqueue(PLAIN);
    rig.apply(new Complete(refs(rig.claim())));
    assertThat(counts()).isEqualTo("{SUCCEEDED=1}");

    enqueue(PLAIN.resultRetention(Duration.ofSeconds(1)));
    rig.apply(new Complete(refs(rig.claim())));
    assertThat(counts()).isEqualTo("{SUCCEEDED=2}");

    rig.nowMs += 1_000;
    assertThat(rig.apply(new Sweep(rig.head, Sweep.Scope.ALL, rig.nowMs))).isEqualTo(1);
    assertThat(counts()).isEqualTo("{SUCCEEDED=2}");
  }

  @Test
  void fail_jobIsTriedAgainThenDies_isLeftThenDead() {
    JobId id = enqueue(PLAIN);

    rig.apply(new Fail(refs(rig.claim()), "broken", FailOptions.RETRY.delay(Duration.ZERO)));
    assertThat(counts()).isEqualTo("{LEFT=1}");
    rig.apply(new Release(refs(rig.claim())));
    rig.die();
    assertThat(counts()).isEqualTo("{DEAD=1}");

    rig.apply(new Redrive(List.of(id)));
    assertThat(counts()).isEqualTo("{LEFT=1}");
    rig.die();
    rig.apply(new DeleteDead(List.of(id)));
    assertThat(counts()).isEqualTo("{FAILED=1}");
  }

  @Test
  void cancel_readyAndLeasedJob_isCancelled() {
    List<JobId> ids = enqueue(2, PLAIN);
    Grant leased = rig.claim();

    rig.apply(Cancel.orMark(ids.get(1)));
    assertThat(counts()).isEqualTo("{LEFT=1, CANCELLED=1}");
    rig.apply(Cancel.orMark(ids.get(0)));
    assertThat(counts()).isEqualTo("{LEFT=1, CANCELLED=1}");
    rig.apply(new Release(refs(leased)));
    assertThat(counts()).isEqualTo("{CANCELLED=2}");
  }

  @Test
  void timeToLive_ends_jobHasExpired() {
    enqueue(PLAIN.timeToLive(Duration.ofSeconds(1)));
    rig.nowMs += 1_000;
    rig.apply(new Sweep(rig.head, Sweep.Scope.ALL, rig.nowMs));

    assertThat(counts()).isEqualTo("{EXPIRED=1}");
  }

  @Test
  void retentionOfDeadLetters_ends_jobHasFailed() {
    rig.configure(QueueSettings.DEFAULT.deadRetention(Duration.ofSeconds(1)));
    enqueue(PLAIN);
    rig.die();
    rig.nowMs += 1_000;
    rig.apply(new Sweep(rig.head, Sweep.Scope.ALL, rig.nowMs));

    assertThat(counts()).isEqualTo("{FAILED=1}");
  }

  @Test
  void purge_jobsOfEachState_arePurgedOrHaveFailed() {
    enqueue(1, PLAIN);
    rig.die();
    enqueue(1, PLAIN.resultRetention(Duration.ofSeconds(9)));
    rig.apply(new Complete(refs(rig.claim())));
    enqueue(2, PLAIN);
    assertThat(counts()).isEqualTo("{LEFT=2, DEAD=1, SUCCEEDED=1}");

    rig.apply(new Purge(MAIL, JobState.READY, null));
    rig.apply(new Purge(MAIL, JobState.DEAD, null));
    rig.apply(new Purge(MAIL, JobState.DONE, null));

    assertThat(counts()).isEqualTo("{SUCCEEDED=1, FAILED=1, PURGED=2}");
  }

  @Test
  void enqueue_inPlaceOfAnotherOfItsKey_cancelsThatOne() {
    UniqueKey key = UniqueKey.of("k").replace();
    enqueue(PLAIN.unique(key));

    enqueue(PLAIN.unique(key));

    assertThat(counts()).isEqualTo("{LEFT=1, CANCELLED=1}");
  }

  @Test
  void dropQueue_withJobsOfEachState_countsThemAsTheirRowsGo() {
    enqueue(1, PLAIN);
    rig.die();
    enqueue(3, PLAIN);
    rig.claim();
    int number = rig.number(MAIL);
    rig.apply(new DropQueue(MAIL));
    assertThat(counts()).isEqualTo("{LEFT=3, DEAD=1}");

    Optional<byte[]> next = rig.apply(new EmptyDropped(number, null));

    assertThat(next).isEmpty();
    assertThat(counts()).isEqualTo("{FAILED=1, PURGED=3}");
  }

  @Test
  void quarantine_ofALeasedJob_isLost() {
    enqueue(PLAIN);
    Grant leased = rig.claim();
    byte[] key = leased.lease().readyKey();
    rig.damage(key);

    assertThat(rig.apply(new Quarantine(key))).isTrue();

    assertThat(counts()).isEqualTo("{LOST=1}");
  }

  @Test
  void lastJob_endsAfterTheSeal_isOverUntilOneLivesAgain() {
    JobId id = enqueue(PLAIN);
    rig.apply(MarkTally.sealed(tally));
    assertThat(stored(tally).overSinceMs()).isZero();

    rig.nowMs += 5;
    rig.die();
    assertThat(stored(tally).overSinceMs()).isEqualTo(rig.nowMs);

    rig.apply(new Redrive(List.of(id)));
    assertThat(stored(tally).overSinceMs()).isZero();

    rig.nowMs += 5;
    rig.apply(new Complete(refs(rig.claim())));
    assertThat(stored(tally).overSinceMs()).isEqualTo(rig.nowMs);
    assertThat(counts()).isEqualTo("{SUCCEEDED=1}");
  }

  @Test
  void seal_tallyWithoutJobs_isOverAtOnce() {
    assertThat(rig.apply(MarkTally.sealed(tally))).isTrue();
    assertThat(stored(tally).overSinceMs()).isEqualTo(rig.nowMs);
    assertThat(rig.apply(MarkTally.sealed(tally))).isTrue();
  }

  @Test
  void seal_tallyThatIsNone_isToldAndDoesNothing() {
    long commit = rig.lastCommit();

    assertThat(rig.apply(MarkTally.sealed(TallyRef.of(99)))).isFalse();

    assertThat(rig.lastCommit()).isEqualTo(commit);
  }

  @Test
  void jobsOfOneBatch_costOneRowOfTheirTally() {
    enqueue(50, PLAIN);
    List<Grant> grants = rig.claim(50);

    rig.apply(new Complete(grants.stream().map(TransitionRig::ref).toList()));

    assertThat(rig.lastOperations().stream().filter("put TABLE"::equals)).hasSize(1);
    assertThat(counts()).isEqualTo("{SUCCEEDED=50}");
  }

  @Test
  void batch_thatNeverHappens_countsNothing() {
    enqueue(2, PLAIN);
    Grant leased = rig.claim();

    rig.applyInVain(new Complete(refs(leased)));
    rig.applyInVain(new Enqueue(MAIL, List.of(new NewJob(new byte[1], PLAIN)), TallyTie.to(tally)));

    rig.apply(new Complete(List.of(ref(leased))));
    assertThat(counts()).isEqualTo("{LEFT=1, SUCCEEDED=1}");
  }

  @Test
  void counts_tallyIsNotInMemory_areAddedToThoseOfTheStore() {
    enqueue(2, PLAIN);
    rig.unload();

    rig.apply(new Complete(refs(rig.claim())));

    assertThat(counts()).isEqualTo("{LEFT=1, SUCCEEDED=1}");
  }

  @Test
  void manyTallies_endTogether_eachIsCountedAndOver() {
    List<TallyRef> all = new ArrayList<>();
    IntStream.range(0, 200)
        .forEach(
            i -> {
              TallyRef ref = TallyRef.toBegin();
              open(ref);
              rig.apply(
                  new Enqueue(MAIL, List.of(new NewJob(new byte[1], PLAIN)), TallyTie.to(ref)));
              rig.apply(MarkTally.sealed(ref));
              all.add(ref);
            });
    List<Grant> grants = rig.claim(200);

    rig.apply(new Complete(grants.stream().map(TransitionRig::ref).toList()));

    assertThat(all)
        .allSatisfy(
            ref -> {
              assertThat(counts(ref)).isEqualTo("{SUCCEEDED=1}");
              assertThat(stored(ref).overSinceMs()).isNotZero();
            });
    // Each has a row that says when it is to be removed.
    assertThat(rig.rowCount(Keyspace.TABLE)).isEqualTo(1 + 200 + 200);
  }

  private void put(TallyRecord record) {
    byte[] key = TallyKeys.key(tally.number());
    rig.put(key, record.encode(key));
  }

  private List<String> findings() {
    return rig.problems().stream().map(problem -> problem.finding()).toList();
  }

  @Test
  void verify_countsThatAreNotThoseOfTheJobs_areTold() {
    enqueue(2, PLAIN);
    rig.die();
    long[] more = TallyRecord.noCounts();
    more[Count.LEFT.ordinal()] = 3;
    more[Count.DEAD.ordinal()] = -1;
    put(stored(tally).plus(more, List.of()));

    assertThat(findings())
        .containsExactly(
            "the tally differs from a recount: what=LEFT, stored=4, counted=1",
            "the tally differs from a recount: what=DEAD, stored=0, counted=1");
  }

  @Test
  void verify_tallyThatIsWronglyOverOrNot_isTold() {
    TallyRecord open = stored(tally);
    put(open.over(5));
    assertThat(findings()).containsExactly("the tally is not over and says it is");

    put(open.with(TallyRecord.SEALED));
    assertThat(findings()).containsExactly("the tally is over and does not say so");
  }

  @Test
  void verify_tallyWhoseRowIsGoneOrDamaged_isTold() {
    enqueue(2, PLAIN);
    byte[] key = TallyKeys.key(tally.number());
    rig.damage(key);
    assertThat(findings()).singleElement().asString().contains("shorter than its header");

    rig.remove(key);
    assertThat(findings()).containsExactly("no row tells of the tally: left=2, dead=0");
  }
}
