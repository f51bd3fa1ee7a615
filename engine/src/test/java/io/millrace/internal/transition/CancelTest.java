package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.ref;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.ReleaseResult;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Payload;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.lease.Checkpoint;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Expire;
import io.millrace.internal.transition.lease.Extend;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.lease.ReleaseAll;
import io.millrace.internal.transition.lease.RestoreLeases;
import io.millrace.internal.transition.lease.Snooze;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CancelTest {

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  /** A leased job with a mark. */
  private Grant marked() {
    JobId id = rig.enqueue("x".repeat(Payload.INLINE_BYTES_MAX + 1));
    Grant grant = rig.claim();
    assertThat(rig.apply(Cancel.orMark(id))).isEqualTo(CancelResult.REQUESTED);
    return grant;
  }

  private void assertCancelled(Grant grant) {
    assertThat(rig.exists(grant.job().jobId(grant.lease().queue()))).isFalse();
    assertThat(rig.stats().count(JobState.LEASED)).isZero();
    assertThat(rig.stats().count(JobState.READY)).isZero();
    assertThat(rig.stats().total(Total.CANCELLED)).isEqualTo(1);
    assertThat(rig.lastDeletes()).contains("READY", "LEASE", "BLOB");
  }

  @Test
  void request_leasedJob_marksTheLeaseAlone() {
    JobId id = rig.enqueue("a");
    Grant grant = rig.claim();

    CancelResult result = rig.apply(Cancel.orMark(id));

    assertThat(result).isEqualTo(CancelResult.REQUESTED);
    assertThat(rig.lastPuts()).isEqualTo("[LEASE]");
    assertThat(rig.lastDeletes()).isEqualTo("[]");
    assertThat(grant.lease().isCancelTold()).isTrue();
    assertThat(rig.job(id).state()).isEqualTo(JobState.LEASED);
    assertThat(rig.job(id).lease().orElseThrow().cancelRequested()).isTrue();
  }

  @Test
  void request_again_writesNothing() {
    Grant grant = marked();

    CancelResult result = rig.apply(Cancel.orMark(grant.job().jobId(grant.lease().queue())));

    assertThat(result).isEqualTo(CancelResult.REQUESTED);
    assertThat(rig.lastPuts()).isEqualTo("[]");
  }

  @Test
  void request_jobsThatNobodyWorksOn_removesThem() {
    JobId ready = rig.enqueue("ready");
    JobId delayed = rig.enqueue("delayed", EnqueueOptions.DEFAULT.delay(ofSeconds(5)));
    JobId dead = rig.enqueue("dead", EnqueueOptions.DEFAULT.priority(9));
    rig.die();

    for (JobId id : List.of(ready, delayed, dead)) {
      assertThat(rig.apply(Cancel.orMark(id))).isEqualTo(CancelResult.CANCELLED);
      assertThat(rig.exists(id)).isFalse();
    }

    assertThat(rig.stats().total(Total.CANCELLED)).isEqualTo(3);
    assertThat(rig.apply(Cancel.orMark(ready))).isEqualTo(CancelResult.GONE);
  }

  @Test
  void extend_afterTheRequest_tellsTheHolder() {
    Grant grant = marked();

    List<ExtendResult> results = rig.apply(new Extend(List.of(ref(grant)), ofSeconds(30)));

    assertThat(results).containsExactly(new ExtendResult.Extended(ofSeconds(30), true));
  }

  @Test
  void checkpoint_afterTheRequest_tellsTheHolderAndKeepsTheMark() {
    Grant grant = marked();

    List<ExtendResult> results = rig.apply(new Checkpoint(ref(grant), new byte[] {1}));

    assertThat(results).containsExactly(new ExtendResult.Extended(ofSeconds(30), true));
    assertThat(grant.lease().isCancelTold()).isTrue();
  }

  @Test
  void extend_thatRewritesTheLease_keepsTheMark() {
    Grant grant = marked();

    rig.apply(new Extend(List.of(ref(grant)), ofSeconds(90)));

    assertThat(rig.lastPuts()).isEqualTo("[LEASE]");
    JobId id = grant.job().jobId(grant.lease().queue());
    assertThat(rig.job(id).lease().orElseThrow().cancelRequested()).isTrue();
  }

  @Test
  void complete_afterTheRequest_isACompletion() {
    Grant grant = marked();

    List<CompleteResult> results = rig.apply(new Complete(List.of(ref(grant))));

    assertThat(results).containsExactly(CompleteResult.COMPLETED);
    assertThat(rig.stats().total(Total.COMPLETED)).isEqualTo(1);
    assertThat(rig.stats().total(Total.CANCELLED)).isZero();
  }

  @Test
  void fail_afterTheRequest_removesTheJob() {
    Grant grant = marked();

    List<FailResult> results =
        rig.apply(new Fail(List.of(ref(grant)), "cancelled", FailOptions.RETRY));

    assertThat(results).containsExactly(new FailResult.Cancelled());
    assertCancelled(grant);
    assertThat(rig.stats().total(Total.RETRIED)).isZero();
  }

  @Test
  void failForGood_afterTheRequest_removesTheJobAndLeavesNoDeadLetter() {
    Grant grant = marked();

    List<FailResult> results =
        rig.apply(new Fail(List.of(ref(grant)), "cancelled", FailOptions.PERMANENT));

    assertThat(results).containsExactly(new FailResult.Cancelled());
    assertCancelled(grant);
    assertThat(rig.stats().count(JobState.DEAD)).isZero();
  }

  @Test
  void release_afterTheRequest_removesTheJob() {
    Grant grant = marked();

    List<ReleaseResult> results = rig.apply(new Release(List.of(ref(grant))));

    assertThat(results).containsExactly(ReleaseResult.CANCELLED);
    assertCancelled(grant);
    assertThat(rig.stats().total(Total.RELEASED)).isZero();
  }

  @Test
  void snooze_afterTheRequest_removesTheJob() {
    Grant grant = marked();
    Snooze.Until until = new Snooze.Until(Snooze.Until.Kind.DELAY, 1_000);

    List<ReleaseResult> results = rig.apply(new Snooze(List.of(ref(grant)), until));

    assertThat(results).containsExactly(ReleaseResult.CANCELLED);
    assertCancelled(grant);
    assertThat(rig.stats().count(JobState.DELAYED)).isZero();
  }

  @Test
  void expiry_afterTheRequest_removesTheJob() {
    Grant grant = marked();
    rig.state.leases().start(grant.lease(), 1);

    Integer expired = rig.apply(new Expire(1));

    assertThat(expired).isEqualTo(1);
    assertCancelled(grant);
    assertThat(rig.stats().total(Total.EXPIRED)).isEqualTo(1);
  }

  @Test
  void cleanStop_afterTheRequest_removesTheJob() {
    Grant grant = marked();

    rig.apply(new ReleaseAll(List.copyOf(rig.state.leases().all())));

    assertCancelled(grant);
  }

  @Test
  void restart_leasesReclaimed_removesTheJob() {
    Grant grant = marked();
    rig.state.leases().forget(grant.lease());

    rig.apply(new RestoreLeases(Keyspace.LEASE.start(), new RestoreLeases.Policy(true, 0)));

    assertThat(rig.state.leases().get(grant.lease().birth()).isCancelTold()).isTrue();
    rig.apply(new ReleaseAll(List.copyOf(rig.state.leases().all())));
    assertCancelled(grant);
  }

  @Test
  void request_batchThatNeverHappened_leavesNoMark() {
    JobId id = rig.enqueue("a");
    Grant grant = rig.claim();

    rig.applyInVain(Cancel.orMark(id));

    assertThat(grant.lease().isCancelRequested()).isFalse();
    assertThat(grant.lease().isCancelTold()).isFalse();
    assertThat(rig.apply(new Release(List.of(ref(grant))))).containsExactly(ReleaseResult.RELEASED);
  }

  @Test
  void request_andEndInABatchThatNeverHappened_leavesTheLeaseUnmarked() {
    JobId id = rig.enqueue("a");
    Grant grant = rig.claim();

    rig.applyInVain(Cancel.orMark(id), new Release(List.of(ref(grant))));

    assertThat(rig.state.leases().get(grant.lease().birth())).isSameAs(grant.lease());
    assertThat(grant.lease().isCancelRequested()).isFalse();
    assertThat(rig.exists(id)).isTrue();
  }
}
