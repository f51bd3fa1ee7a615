package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.refs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CompleteResult;
import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.JobState;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.ReleaseJob;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Grant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rows that taking a lease away writes. */
class ReleaseJobTest {

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void release_leaseWithoutARow_leavesNoneBehind() {
    JobId id = rig.enqueue("job");
    Grant grant = rig.applyWithoutRows(TransitionRig.claimOf(1)).get(0);
    assertThat(rig.rowCount(Keyspace.LEASE)).isZero();

    JobReleaseResult result = rig.apply(new ReleaseJob(id));

    assertThat(result).isEqualTo(JobReleaseResult.RELEASED);
    assertThat(rig.rowCount(Keyspace.LEASE)).isZero();
    assertThat(rig.stats().count(JobState.READY)).isOne();
    assertThat(rig.job(id).attempts()).isZero();
    assertThat(rig.apply(new Complete(refs(grant)))).containsExactly(CompleteResult.STALE_LEASE);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void release_leaseWithARow_deletesIt() {
    JobId id = rig.enqueue("job");
    rig.claim();
    assertThat(rig.rowCount(Keyspace.LEASE)).isOne();

    rig.apply(new ReleaseJob(id));

    assertThat(rig.rowCount(Keyspace.LEASE)).isZero();
    assertThat(rig.lastDeletes()).isEqualTo("[LEASE]");
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void release_ofAMarkedJob_removesIt() {
    JobId id = rig.enqueue("job");
    rig.claim();
    rig.apply(Cancel.orMark(id));

    assertThat(rig.apply(new ReleaseJob(id))).isEqualTo(JobReleaseResult.CANCELLED);

    assertThat(rig.exists(id)).isFalse();
    assertThat(rig.rowCount(Keyspace.LEASE, Keyspace.READY)).isZero();
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void release_recordIsDamaged_isToldAndTheLeaseGoesOn() {
    JobId id = rig.enqueue("job");
    Grant grant = rig.claim();
    rig.damage(grant.lease().readyKey());

    assertThatThrownBy(() -> rig.apply(new ReleaseJob(id)))
        .isInstanceOf(CorruptDataException.class);

    assertThat(rig.state.leases().get(grant.lease().birth())).isNotNull();
  }
}
