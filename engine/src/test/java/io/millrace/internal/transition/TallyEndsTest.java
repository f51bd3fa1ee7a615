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
import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.DeleteDead;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.move.TallyRef;
import io.millrace.internal.transition.move.TallyTie;
import io.millrace.internal.transition.tally.LookAtDue;
import io.millrace.internal.transition.tally.OpenTally;
import io.millrace.internal.transition.tally.SealTally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
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
    rig.apply(new OpenTally("import", 0, RETENTION_MS, ref));
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
    rig.apply(new SealTally(tally));
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
    rig.apply(new SealTally(tally));
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
    rig.apply(new SealTally(tally));
    rig.die();

    rig.apply(new DeleteDead(List.of(child)));

    assertThat(rig.exists(waiting)).isFalse();
  }

  @Test
  void anyDied_oneDies_isReadyOnceAllHaveEnded() {
    child();
    child();
    JobId waiting = after(Condition.ANY_DIED);
    rig.apply(new SealTally(tally));
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
    rig.apply(new SealTally(tally));

    rig.apply(Cancel.orMark(child));

    assertThat(rig.exists(died)).isFalse();
    assertThat(rig.exists(succeeded)).isFalse();
    assertThat(state(ended)).isEqualTo(JobState.READY);
  }

  @Test
  void enqueue_afterATallyThatIsOver_isReadyAtOnce() {
    rig.apply(new SealTally(tally));

    assertThat(state(after(Condition.ENDED))).isEqualTo(JobState.READY);
    assertThat(state(after(Condition.ALL_SUCCEEDED))).isEqualTo(JobState.READY);
  }

  @Test
  void whoWaits_isCancelledBefore_isNothingToTheTally() {
    child();
    JobId waiting = after(Condition.ENDED);
    JobId other = after(Condition.ENDED);
    rig.apply(Cancel.orMark(waiting));
    rig.apply(new SealTally(tally));

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
    rig.apply(new SealTally(tally));
    rig.apply(new SealTally(outer));
    assertThat(state(last)).isEqualTo(JobState.WAITING);

    complete(); // none died, so that who waits for that is cancelled, the last of the outer one

    assertThat(state(last)).isEqualTo(JobState.READY);
  }

  @Test
  void end_isTakenBack_whoWaitsWaits() {
    child();
    JobId waiting = after(Condition.ENDED);
    rig.apply(new SealTally(tally));
    Grant grant = rig.claim();

    rig.applyInVain(new Complete(refs(grant)));
    assertThat(state(waiting)).isEqualTo(JobState.WAITING);

    rig.apply(new Complete(refs(grant)));
    assertThat(state(waiting)).isEqualTo(JobState.READY);
  }

  @Test
  void tallyWithoutDeadLetters_isKeptForItsRetentionAndThenGone() {
    JobId child = child();
    rig.apply(new SealTally(tally));
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
    assertThat(rig.apply(new SealTally(tally))).isFalse();
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
              rig.apply(new SealTally(ref));
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
