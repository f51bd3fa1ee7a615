package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueSettings.KeyOrder;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SlotRecord;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreOptions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged rows beside a job that waits with its slot: nobody passes it, or waits for ever. */
class StrictKeyDamageTrapsTest extends DamageTrapsTest {

  private static final EnqueueOptions ADA =
      EnqueueOptions.DEFAULT.concurrencyKey("ada").backoff(Backoff.fixed(ofSeconds(10)));

  /** What becomes of the row that counts. */
  private enum SlotDamage {
    MISSING((key, value) -> null),
    FLIPPED((key, value) -> flipped(value)),
    NO_HOLDERS((key, value) -> new SlotRecord(0, 1).encode(key));

    private final Damage damage;

    SlotDamage(Damage damage) {
      this.damage = damage;
    }
  }

  /** The first of two jobs of a key waits: for its next attempt, or for a signal. */
  private EngineHarness two(JobState state) {
    EngineHarness harness = start(StoreKind.FAULTY);
    mail(harness).configure(settings -> settings.keyOrder(KeyOrder.STRICT));
    enqueue(mail(harness), "a", ADA);
    enqueue(mail(harness), "b", ADA);
    Lease first = claim(mail(harness));
    if (state == JobState.DELAYED) {
      first.fail("broken").orThrow();
    } else {
      first.waitFor("paid", ofSeconds(10)).orThrow();
    }
    return harness;
  }

  @ParameterizedTest
  @EnumSource(SlotDamage.class)
  void slotRow_isSeenByVerifyAndCountedByRepair(SlotDamage damage) {
    EngineHarness harness = two(JobState.DELAYED);
    damage(harness, Keyspace.SLOT, 0, damage.damage);
    try (var reader = JobEngine.inspect(harness.machine(), StoreOptions.of(store()))) {
      assertThat(reader.verify().problems()).isNotEmpty();
    }

    repair(
        harness,
        engine -> {
          assertThat(peek(engine.queue("mail"), JobState.DELAYED)).containsExactly("a");
          assertThat(peek(engine.queue("mail"), JobState.BLOCKED)).containsExactly("b");
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = JobState.class,
      names = {"DELAYED", "WAITING"})
  void slotRow_isCountedAnewWithTheJobThatWaits(JobState state) {
    EngineHarness harness = two(state);
    damage(harness, Keyspace.SLOT, 0, SlotDamage.FLIPPED.damage);
    harness.openAgain();

    harness.queues().verify();
    pokeTwice(harness);

    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(claim(mail(harness), 10)).isEmpty();
    advance(harness, ofSeconds(10));
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("a");
  }

  @ParameterizedTest
  @EnumSource(
      value = Keyspace.class,
      names = {"DELAYED", "WAITING"})
  void recordOfTheJobThatWaits_itsSlotGoesOn(Keyspace keyspace) {
    EngineHarness harness = two(keyspace.state());
    damage(harness, keyspace, 0, SlotDamage.FLIPPED.damage);
    harness.openAgain();

    harness.queues().verify();
    pokeTwice(harness);

    assertThat(payloads(claim(mail(harness), 10))).containsExactly("b");
    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(harness.queues().verify().quarantinedCount()).isEqualTo(1);
  }

  /** One recount does for all of them. */
  @Test
  void recordsOfManyJobsThatWait_allSlotsGoOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    mail(harness).configure(settings -> settings.keyOrder(KeyOrder.STRICT));
    for (String key : List.of("k1", "k2", "k3")) {
      enqueue(mail(harness), key + " first", ADA.concurrencyKey(key));
      enqueue(mail(harness), key + " next", ADA.concurrencyKey(key));
    }
    claim(mail(harness), 10).forEach(lease -> lease.fail("broken").orThrow());
    for (int i = 0; i < 3; i++) {
      damage(harness, Keyspace.DELAYED, i, SlotDamage.FLIPPED.damage);
    }
    harness.openAgain();

    harness.queues().verify();
    pokeTwice(harness);

    assertThat(payloads(claim(mail(harness), 10)))
        .containsExactlyInAnyOrder("k1 next", "k2 next", "k3 next");
    assertThat(harness.queues().verify().problems()).isEmpty();
  }
}
