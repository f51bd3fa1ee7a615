package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static io.millrace.internal.transition.TransitionRig.refs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.BatchOverException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.QueueName;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.DeleteDead;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.move.TallyRef;
import io.millrace.internal.transition.move.TallyTie;
import io.millrace.internal.transition.tally.LookAtDue;
import io.millrace.internal.transition.tally.MarkTally;
import io.millrace.internal.transition.tally.OpenTally;
import io.millrace.internal.transition.transact.Transact;
import io.millrace.internal.transition.transact.TransactionPart;
import io.millrace.internal.transition.transact.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of what comes after tallies that are over: jobs that waited for it, and removal. */
final class TallyEndsTest {

  private static final QueueName AFTER = QueueName.of("after");
  private static final long RETENTION_MS = 60_000;

  private TransitionRig rig = new TransitionRig();
  private final TallyRef tally = TallyRef.toBegin();

  TallyEndsTest() {
    open(tally);
  }

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  private void open(TallyRef ref) {
    rig.apply(new OpenTally("import", 0, RETENTION_MS, 0, ref));
  }

  private JobId enqueue(QueueName queue, TallyTie tie) {
    List<NewJob> job = List.of(new NewJob(new byte[1], EnqueueOptions.DEFAULT));
    return rig.apply(new Enqueue(queue, job, tie)).get(0).orThrow().jobId();
  }

  private JobId child() {
    return enqueue(MAIL, TallyTie.to(tally));
  }

  private JobId after(Condition condition) {
    return enqueue(AFTER, TallyTie.after(tally, condition));
  }

  private JobState state(JobId id) {
    return rig.job(id).state();
  }

  private void complete() {
    rig.apply(new Complete(refs(rig.claim())));
  }

  private boolean isThere(TallyRef ref) {
    byte[] key = TallyKeys.key(ref.number());
    return rig.keys(Keyspace.TABLE).stream().anyMatch(other -> Arrays.equals(key, other));
  }

  @Test
  void lastJob_ends_whoWaitsForThatIsReadyWithTheSameCommit() {
    child();
    child();
    JobId waiting = after(Condition.ENDED);
    rig.apply(MarkTally.sealed(tally));
    assertThat(state(waiting)).isEqualTo(JobState.WAITING);
    complete();
    assertThat(state(waiting)).isEqualTo(JobState.WAITING);
    long commit = rig.lastCommit();

    rig.die();

    assertThat(rig.lastCommit()).isEqualTo(commit + 2); // of the claim and of the end
    assertThat(state(waiting)).isEqualTo(JobState.READY);
  }

  @Test
  void allSucceeded_oneDies_waitsUntilThatSucceedsAfterAll() {
    JobId child = child();
    JobId waiting = after(Condition.ALL_SUCCEEDED);
    rig.apply(MarkTally.sealed(tally));
    rig.die();
    assertThat(state(waiting)).isEqualTo(JobState.WAITING);

    rig.apply(new Redrive(List.of(child)));
    assertThat(state(waiting)).isEqualTo(JobState.WAITING);
    complete();

    assertThat(state(waiting)).isEqualTo(JobState.READY);
  }

  @Test
  void allSucceeded_deadLetterIsDeleted_isCancelled() {
    JobId child = child();
    JobId waiting = after(Condition.ALL_SUCCEEDED);
    rig.apply(MarkTally.sealed(tally));
    rig.die();

    rig.apply(new DeleteDead(List.of(child)));

    assertThat(rig.exists(waiting)).isFalse();
  }

  @Test
  void anyDied_oneDies_isReadyOnceAllHaveEnded() {
    child();
    child();
    JobId waiting = after(Condition.ANY_DIED);
    rig.apply(MarkTally.sealed(tally));
    rig.die();
    assertThat(state(waiting)).isEqualTo(JobState.WAITING);

    complete();

    assertThat(state(waiting)).isEqualTo(JobState.READY);
  }

  @Test
  void anyDied_noneDies_isCancelledAndTheOthersGoOn() {
    JobId child = child();
    JobId died = after(Condition.ANY_DIED);
    JobId ended = after(Condition.ENDED);
    JobId succeeded = after(Condition.ALL_SUCCEEDED);
    rig.apply(MarkTally.sealed(tally));

    rig.apply(Cancel.orMark(child));

    assertThat(rig.exists(died)).isFalse();
    assertThat(rig.exists(succeeded)).isFalse();
    assertThat(state(ended)).isEqualTo(JobState.READY);
  }

