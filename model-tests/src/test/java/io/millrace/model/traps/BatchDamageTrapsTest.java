package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TallyKeys;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Damaged rows of batches and of what belongs to them: the rest goes on, and ends. */
class BatchDamageTrapsTest extends BatchTrapTest {

  private static final int BIT = 70;

  private static List<BatchId> listed(EngineHarness harness) {
    return harness.engine().batches().list(PageRequest.first(1_000)).items().stream()
        .map(BatchStats::id)
        .toList();
  }

  /** Closes the engine, damages the row and opens it again. */
  private void damage(EngineHarness harness, byte[] key) {
    harness.machine().flipBit(folder.resolve("store"), key, BIT);
    harness.openAgain();
    harness.awaitNothingDue();
  }

  /** The keys of the keyspace in the store of an engine that is closed. */
  private List<byte[]> keys(EngineHarness harness, Keyspace keyspace) {
    StoreOptions options =
        StoreOptions.of(folder.resolve("store")).access(StoreOptions.Access.READ_ONLY);
    List<byte[]> keys = new ArrayList<>();
    try (OrderedStore store = harness.machine().open(options);
        ReadView view = store.read()) {
      view.scan(
          keyspace.start(),
          keyspace.end(),
          Integer.MAX_VALUE,
          (key, value) -> keys.add(key.clone()));
    }
    return keys;
  }

  @Test
  void batch_isDamaged_isToldAndOthersGoOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId damaged = begin(harness, watched("a", "b"));
    BatchId sound = begin(harness, watched("c"));
    harness.engine().close();
    damage(harness, TallyKeys.key(damaged.value()));

    assertThat(listed(harness)).containsExactly(sound);
    assertThatThrownBy(() -> harness.engine().batches().get(damaged))
        .isInstanceOf(CorruptDataException.class);
    assertFigures(harness, sound, "left=1 not over");

    List<Lease> leases = claim(mail(harness), 9);
    assertThat(payloads(leases)).containsExactly("a", "b", "c");
    leases.forEach(lease -> assertThat(lease.complete().isDone()).isTrue());
    harness.awaitNothingDue();
    assertFigures(harness, sound, "succeeded=1 over");
    assertThat(peek(after(harness), JobState.READY)).contains(DONE, ALL_SUCCEEDED);
    assertThat(harness.engine().poison()).isEmpty();
    assertThat(listed(harness)).contains(sound);
    harness.crash();
    assertFigures(harness, sound, "succeeded=1 over");
    assertThat(harness.engine().poison()).isEmpty();
  }

  @Test
  void payloadOfTheLastJob_isDamaged_countsAsLostAndTheBatchEnds() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched().add(MAIL, NewJob.of(new byte[100_000])));
    harness.engine().close();
    damage(harness, keys(harness, Keyspace.BLOB).get(0));

    assertThatThrownBy(() -> claim(mail(harness), 1)).isInstanceOf(CorruptDataException.class);
    pokeTwice(harness);

    assertFigures(harness, id, "lost=1 over");
    assertAfter(harness, List.of(DONE), List.of());
    assertThat(harness.engine().verify().problems()).isEmpty();
  }

  @Test
  void follower_cannotBeRead_endsOfLeasesGoOnAndItComesLater() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched().add(MAIL, job("a", ONCE)).add(MAIL, job("b", ONCE)));
    JobId other = enqueue(mail(harness), "c", ONCE);
    assertThat(claim(mail(harness), 3)).hasSize(3);
    harness.store().breakRead(Keyspace.WAITING, 0, new StoreException("cannot be read"));

    pass(harness, LEASE_OVER);

    assertFigures(harness, id, "dead=2 over");
    awaitJob(harness, other, JobState.DEAD, 1);
    pass(harness, Duration.ofMinutes(1));
    assertAnyDied(harness);
    assertThat(harness.engine().verify().problems()).isEmpty();
  }

  @Test
  void follower_isDamaged_othersGoOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a").add(OTHER, job("b")));
    harness.engine().close();
    damage(harness, keys(harness, Keyspace.WAITING).get(0));
    claim(mail(harness)).complete().orThrow();

    claim(harness.engine().queue(OTHER)).complete().orThrow();
    harness.awaitNothingDue();

    assertFigures(harness, id, "succeeded=2 over");
    assertAfter(harness, List.of(ALL_SUCCEEDED), List.of());
    assertThat(harness.engine().poison()).isEmpty();
    assertThat(harness.engine().verify().problems()).isEmpty();
  }
}
