package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.TurnRecord;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damaged rows of concurrency keys of the engine: no job waits for ever, and none goes too early.
 */
class EngineKeyDamageTrapsTest extends DamageTrapsTest {

  private static final EnqueueOptions ONE = EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1);
  private static final List<String> QUEUES = List.of("a", "b", "c");

  /** More turns than one recount puts right. */
  private static final int MANY = 1_500;

  /** What verify must see, and repair must mend; row 0 counts, those behind it are the turns. */
  private enum RowDamage {
    SLOT_MISSING(0, (key, value) -> null),
    SLOT_FLIPPED(0, (key, value) -> flipped(value)),
    FEWER_HOLDERS(0, (key, value) -> new SlotRecord(0, 3).encode(key)),
    MORE_HOLDERS(0, (key, value) -> new SlotRecord(5, 3).encode(key)),
    FEWER_BLOCKED(0, (key, value) -> new SlotRecord(1, 1).encode(key)),
    TURN_MISSING(1, (key, value) -> null),
    TURN_FLIPPED(1, (key, value) -> flipped(value)),
    TURN_OF_NO_QUEUE(1, (key, value) -> new TurnRecord(99, 1).encode(key)),
    TURN_WITH_ANOTHER_NUMBER(
        2, (key, value) -> new TurnRecord(TurnRecord.decode(key, value).queue(), 7).encode(key));

    private final int row;
    private final Damage damage;

    RowDamage(int row, Damage damage) {
      this.row = row;
      this.damage = damage;
    }

    boolean isSetAside() {
      return name().endsWith("FLIPPED");
    }
  }

  /** Four jobs in three queues, of which the first is ready. */
  private EngineHarness four() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(harness.queues().queue("a"), "a1", ONE);
    enqueue(harness.queues().queue("b"), "b1", ONE);
    enqueue(harness.queues().queue("a"), "a2", ONE);
    enqueue(harness.queues().queue("c"), "c1", ONE);
    return harness;
  }

  @ParameterizedTest
  @EnumSource(RowDamage.class)
  void damage_isSeenByVerifyAndMendedByRepair(RowDamage damage) {
    EngineHarness harness = four();
    damage(harness, Keyspace.SLOT, damage.row, damage.damage);
    try (var reader = JobEngine.inspect(harness.machine(), StoreOptions.of(store()))) {
      assertThat(reader.verify().problems()).isNotEmpty();
    }
    repair(harness, engine -> assertThat(served(engine)).containsExactly("a1", "b1", "a2", "c1"));
  }

  /** What is sound to look at, and says something else, only a repair can know. */
  @ParameterizedTest
  @EnumSource(
      value = RowDamage.class,
      names = {"SLOT_MISSING", "SLOT_FLIPPED", "TURN_MISSING", "TURN_FLIPPED", "TURN_OF_NO_QUEUE"})
  void damage_isMendedByTheEngineWhenItIsMet(RowDamage damage) {
    EngineHarness harness = four();
    damage(harness, Keyspace.SLOT, damage.row, damage.damage);
    harness.openAgain();

    harness.queues().verify();
    pokeTwice(harness);

    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(served(harness.queues())).containsExactly("a1", "b1", "a2", "c1");
    assertClean(harness, damage.isSetAside() ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource(
      value = RowDamage.class,
      names = {"SLOT_FLIPPED", "TURN_MISSING", "TURN_FLIPPED", "TURN_OF_NO_QUEUE"})
  void damage_isMendedByTheCommitThatNeedsTheRow(RowDamage damage) {
    EngineHarness harness = four();
    damage(harness, Keyspace.SLOT, damage.row, damage.damage);
    harness.openAgain();

    List<String> served = served(harness.queues());
    pokeTwice(harness);

    assertThat(served).containsExactlyInAnyOrder("a1", "b1", "a2", "c1");
    assertClean(harness, damage.isSetAside() ? 1 : 0);
  }

  /** A row that says that everybody has gone: what repair lets go on is what the records say. */
  @Test
  void repair_strictJobIsFirst_keepsThoseBehindIt() {
    EngineHarness harness = start(StoreKind.FAULTY);
    EnqueueOptions two = EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 2);
    enqueue(harness.queues().queue("a"), "a1", ONE);
    enqueue(harness.queues().queue("b"), "b1", ONE);
    enqueue(harness.queues().queue("c"), "c1", two);
    damage(harness, Keyspace.SLOT, 0, RowDamage.MORE_HOLDERS.damage);

    repair(
        harness,
        engine -> {
          assertThat(peek(engine.queue("a"), JobState.READY)).containsExactly("a1");
          assertThat(peek(engine.queue("b"), JobState.BLOCKED)).containsExactly("b1");
          assertThat(peek(engine.queue("c"), JobState.BLOCKED)).containsExactly("c1");
        });
  }

  @Test
  void readyRecordCorrupt_itsSlotGoesToTheNextOfAnotherQueue() {
    EngineHarness harness = four();
    damage(harness, Keyspace.READY, 0, RowDamage.SLOT_FLIPPED.damage);
    harness.openAgain();

    harness.queues().verify();
    pokeTwice(harness);

    assertThat(served(harness.queues())).containsExactly("b1", "a2", "c1");
    assertClean(harness, 1);
  }

  @Test
  void blockedRecordCorrupt_theNextOneGoesOn() {
    EngineHarness harness = four();
    damage(harness, Keyspace.BLOCKED, 1, RowDamage.SLOT_FLIPPED.damage);
    harness.openAgain();

    assertThat(served(harness.queues())).containsExactly("a1", "a2", "c1");
    assertClean(harness, 1);
  }

  /** One recount puts many rows right, and those of the key that needs them in any case. */
  @ParameterizedTest
  @EnumSource(
      value = RowDamage.class,
      names = {"TURN_MISSING", "TURN_FLIPPED", "TURN_OF_NO_QUEUE"})
  void moreDamageThanOneRecountMends_theKeyThatIsNeededGoesOn(RowDamage damage) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue queue = harness.queues().queue("a");
    EnqueueOptions other = EnqueueOptions.DEFAULT.engineConcurrencyKey("dns", 1);
    queue.enqueueAll(Collections.nCopies(MANY + 1, new NewJob(new byte[1], other)));
    enqueue(queue, "first", ONE.priority(1));
    enqueue(queue, "second", ONE);
    harness.engine().close();
    rows(harness, Keyspace.SLOT)
        .forEach(
            (key, value) -> {
              if (TurnKeys.isTurn(key)) {
                harness.machine().overwrite(store(), key, damage.damage.of(key, value));
              }
            });
    harness.openAgain();
    JobQueue again = harness.queues().queue("a");

    again.claim(ClaimOptions.by("worker")).get(0).complete().orThrow();

    assertThat(peek(again, JobState.READY)).hasSize(2).contains("second");
  }

  private static void assertClean(EngineHarness harness, long quarantinedCount) {
    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(harness.queues().verify().quarantinedCount()).isEqualTo(quarantinedCount);
    for (String name : QUEUES) {
      assertThat(peek(harness.queues().queue(name), JobState.BLOCKED)).isEmpty();
    }
  }

  /** Completes one job after the other, of which never two are ready. */
  private static List<String> served(JobQueues engine) {
    List<String> served = new ArrayList<>();
    boolean isAnyLeft = true;
    while (isAnyLeft) {
      List<Lease> leases = new ArrayList<>();
      for (String name : QUEUES) {
        leases.addAll(engine.queue(name).claim(ClaimOptions.by("worker").max(9)));
      }
      assertThat(leases).hasSizeLessThanOrEqualTo(1);
      served.addAll(payloads(leases));
      leases.forEach(lease -> lease.complete().orThrow());
      isAnyLeft = !leases.isEmpty();
    }
    return served;
  }
}
