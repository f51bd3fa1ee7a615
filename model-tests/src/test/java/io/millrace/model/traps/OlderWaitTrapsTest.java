package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Wake;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Waits of older versions, whose timers all have engine time, end by their own clock. */
class OlderWaitTrapsTest extends DamageTrapsTest {

  @Test
  void instant_comesLaterThanSteadyTime_isWaitedFor() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "until then");
    Instant then = Instant.ofEpochMilli(harness.clock().epochMs()).plus(ofHours(1));
    join(claim(mail(harness)).waitForAsync("go", then)).orThrow();
    makeOlder(harness, then.toEpochMilli());
    // Engine time waits for the wall clock, at half its speed.
    harness.clock().stepWallMs(-5_000);
    harness.awaitNothingDue();

    assertEnds(harness, id);
  }

  @Test
  void length_endsLaterThanTheInstantThatItsTimerHas_isWaitedFor() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "for an hour");
    long nowMs = harness.clock().epochMs();
    claim(mail(harness)).waitFor("go", ofHours(1).plusSeconds(5)).orThrow();
    makeOlder(harness, nowMs + ofHours(1).toMillis());

    assertEnds(harness, id);
  }

  /** In an hour and five seconds, not in an hour. */
  private static void assertEnds(EngineHarness harness, JobId id) {
    assertClean(harness);
    advance(harness, ofHours(1).plusSeconds(1));
    harness.awaitNothingDue();
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.WAITING);
    assertThat(timerCount(harness)).isOne();
    assertClean(harness);

    advance(harness, ofSeconds(5));
    harness.awaitNothingDue();
    assertThat(claim(mail(harness)).wake()).isEqualTo(new Wake.TimedOut("go"));
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  /** Writes the one wait of the store as an older version would have. */
  private void makeOlder(EngineHarness harness, long engineMs) {
    harness.engine().close();
    byte[] jobKey = only(harness, Keyspace.WAITING);
    byte[] timerKey = only(harness, Keyspace.TIMER);
    JobRecord job = JobRecord.decode(jobKey, rows(harness, Keyspace.WAITING).get(jobKey));
    byte[] olderKey =
        TimerKeys.key(
            engineMs,
            TimerKeys.queue(timerKey),
            TimerKeys.kind(timerKey),
            TimerKeys.birthOrHash(timerKey));
    JobRecord older = job.toBuilder().set(JobField.WAIT_TIMER_MS, engineMs).build();
    harness.machine().overwrite(store(), timerKey, null);
    harness.machine().overwrite(store(), olderKey, new TimerRecord(jobKey).encode(olderKey));
    harness.machine().overwrite(store(), jobKey, older.encode(jobKey));
    harness.openAgain();
  }

  private byte[] only(EngineHarness harness, Keyspace keyspace) {
    assertThat(rows(harness, keyspace)).hasSize(1);
    return rows(harness, keyspace).keySet().iterator().next();
  }
}
