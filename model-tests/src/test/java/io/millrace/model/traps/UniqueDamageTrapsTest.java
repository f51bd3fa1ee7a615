package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.RedriveResult;
import io.millrace.api.UniqueKey;
import io.millrace.api.VerifyReport;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged rows of unique keys: no job is lost for them, and none is there twice. */
class UniqueDamageTrapsTest extends DamageTrapsTest {

  private static final UniqueKey KEY = UniqueKey.of("welcome:ada");
  private static final EnqueueOptions UNIQUE = EnqueueOptions.DEFAULT.unique(KEY);
  private static final EnqueueOptions HOURLY =
      EnqueueOptions.DEFAULT.unique(KEY.within(ofHours(1)));

  private static Enqueued put(EngineHarness harness, EnqueueOptions options) {
    return mail(harness).enqueue("job".getBytes(UTF_8), options);
  }

  @Test
  void uniqueRow_corrupt_isMadeAnewOfTheJobThatHoldsIt() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId holder = put(harness, UNIQUE).jobId();
    enqueue(mail(harness), "another", EnqueueOptions.DEFAULT.unique("other"));
    flip(harness, Keyspace.UNIQUE, 1);

    assertThatThrownBy(() -> put(harness, UNIQUE))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("UNIQUE");

    assertSetAside(harness);
    assertThat(put(harness, UNIQUE)).isEqualTo(Enqueued.duplicateOf(holder));
    claim(mail(harness)).complete().orThrow();
    assertThat(put(harness, UNIQUE).kind()).isEqualTo(Enqueued.Kind.NEW);
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @Test
  void uniqueRow_corruptOfAKeyThatIsTakenForATime_isMadeAnewWithItsEnd() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId holder = put(harness, HOURLY).jobId();
    flip(harness, Keyspace.UNIQUE, 0);

    assertThatThrownBy(() -> put(harness, HOURLY)).isInstanceOf(CorruptDataException.class);

    assertSetAside(harness);
    assertThat(put(harness, HOURLY)).isEqualTo(Enqueued.duplicateOf(holder));
    harness.clock().advanceMs(ofHours(1).toMillis());
    harness.awaitNothingDue();
    assertThat(timerCount(harness)).isZero();
    assertThat(put(harness, UNIQUE).kind()).isEqualTo(Enqueued.Kind.NEW);
  }

  @Test
  void uniqueRow_corruptWhenItsJobIsRedriven_answersAfterItWasMadeAnew() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId dead = put(harness, UNIQUE).jobId();
    claim(mail(harness)).fail("no", FailOptions.PERMANENT).orThrow();
    JobId holder = put(harness, UNIQUE).jobId();
    flip(harness, Keyspace.UNIQUE, 0);

    assertThatThrownBy(() -> mail(harness).deadLetters().redrive(dead))
        .isInstanceOf(CorruptDataException.class);

    assertSetAside(harness);
    assertThat(mail(harness).deadLetters().redrive(dead))
        .isEqualTo(new RedriveResult.Duplicate(holder));
  }

  @Test
  void record_corruptOfAJobThatHoldsAKey_freesTheKey() {
    EngineHarness harness = start(StoreKind.FAULTY);
    put(harness, UNIQUE);
    flip(harness, Keyspace.READY, 0);

    assertThat(claim(mail(harness), 1)).isEmpty();

    assertSetAside(harness);
    assertThat(put(harness, UNIQUE).kind()).isEqualTo(Enqueued.Kind.NEW);
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @Test
  void timerRow_corruptOfAKeyThatIsTakenForATime_freesTheKeyAllTheSame() {
    EngineHarness harness = start(StoreKind.FAULTY);
    put(harness, HOURLY);
    flip(harness, Keyspace.TIMER, 0);

    harness.clock().advanceMs(ofHours(1).toMillis());
    harness.awaitNothingDue();

    assertThat(timerCount(harness)).isZero();
    assertThat(put(harness, UNIQUE).kind()).isEqualTo(Enqueued.Kind.NEW);
    claim(mail(harness), 9).forEach(lease -> lease.complete().orThrow());
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  /** What verify must see, and repair must mend. */
  private enum RowDamage {
    ROW_MISSING {
      @Override
      byte @Nullable [] of(byte[] key, byte[] value, JobId other) {
        return null;
      }
    },
    ROW_OF_A_GONE_JOB {
      @Override
      byte[] of(byte[] key, byte[] value, JobId other) {
        UniqueRecord row = UniqueRecord.decode(key, value);
        JobId gone = new JobId(row.jobId().high(), row.jobId().low() + (1L << 40));
        return new UniqueRecord(gone, row.scope(), row.expiryMs()).encode(key);
      }
    },
    ROW_OF_ANOTHER_JOB {
      @Override
      byte[] of(byte[] key, byte[] value, JobId other) {
        UniqueRecord row = UniqueRecord.decode(key, value);
        return new UniqueRecord(other, row.scope(), row.expiryMs()).encode(key);
      }
    },
    CHECKSUM {
      @Override
      byte[] of(byte[] key, byte[] value, JobId other) {
        return flipped(value);
      }
    };

    abstract byte @Nullable [] of(byte[] key, byte[] value, JobId other);
  }

  @ParameterizedTest
  @EnumSource(RowDamage.class)
  void damage_ofAKeyHeldUntilItsJobHasEnded_isSeenAndMended(RowDamage damage) {
    assertSeenAndMended(damage, UNIQUE);
  }

  @ParameterizedTest
  @EnumSource(RowDamage.class)
  void damage_ofAKeyHeldUntilItsJobIsStarted_isSeenAndMended(RowDamage damage) {
    assertSeenAndMended(damage, EnqueueOptions.DEFAULT.unique(KEY.untilStarted()));
  }

  /** Of a gone job it is no damage: such a key outlives its job. */
  @ParameterizedTest
  @EnumSource(value = RowDamage.class, mode = EnumSource.Mode.EXCLUDE, names = "ROW_OF_A_GONE_JOB")
  void damage_ofAKeyHeldForATime_isSeenAndMended(RowDamage damage) {
    assertSeenAndMended(damage, HOURLY);
  }

  private void assertSeenAndMended(RowDamage damage, EnqueueOptions options) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId holder = put(harness, options).jobId();
    JobId other = enqueue(mail(harness), "other");
    damage(harness, Keyspace.UNIQUE, 0, (key, value) -> damage.of(key, value, other));

    harness.openAgain();
    assertThat(harness.queues().verify().problems()).isNotEmpty();
    harness.engine().close();
    repair(
        harness,
        engine -> {
          assertThat(engine.queue("mail").enqueue(new byte[1], UNIQUE))
              .isEqualTo(Enqueued.duplicateOf(holder));
          assertThat(engine.get(holder)).isPresent();
          assertThat(engine.get(other)).isPresent();
        });
  }

  private static void assertSetAside(EngineHarness harness) {
    pokeTwice(harness);
    VerifyReport report = harness.queues().verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.quarantinedCount()).isEqualTo(1);
  }

  /** Flips a bit of the keyspace's row at this place, while the engine is closed. */
  private void flip(EngineHarness harness, Keyspace keyspace, int index) {
    damage(harness, keyspace, index, (key, value) -> flipped(value));
    harness.openAgain();
  }
}