  @Test
  void enqueue_afterATallyThatIsOver_isReadyAtOnce() {
    rig.apply(MarkTally.sealed(tally));

    assertThat(state(after(Condition.ENDED))).isEqualTo(JobState.READY);
    assertThat(state(after(Condition.ALL_SUCCEEDED))).isEqualTo(JobState.READY);
  }

  @Test
  void whoWaits_isCancelledBefore_isNothingToTheTally() {
    child();
    JobId waiting = after(Condition.ENDED);
    JobId other = after(Condition.ENDED);
    rig.apply(Cancel.orMark(waiting));
    rig.apply(MarkTally.sealed(tally));

    complete();

    assertThat(rig.exists(waiting)).isFalse();
    assertThat(state(other)).isEqualTo(JobState.READY);
  }

  @Test
  void whoWaits_isCountedByAnotherTally_endsThatWithItsOwnEnd() {
    TallyRef outer = TallyRef.toBegin();
    open(outer);
    JobId last = enqueue(AFTER, TallyTie.after(outer, Condition.ENDED));
    child();
    enqueue(AFTER, new TallyTie(outer, tally, Condition.ANY_DIED));
    rig.apply(MarkTally.sealed(tally));
    rig.apply(MarkTally.sealed(outer));
    assertThat(state(last)).isEqualTo(JobState.WAITING);

    complete(); // none died, so that who waits for that is cancelled, the last of the outer one

    assertThat(state(last)).isEqualTo(JobState.READY);
  }

  @Test
  void end_isTakenBack_whoWaitsWaits() {
    child();
    JobId waiting = after(Condition.ENDED);
    rig.apply(MarkTally.sealed(tally));
    Grant grant = rig.claim();

    rig.applyInVain(new Complete(refs(grant)));
    assertThat(state(waiting)).isEqualTo(JobState.WAITING);

    rig.apply(new Complete(refs(grant)));
    assertThat(state(waiting)).isEqualTo(JobState.READY);
  }

  @Test
  void tallyWithoutDeadLetters_isKeptForItsRetentionAndThenGone() {
    JobId child = child();
    rig.apply(MarkTally.sealed(tally));
    rig.die();
    assertThat(rig.apply(new LookAtDue())).isZero();
    assertThat(rig.state.tallies().dueMs()).isEqualTo(QueueState.NEVER);

    rig.apply(new DeleteDead(List.of(child)));
    assertThat(rig.state.tallies().dueMs()).isEqualTo(rig.nowMs + RETENTION_MS);
    rig.nowMs += RETENTION_MS - 1;
    assertThat(rig.apply(new LookAtDue())).isZero();
    assertThat(isThere(tally)).isTrue();
    rig.nowMs += 1;
    assertThat(rig.apply(new LookAtDue())).isEqualTo(1);

    assertThat(rig.rowCount(Keyspace.TABLE)).isZero();
    assertThat(rig.state.tallies().dueMs()).isEqualTo(QueueState.NEVER);
    assertThat(rig.apply(MarkTally.sealed(tally))).isFalse();
  }

  @Test
  void innerTally_isOneJobOfItsOuterOne() {
    TallyRef inner = within(tally);
    JobId child = enqueue(MAIL, TallyTie.to(inner));
    enqueue(MAIL, TallyTie.to(inner));
    JobId waiting = after(Condition.ALL_SUCCEEDED);
    rig.apply(MarkTally.sealed(inner));
    rig.apply(MarkTally.sealed(tally));
    assertThat(counts()).containsExactly(1L, 0L, 0L, 0L, 0L);

    rig.die();
    assertThat(counts()).containsExactly(1L, 0L, 0L, 0L, 0L);
    complete();
    assertThat(counts()).containsExactly(0L, 1L, 0L, 0L, 0L);

    rig.apply(new Redrive(List.of(child)));
    assertThat(counts()).containsExactly(1L, 0L, 0L, 0L, 0L);
    assertThat(state(waiting)).isEqualTo(JobState.WAITING);
    rig.unload();
    complete();
    assertThat(counts()).containsExactly(0L, 0L, 1L, 0L, 0L);
    assertThat(state(waiting)).isEqualTo(JobState.READY);
  }

