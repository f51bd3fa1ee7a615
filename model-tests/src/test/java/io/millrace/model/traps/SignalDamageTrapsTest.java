package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.api.VerifyReport;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import org.junit.jupiter.api.Test;

/** Damaged rows of waits and signals: others go on, nothing is told twice or to the wrong job. */
class SignalDamageTrapsTest extends DamageTrapsTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final byte[] YES = "yes".getBytes(UTF_8);

  private static JobId waiting(EngineHarness harness, String payload) {
    JobId id = enqueue(mail(harness), payload);
    assertThat(claim(mail(harness)).waitFor("go", ofHours(2))).isEqualTo(WaitResult.WAITING);
    return id;
  }

  private static SignalResult send(EngineHarness harness, JobId id) {
    return harness.queues().signal(id, "go", YES);
  }

  private void flip(EngineHarness harness, Keyspace keyspace, int index) {
    damage(harness, keyspace, index, (key, value) -> flipped(value));
    harness.openAgain();
  }

  /** What was damaged is in quarantine, and nothing else is wrong. */
  private static void assertSetAside(EngineHarness harness) {
    pokeTwice(harness);
    VerifyReport report = harness.queues().verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.quarantinedCount()).isEqualTo(1);
  }

  @Test
  void waitingRecord_corrupt_broadcastReachesTheOthers() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId first = waiting(harness, "first");
    JobId damaged = waiting(harness, "damaged");
    JobId last = waiting(harness, "last");
    flip(harness, Keyspace.WAITING, 1);

    assertThat(harness.queues().signals().broadcast(MAIL, "go", YES).wokenCount()).isEqualTo(2);

    for (JobId id : new JobId[] {first, last}) {
      Lease lease = claim(mail(harness));
      assertThat(lease.jobId()).isEqualTo(id);
      assertThat(lease.wake()).isEqualTo(new Wake.Signalled("go", YES));
    }
    assertThat(send(harness, damaged)).isEqualTo(SignalResult.GONE);
    assertSetAside(harness);
  }

  @Test
  void waitingRecord_corruptWhenItIsSignalled_isToldAndSetAside() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId damaged = waiting(harness, "damaged");
    JobId other = waiting(harness, "other");
    flip(harness, Keyspace.WAITING, 0);

    assertThatThrownBy(() -> send(harness, damaged))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("keyspace=WAITING");

    assertSetAside(harness);
    assertThat(send(harness, damaged)).isEqualTo(SignalResult.GONE);
    assertThat(send(harness, other)).isEqualTo(SignalResult.WOKEN);
    harness.clock().advanceMs(ofHours(3).toMillis());
    harness.awaitNothingDue();
    assertThat(timerCount(harness)).isZero();
    assertSetAside(harness);
  }

  @Test
  void keptSignals_corrupt_areToldAndTheJobGoesOnWithoutThem() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "job");
    assertThat(send(harness, id)).isEqualTo(SignalResult.KEPT);
    flip(harness, Keyspace.SIGNAL, 0);
    Lease lease = claim(mail(harness));

    assertThatThrownBy(() -> lease.waitFor("go", ZERO))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("keyspace=SIGNAL");

    assertSetAside(harness);
    assertThat(lease.waitFor("go", ofHours(1))).isEqualTo(WaitResult.WAITING);
    assertThat(send(harness, id)).isEqualTo(SignalResult.WOKEN);
    assertThat(claim(mail(harness)).wake()).isEqualTo(new Wake.Signalled("go", YES));
    assertSetAside(harness);
  }

  @Test
  void keptSignals_corruptWhenOneMoreComes_isToldAndTheNextIsKept() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "job");
    assertThat(send(harness, id)).isEqualTo(SignalResult.KEPT);
    flip(harness, Keyspace.SIGNAL, 0);

    assertThatThrownBy(() -> send(harness, id)).isInstanceOf(CorruptDataException.class);

    assertSetAside(harness);
    assertThat(send(harness, id)).isEqualTo(SignalResult.KEPT);
    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    claim(mail(harness)).complete().orThrow();
    assertSetAside(harness);
  }

  @Test
  void keptBroadcast_corruptWhenSomebodyWaits_isToldAndHeWaitsThen() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "job");
    assertThat(harness.queues().signals().broadcast(MAIL, "go", YES).isKept()).isTrue();
    flip(harness, Keyspace.SIGNAL, 0);
    Lease lease = claim(mail(harness));

    assertThatThrownBy(() -> lease.waitFor("go")).isInstanceOf(CorruptDataException.class);

    pokeTwice(harness);
    assertThat(lease.waitFor("go")).isEqualTo(WaitResult.WAITING);
    assertThat(harness.queues().signals().broadcast(MAIL, "go", YES).wokenCount()).isEqualTo(1);
    assertSetAside(harness);
  }

  @Test
  void timerOfADeadline_corrupt_wakesTheJobAllTheSame() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = waiting(harness, "job");
    flip(harness, Keyspace.TIMER, 0);

    harness.clock().advanceMs(ofHours(2).toMillis());
    harness.awaitNothingDue();

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
    assertThat(claim(mail(harness)).wake()).isEqualTo(new Wake.TimedOut("go"));
    assertClean(harness);
  }

  @Test
  void verify_jobOfKeptSignalsIsLost_isTold() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "job");
    assertThat(send(harness, id)).isEqualTo(SignalResult.KEPT);
    damage(harness, Keyspace.READY, 0, (key, value) -> null);
    harness.openAgain();

    assertThat(harness.queues().verify().problems())
        .extracting(VerifyReport.Problem::finding)
        .contains("the job that the signals are kept for does not exist");
    harness.engine().close();
    repair(harness, engine -> assertThat(engine.verify().quarantinedCount()).isEqualTo(1));
  }

  @Test
  void repair_timerOfADeadlineAndAnotherJobsSignalsAreLost_eachGoesOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId waiting = waiting(harness, "waits");
    JobId early = enqueue(mail(harness), "early");
    assertThat(send(harness, early)).isEqualTo(SignalResult.KEPT);
    damage(harness, Keyspace.TIMER, 0, (key, value) -> null);
    damage(harness, Keyspace.SIGNAL, 0, (key, value) -> flipped(value));

    repair(
        harness,
        engine -> {
          harness.clock().advanceMs(ofHours(2).toMillis());
          harness.awaitNothingDue();
          assertThat(state(engine, waiting)).isEqualTo(JobState.READY);
          Lease lease = engine.queue(MAIL).claim("w", ofHours(1)).orElseThrow();
          assertThat(lease.jobId()).isEqualTo(early);
          assertThat(lease.waitFor("go", ZERO)).isEqualTo(WaitResult.TIMED_OUT);
          assertThat(engine.verify().quarantinedCount()).isEqualTo(1);
        });
  }
}
