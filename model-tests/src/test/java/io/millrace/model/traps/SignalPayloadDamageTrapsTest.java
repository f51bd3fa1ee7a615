package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.api.VerifyReport;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.internal.format.InboxPayloadKeys;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SignalRecord;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged payloads of signals that came early: the others are told, and no wrong one is. */
class SignalPayloadDamageTrapsTest extends DamageTrapsTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final String GO = "go";

  /** Where the rows of SIGNAL are of one job: the names, and then the payloads. */
  private static final int NAMES = 0;

  private static final int FIRST_PAYLOAD = 1;

  private static byte[] payload(int number) {
    return ("payload " + number + " ".repeat(1_000)).getBytes(UTF_8);
  }

  /** A job with so many signals that are too long to be kept among the names. */
  private static JobId jobWithSignals(EngineHarness harness, int count) {
    JobId id = enqueue(mail(harness), "job");
    for (int i = 0; i < count; i++) {
      assertThat(harness.queues().signal(id, GO, payload(i))).isEqualTo(SignalResult.KEPT);
    }
    return id;
  }

  /** The job, which is ready, is told these and no more. */
  private static void assertTold(JobQueues engine, int... numbers) {
    for (int number : numbers) {
      assertThat(lease(engine).waitFor(GO)).isEqualTo(WaitResult.SIGNALLED);
      Lease next = lease(engine);
      assertThat(next.wake()).isEqualTo(new Wake.Signalled(GO, payload(number)));
      next.release().orThrow();
    }
    assertThat(lease(engine).waitFor(GO, ZERO)).isEqualTo(WaitResult.TIMED_OUT);
    lease(engine).complete().orThrow();
  }

  private static Lease lease(JobQueues engine) {
    return engine.queue(MAIL).claim("w", ofHours(1)).orElseThrow();
  }

  private static void assertSetAside(EngineHarness harness, int count) {
    pokeTwice(harness);
    VerifyReport report = harness.queues().verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.quarantinedCount()).isEqualTo(count);
  }

  private static List<String> findings(EngineHarness harness) {
    return harness.queues().verify().problems().stream()
        .map(VerifyReport.Problem::finding)
        .toList();
  }

  @Test
  void payload_corrupt_isToldAndTheJobGoesOnWithTheNext() {
    EngineHarness harness = start(StoreKind.FAULTY);
    jobWithSignals(harness, 3);
    damage(harness, Keyspace.SIGNAL, FIRST_PAYLOAD, (key, value) -> flipped(value));
    harness.openAgain();
    Lease lease = claim(mail(harness));

    assertThatThrownBy(() -> lease.waitFor(GO))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("keyspace=SIGNAL");

    assertSetAside(harness, 1);
    lease.release().orThrow();
    assertTold(harness.queues(), 1, 2);
    assertSetAside(harness, 1);
  }

  @Test
  void payload_missing_isToldAndTheJobGoesOnWithTheNext() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = jobWithSignals(harness, 2);
    damage(harness, Keyspace.SIGNAL, FIRST_PAYLOAD, (key, value) -> null);
    harness.openAgain();
    assertThat(findings(harness)).containsExactly("the payload of a signal is missing: slot=0");
    Lease lease = claim(mail(harness));

    assertThatThrownBy(() -> lease.waitFor(GO))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("payload of a signal is missing: keyspace=SIGNAL");

    assertSetAside(harness, 0);
    assertThat(harness.queues().signal(id, GO, payload(2))).isEqualTo(SignalResult.KEPT);
    lease.release().orThrow();
    assertTold(harness.queues(), 1, 2);
    assertSetAside(harness, 0);
  }

  @Test
  void onlyPayload_missing_jobWaitsForTheNextSignal() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = jobWithSignals(harness, 1);
    damage(harness, Keyspace.SIGNAL, FIRST_PAYLOAD, (key, value) -> null);
    harness.openAgain();
    Lease lease = claim(mail(harness));
    assertThatThrownBy(() -> lease.waitFor(GO)).isInstanceOf(CorruptDataException.class);
    assertSetAside(harness, 0);

    assertThat(lease.waitFor(GO)).isEqualTo(WaitResult.WAITING);
    assertThat(harness.queues().signal(id, GO, payload(1))).isEqualTo(SignalResult.WOKEN);

    assertThat(claim(mail(harness)).wake()).isEqualTo(new Wake.Signalled(GO, payload(1)));
    assertSetAside(harness, 0);
  }

  @Test
  void names_corrupt_payloadsAreSetAsideWithThemAndNoneIsToldLater() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = jobWithSignals(harness, 3);
    damage(harness, Keyspace.SIGNAL, NAMES, (key, value) -> flipped(value));
    harness.openAgain();

    assertThatThrownBy(() -> harness.queues().signal(id, GO, payload(3)))
        .isInstanceOf(CorruptDataException.class);

    assertSetAside(harness, 4);
    assertThat(harness.queues().signal(id, GO, payload(4))).isEqualTo(SignalResult.KEPT);
    assertTold(harness.queues(), 4);
    assertSetAside(harness, 4);
  }

  @Test
  void names_missing_endOfTheJobTakesThePayloadsAlong() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = jobWithSignals(harness, 3);
    damage(harness, Keyspace.SIGNAL, NAMES, (key, value) -> null);
    harness.openAgain();
    assertThat(findings(harness))
        .hasSize(3)
        .containsOnly("no signal that is kept for a job has the payload");

    assertThat(harness.queues().signal(id, GO, payload(3))).isEqualTo(SignalResult.KEPT);
    assertTold(harness.queues(), 3);

    assertThat(findings(harness)).hasSize(2);
    JobId next = jobWithSignals(harness, 1);
    assertThat(next).isNotEqualTo(id);
    assertTold(harness.queues(), 0);
  }

  @Test
  void inboxOfAnOlderVersion_longPayloadsAmongTheNames_areToldAndOneMoreIsKept() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "job");
    for (int i = 0; i < 2; i++) {
      harness.queues().signal(id, GO, new byte[1]).orThrow();
    }
    damage(
        harness,
        Keyspace.SIGNAL,
        NAMES,
        (key, value) ->
            new InboxRecord(
                    IntStream.range(0, 2)
                        .mapToObj(i -> new InboxRecord.Kept(GO.getBytes(UTF_8), payload(i)))
                        .toList())
                .encode(key));
    harness.openAgain();

    assertThat(harness.queues().signal(id, GO, payload(2))).isEqualTo(SignalResult.KEPT);

    assertSetAside(harness, 0);
    assertTold(harness.queues(), 0, 1, 2);
    assertSetAside(harness, 0);
  }

  @Test
  void repair_payloadsMissingCorruptAndOfNoSignal_keepsTheOthers() {
    EngineHarness harness = start(StoreKind.FAULTY);
    jobWithSignals(harness, 4);
    damage(harness, Keyspace.SIGNAL, FIRST_PAYLOAD, (key, value) -> flipped(value));
    byte[] names = List.copyOf(rows(harness, Keyspace.SIGNAL).keySet()).get(NAMES);
    byte[] missing = InboxPayloadKeys.key(names, 2);
    byte[] ofNone = InboxPayloadKeys.key(names, 9);
    harness.machine().overwrite(store(), missing, null);
    harness.machine().overwrite(store(), ofNone, new SignalRecord(payload(9), 0).encode(ofNone));
    harness.openAgain();
    assertThat(findings(harness))
        .hasSize(3)
        .contains("the payload of a signal is missing: slot=2")
        .contains("no signal that is kept for a job has the payload");
    harness.engine().close();

    repair(
        harness,
        engine -> {
          assertThat(engine.verify().quarantinedCount()).isEqualTo(2);
          assertTold(engine, 1, 3);
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"READY", "SIGNAL"})
  void repair_jobOrNamesAreLost_setsEveryPayloadAside(Keyspace lost) {
    EngineHarness harness = start(StoreKind.FAULTY);
    jobWithSignals(harness, 2);
    damage(harness, lost, 0, (key, value) -> null);

    repair(
        harness,
        engine ->
            assertThat(engine.verify().quarantinedCount())
                .isEqualTo(lost == Keyspace.READY ? 3 : 2));
  }
}
