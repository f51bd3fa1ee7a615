package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueStats;
import io.millrace.api.VerifyReport;
import io.millrace.api.WaitResult;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that are damaged or gone are set aside, and what counted or named them goes with them. */
@InProcess("damaged rows of the store, whoever calls")
class QuarantineTrapsTest extends TrapTest {

  /** What happens to a row. */
  enum Damage {
    FLIPPED,
    REMOVED
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void leasedRecord_lostBeforeUncleanRestart_takesItsLeaseWithIt(Damage damage) {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "leased", EnqueueOptions.DEFAULT.priority(9));
    enqueue(mail(harness), "ready");
    claim(mail(harness));
    enqueue(mail(harness), "more");
    harness.store().cut();
    closeAnyway(harness);

    damage(harness, rows(harness, Keyspace.READY).get(0), damage);
    harness.openAgain();

    QueueStats stats = mail(harness).stats().orElseThrow();
    assertThat(stats.count(JobState.LEASED)).isZero();
    assertThat(stats.count(JobState.READY)).isEqualTo(2);
    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(harness.queues().verify().quarantinedCount()).isPositive();
    assertThat(payloads(claim(mail(harness), 9))).containsExactly("ready", "more");
  }

  @Test
  void leaseRow_andItsRecordCorrupt_bothAreSetAside() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "leased", EnqueueOptions.DEFAULT.priority(9));
    enqueue(mail(harness), "ready");
    claim(mail(harness));
    enqueue(mail(harness), "more");
    harness.store().cut();
    closeAnyway(harness);

    damage(harness, rows(harness, Keyspace.READY).get(0), Damage.FLIPPED);
    damage(harness, rows(harness, Keyspace.LEASE).get(0), Damage.FLIPPED);
    harness.openAgain();

    assertThat(mail(harness).stats().orElseThrow().count(JobState.LEASED)).isZero();
    assertThat(payloads(claim(mail(harness), 9))).containsExactly("ready", "more");
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @Test
  void counters_andLeasedRecordCorrupt_recountIsExactAllTheSame() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "leased", EnqueueOptions.DEFAULT.priority(9));
    enqueue(mail(harness), "ready");
    claim(mail(harness));
    enqueue(mail(harness), "more");
    harness.store().cut();
    closeAnyway(harness);

    damage(harness, rows(harness, Keyspace.READY).get(0), Damage.FLIPPED);
    damage(harness, rows(harness, Keyspace.COUNTERS).get(0), Damage.FLIPPED);
    harness.openAgain();

    assertThat(payloads(claim(mail(harness), 9))).containsExactly("ready", "more");
    enqueue(mail(harness), "flush");
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void queueName_lostOfQueueWithDelayedJobs_engineGoesOnAndServesThem(Damage damage) {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(ofSeconds(10)));
    harness.engine().close();

    damage(harness, rows(harness, Keyspace.QUEUE_NAME).get(0), damage);
    harness.openAgain();
    advance(harness, ofSeconds(20));

    assertThat(harness.engine().poison()).isEmpty();
    assertThat(payload(claim(mail(harness)))).isEqualTo("later");
  }

  @Test
  void queueRow_removedOfQueueWithDelayedJobs_engineGoesOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(ofSeconds(10)));
    harness.engine().close();

    damage(harness, rows(harness, Keyspace.QUEUE).get(0), Damage.REMOVED);
    harness.openAgain();
    advance(harness, ofSeconds(20));

    assertThat(harness.engine().poison()).isEmpty();
    assertThat(enqueue(harness.queues().queue("other"), "new")).isNotNull();
  }

  @Test
  void queueName_corruptOfLeasedJob_leaseEndsAllTheSame() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "leased");
    claim(mail(harness));
    enqueue(mail(harness), "more");
    harness.store().cut();
    closeAnyway(harness);

    damage(harness, rows(harness, Keyspace.QUEUE_NAME).get(0), Damage.FLIPPED);
    harness.openAgain();

    assertThat(harness.engine().poison()).isEmpty();
    assertThat(payloads(claim(mail(harness), 9))).containsExactlyInAnyOrder("leased", "more");
  }

  @Test
  void cancel_movedRowCorrupt_isToldAndTheRowIsWrittenAnew() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(ofSeconds(10)));
    harness.engine().close();
    damage(harness, rows(harness, Keyspace.MOVED).get(0), Damage.FLIPPED);
    harness.openAgain();

    assertThatThrownBy(() -> harness.queues().cancelIfWaiting(id))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("MOVED");

    assertThat(harness.queues().cancelIfWaiting(id)).hasToString("CANCELLED");
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void claim_payloadLost_isToldAndTheJobIsSetAside(Damage damage) {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueueLarge(mail(harness), 9);
    enqueue(mail(harness), "small");
    harness.engine().close();
    byte[] key = rows(harness, Keyspace.BLOB).get(0);
    damage(harness, key, damage);
    harness.openAgain();

    assertThatThrownBy(() -> mail(harness).claim(ClaimOptions.by("worker")))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("BLOB")
        .hasMessageContaining(HexFormat.of().formatHex(key));

    assertSetAside(harness);
    assertThat(payload(claim(mail(harness)))).isEqualTo("small");
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void get_payloadLost_isToldAndTheJobIsSetAside(Damage damage) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueueLarge(mail(harness), 0);
    enqueue(mail(harness), "small");
    harness.engine().close();
    damage(harness, rows(harness, Keyspace.BLOB).get(0), damage);
    harness.openAgain();

    assertThatThrownBy(() -> harness.queues().get(id)).isInstanceOf(CorruptDataException.class);

    assertSetAside(harness);
    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(payload(claim(mail(harness)))).isEqualTo("small");
  }

  @ParameterizedTest
  @CsvSource({
    "BLOCKED, FLIPPED", "BLOCKED, REMOVED",
    "WAITING, FLIPPED", "WAITING, REMOVED",
    "DONE, FLIPPED", "DONE, REMOVED"
  })
  void get_payloadLostOfJobInNoLine_isToldAndTheJobIsSetAside(JobState state, Damage damage) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = bringLargeTo(state, mail(harness));
    assertThat(mail(harness).stats().orElseThrow().count(state)).isEqualTo(1);
    harness.engine().close();
    damage(harness, rows(harness, Keyspace.BLOB).get(0), damage);
    harness.openAgain();

    assertThatThrownBy(() -> harness.queues().get(id)).isInstanceOf(CorruptDataException.class);

    assertSetAside(harness);
    assertThat(mail(harness).stats().orElseThrow().count(state)).isZero();
    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(payload(claim(mail(harness)))).isEqualTo("small");
  }

  /** Brings a job with a large payload to the state, beside a small one that is ready. */
  private static JobId bringLargeTo(JobState state, JobQueue queue) {
    if (state == JobState.BLOCKED) {
      EnqueueOptions withKey = EnqueueOptions.DEFAULT.concurrencyKey("key");
      enqueue(queue, "small", withKey);
      return queue.enqueue(new byte[2_000], withKey).jobId();
    }
    EnqueueOptions resultKept = EnqueueOptions.DEFAULT.resultRetention(ofSeconds(1_000));
    JobId id = queue.enqueue(new byte[2_000], resultKept).jobId();
    Lease lease = claim(queue);
    if (state == JobState.WAITING) {
      assertThat(lease.waitFor("go")).isEqualTo(WaitResult.WAITING);
    } else {
      lease.complete(new byte[1]).orThrow();
    }
    enqueue(queue, "small");
    return id;
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void verify_payloadLostOfRetriedJob_isListedOnceAndTheJobIsSetAside(Damage damage) {
    EngineHarness harness = start(StoreKind.FAULTY);
    mail(harness)
        .enqueue(new byte[2_000], EnqueueOptions.DEFAULT.backoff(Backoff.fixed(ofSeconds(9))));
    claim(mail(harness)).fail("broken").orThrow();
    enqueue(mail(harness), "small");
    harness.engine().close();
    damage(harness, rows(harness, Keyspace.BLOB).get(0), damage);
    harness.openAgain();

    VerifyReport report = harness.queues().verify();

    assertThat(report.problems()).hasSize(1);
    assertSetAside(harness);
  }

  @Test
  void claim_stateReplacedMeanwhile_isNotTakenForLost() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueueLarge(mail(harness), 0);
    Lease lease = claim(mail(harness));

    lease.checkpoint(new byte[2_500]).orThrow();
    lease.checkpoint(new byte[3_000]).orThrow();
    lease.release().orThrow();

    Lease again = claim(mail(harness));
    assertThat(again.payload()).hasSize(2_000);
    assertThat(again.checkpointed().orElseThrow()).hasSize(3_000);
    assertClean(harness);
  }

  private void assertSetAside(EngineHarness harness) {
    pokeTwice(harness);
    VerifyReport report = harness.queues().verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.quarantinedCount()).isPositive();
    QueueStats stats = mail(harness).stats().orElseThrow();
    assertThat(stats.count(JobState.READY)).isEqualTo(1);
    assertThat(stats.count(JobState.DELAYED)).isZero();
    assertThat(stats.count(JobState.LEASED)).isZero();
    assertThat(stats.total(QueueStats.Total.QUARANTINED)).isEqualTo(1);
  }

  private static JobId enqueueLarge(JobQueue queue, int priority) {
    return queue.enqueue(new byte[2_000], EnqueueOptions.DEFAULT.priority(priority)).jobId();
  }

  private static void closeAnyway(EngineHarness harness) {
    try {
      harness.engine().close();
    } catch (RuntimeException expected) {
      // The store was cut off.
    }
  }

  private void damage(EngineHarness harness, byte[] key, Damage damage) {
    if (damage == Damage.REMOVED) {
      harness.machine().overwrite(folder.resolve("store"), key, null);
    } else {
      harness.machine().flipBit(folder.resolve("store"), key, 70);
    }
  }

  private List<byte[]> rows(EngineHarness harness, Keyspace keyspace) {
    List<byte[]> keys = new ArrayList<>();
    StoreOptions options =
        StoreOptions.of(folder.resolve("store")).access(StoreOptions.Access.READ_ONLY);
    try (OrderedStore store = harness.machine().open(options);
        ReadView view = store.read()) {
      view.scan(keyspace.start(), keyspace.end(), Integer.MAX_VALUE, (key, value) -> keys.add(key));
    }
    return keys;
  }
}
