package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.START_MS;
import static io.millrace.internal.transition.TransitionRig.ref;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Expire;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.HandBack;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.lease.ReleaseAll;
import io.millrace.internal.transition.lease.RestoreLeases;
import io.millrace.spi.ReadView;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of the end of a lease holds if all that a job can own goes with it. */
class CancelledLeasesCostTest {

  private static final int JOB_COUNT = 5;

  private static final EnqueueOptions AT_ONCE =
      EnqueueOptions.DEFAULT
          .backoff(Backoff.fixed(Duration.ZERO))
          .maxAttempts(Limits.HISTORY_COUNT_MAX + 9);

  private TransitionRig rig;
  private List<Grant> grants;

  /** Jobs that have moved, with large payloads and whole histories: leased, and marked. */
  @BeforeEach
  void open() {
    rig = new TransitionRig();
    for (int i = 0; i < JOB_COUNT; i++) {
      byte[] payload = new byte[Payload.INLINE_BYTES_MAX + 1];
      rig.apply(new Enqueue(TransitionRig.MAIL, List.of(new NewJob(payload, AT_ONCE))));
    }
    for (int i = 0; i <= Limits.HISTORY_COUNT_MAX; i++) {
      List<NamedLease> leases = rig.claim(JOB_COUNT).stream().map(TransitionRig::ref).toList();
      rig.apply(new Fail(leases, "broken", FailOptions.RETRY));
    }
    grants = rig.claim(JOB_COUNT);
    for (Grant grant : grants) {
      rig.apply(Cancel.orMark(grant.job().jobId(grant.lease().queue())));
    }
    assertThat(rig.rowCount(Keyspace.HISTORY)).isEqualTo(JOB_COUNT * Limits.HISTORY_COUNT_MAX);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private List<LeaseEntry> leases() {
    return grants.stream().map(Grant::lease).toList();
  }

  @Test
  void expire_ofAll_costsNoMoreThanItSays() {
    leases().forEach(lease -> rig.state.leases().start(lease, START_MS * 1_000_000));

    assertThatAllGo(new Expire(START_MS * 1_000_000 + 1), Expire.EACH);
  }

  @Test
  void releaseAll_ofAll_costsNoMoreThanItSays() {
    assertThatAllGo(new ReleaseAll(leases()), HandBack.EACH);
  }

  @Test
  void handBack_ofAll_costsNoMoreThanItSays() {
    assertThatAllGo(new HandBack(leases()), HandBack.EACH);
  }

  @Test
  void fail_ofAll_costsNoMoreThanItSays() {
    List<NamedLease> leases = grants.stream().map(grant -> ref(grant)).toList();
    Fail fail = new Fail(leases, "broken", FailOptions.RETRY);

    assertThatAllGo(fail, new Cost(fail.cost().operations() / JOB_COUNT, fail.cost().bytes()));
  }

  @Test
  void restoreLeases_ofADeadProcess_costsNoMoreThanItSays() {
    try (ReadView view = rig.store.read()) {
      for (Grant grant : grants) {
        byte[] key = LeaseKeys.key(grant.lease().queue(), grant.lease().birth());
        LeaseRecord row = LeaseRecord.decode(key, Objects.requireNonNull(view.get(key)));
        rig.put(key, ofAnother(row).encode(key));
      }
    }
    rig.state.leases().all().stream().toList().forEach(rig.state.leases()::forget);

    assertThatAllGo(
        new RestoreLeases(Keyspace.LEASE.start(), new RestoreLeases.Policy(false, 0)),
        RestoreLeases.EACH);
  }

  private static LeaseRecord ofAnother(LeaseRecord row) {
    return new LeaseRecord(
        row.token(),
        row.worker(),
        new Incarnation(3, 4),
        row.grantedMs(),
        row.startedAtMs(),
        row.attempt(),
        row.priority(),
        row.readySequence(),
        row.cancelRequested());
  }

  private void assertThatAllGo(Transition<?> transition, Cost each) {
    rig.apply(transition);

    assertThat(rig.lastCost().operations())
        .isBetween(JOB_COUNT * Limits.HISTORY_COUNT_MAX, JOB_COUNT * each.operations());
    assertThat(rig.lastCost().bytes()).isLessThanOrEqualTo(JOB_COUNT * each.bytes());
    assertThat(rig.count(JobState.LEASED)).isZero();
    assertThat(
            rig.rowCount(
                Keyspace.LEASE, Keyspace.READY, Keyspace.HISTORY, Keyspace.BLOB, Keyspace.MOVED))
        .isZero();
  }
}