  @Test
  void innerTally_endsOtherwise_countsAsItsJobsDo() {
    TallyRef dies = within(tally);
    TallyRef cancelled = within(tally);
    TallyRef empty = within(tally);
    JobId dead = enqueue(MAIL, TallyTie.to(dies));
    rig.die();
    JobId gone = enqueue(MAIL, TallyTie.to(cancelled));
    rig.apply(Cancel.orMark(gone));
    rig.apply(MarkTally.sealed(tally));
    assertThat(counts()).containsExactly(3L, 0L, 0L, 0L, 0L);

    List.of(dies, cancelled, empty).forEach(ref -> rig.apply(MarkTally.sealed(ref)));
    assertThat(counts()).containsExactly(0L, 1L, 1L, 0L, 1L);

    rig.apply(new DeleteDead(List.of(dead)));
    assertThat(counts()).containsExactly(0L, 0L, 1L, 1L, 1L);
  }

  @Test
  void open_withinOneThatTakesNoMore_isRefused() {
    rig.apply(MarkTally.sealed(tally));
    assertThatThrownBy(() -> within(tally)).isInstanceOf(BatchOverException.class);
    assertThatThrownBy(() -> within(TallyRef.of(99))).isInstanceOf(NoSuchBatchException.class);
    TallyRef deepest = TallyRef.toBegin();
    open(deepest);
    for (int i = 1; i < Limits.BATCH_DEPTH_MAX; i++) {
      deepest = within(deepest);
    }
    TallyRef tooDeep = deepest;

    assertThatThrownBy(() -> within(tooDeep))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("most=8");
  }

  @Test
  void start_ofABatchThatWasTakenBack_beginsAnew() {
    TallyRef ref = TallyRef.toBegin();
    Transact start =
        new Transact(
            List.of(
                new TransactionPart.OnJob(new OpenTally("b", 0, RETENTION_MS, 0, ref)),
                new TransactionPart.NewJobs(
                    new Enqueue(MAIL, List.of(NewJob.of(new byte[1])), TallyTie.to(ref)))),
            List.of());
    rig.applyInVain(start);

    assertThat(rig.apply(start)).isInstanceOf(Verdict.Done.class);

    assertThat(isThere(ref)).isTrue();
  }

  private TallyRef within(TallyRef outer) {
    TallyRef inner = TallyRef.toBegin();
    rig.apply(new OpenTally("part", outer.number(), RETENTION_MS, 0, inner));
    return inner;
  }

  /** Returns how many jobs of the tally are left, dead, completed, failed and cancelled. */
  private List<Long> counts() {
    TallyRecord[] found = new TallyRecord[1];
    rig.look(batch -> found[0] = Tallies.record(batch, tally.number()));
    return Stream.of(Count.LEFT, Count.DEAD, Count.SUCCEEDED, Count.FAILED, Count.CANCELLED)
        .map(found[0]::count)
        .toList();
  }

  @Test
  void manyTallies_endInABatchWithoutRoomForThat_goOnWithTheNextOnes() {
    rig.close();
    rig = new TransitionRig(1 << 20, new BatchLimits(4_096, 4 << 20));
    List<JobId> waiting = new ArrayList<>();
    IntStream.range(0, 300)
        .forEach(
            i -> {
              TallyRef ref = TallyRef.toBegin();
              open(ref);
              enqueue(MAIL, TallyTie.to(ref));
              waiting.add(enqueue(AFTER, TallyTie.after(ref, Condition.ENDED)));
              rig.apply(MarkTally.sealed(ref));
            });
    List<Grant> grants = rig.claim(300);

    rig.apply(new Complete(grants.stream().map(TransitionRig::ref).toList()));
    long atOnce = waiting.stream().filter(id -> state(id) == JobState.READY).count();
    rig.unload();
    int looks = 0;
    while (rig.apply(new LookAtDue()) > 0) {
      looks++;
    }

    assertThat(atOnce).isBetween(1L, 299L);
    assertThat(looks).isPositive();
    assertThat(waiting).allSatisfy(id -> assertThat(state(id)).isEqualTo(JobState.READY));
  }
}
