package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.read.StoreReader;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stores with damaged batches that are repaired, or copied without what is damaged. */
@InProcess("damaged rows of the store, whoever calls")
class BatchRepairTrapsTest extends BatchTrapTest {

  private static final int BIT = 70;

  /** The ways to another store. */
  enum Way {
    REPAIR {
      @Override
      void go(StorePlace from, StorePlace to) {
        assertThat(Stores.repair(from, to, finding -> {}).isSound()).isFalse();
      }
    },
    COPY {
      @Override
      void go(StorePlace from, StorePlace to) {
        assertThat(Stores.copy(from, to, row -> {})).isNotNull();
      }
    };

    abstract void go(StorePlace from, StorePlace to);
  }

  private StorePlace place(EngineHarness harness, String name) {
    return new StorePlace(harness.machine(), StoreOptions.of(folder.resolve(name)));
  }

  /** The engine of the new store, which has counted. */
  private JobEngine mended(EngineHarness harness, Way way, byte[] damaged) {
    harness.engine().close();
    harness.machine().flipBit(folder.resolve("store"), damaged, BIT);
    way.go(place(harness, "store"), place(harness, "mended"));
    harness.openAgain();
    return opened(harness);
  }

  private JobEngine opened(EngineHarness harness) {
    StorePlace mended = place(harness, "mended");
    return JobEngine.open(mended.factory(), mended.options(), EngineOptions.DEFAULT);
  }

  private static byte[] firstKey(EngineHarness harness, Keyspace keyspace) {
    byte[][] first = new byte[1][];
    try (ReadView view = harness.store().read()) {
      view.scan(
          keyspace.start(),
          keyspace.end(),
          1,
          (key, value) -> {
            first[0] = key.clone();
            return false;
          });
    }
    return first[0];
  }

  private static void awaitFigures(JobEngine engine, BatchId id, String figures) {
    await(
        figures,
        () -> engine.batches().get(id).map(BatchTrapTest::figures).equals(Optional.of(figures)));
  }

  private static void complete(JobEngine engine, int count) {
    List<Lease> leases = engine.queue(MAIL).claim(ClaimOptions.by("worker").max(9));
    assertThat(leases).hasSize(count);
    leases.forEach(lease -> lease.complete().orThrow());
  }

  /** What comes after the batch has come as after one that has lost a job. */
  private static void assertOver(JobEngine engine, Way way, BatchId id, String figures) {
    awaitFigures(engine, id, figures);
    assertThat(peek(engine.queue(AFTER), JobState.READY)).containsExactly(DONE);
    assertThat(peek(engine.queue(AFTER), JobState.WAITING)).isEmpty();
    if (way == Way.REPAIR) {
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void jobOfABatch_isLeftOut_isLost(Way way) {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a", "b"));
    try (JobEngine engine = mended(harness, way, firstKey(harness, Keyspace.READY))) {
      awaitFigures(engine, id, "left=1 lost=1 not over");
      complete(engine, 1);
      assertOver(engine, way, id, "succeeded=1 lost=1 over");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void lastJobOfABatch_isLeftOut_whatComesAfterItComes(Way way) {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a"));
    try (JobEngine engine = mended(harness, way, firstKey(harness, Keyspace.READY))) {
      assertOver(engine, way, id, "lost=1 over");
    }
    try (JobEngine engine = opened(harness)) {
      assertOver(engine, way, id, "lost=1 over");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void batch_isLeftOut_isMadeAnew(Way way) {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a", "b"));
    claim(mail(harness)).complete().orThrow();
    try (JobEngine engine = mended(harness, way, TallyKeys.key(id.value()))) {
      awaitFigures(engine, id, "left=1 lost=1 not over");
      complete(engine, 1);
      assertOver(engine, way, id, "succeeded=1 lost=1 over");
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void batchWithinAnother_isLeftOut_isLostThere(Way way) {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId outer = open(harness, watched());
    BatchId inner = begin(harness, Batch.of("inner").within(outer).add(MAIL, job("a")));
    harness.queues().batches().seal(outer);
    try (JobEngine engine = mended(harness, way, TallyKeys.key(inner.value()))) {
      assertOver(engine, way, outer, "lost=1 over");
      complete(engine, 1);
      awaitFigures(engine, inner, "succeeded=1 lost=1 over");
    }
  }

  @Test
  void repairedStore_isSoundBeforeAnEngineHasCounted() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a", "b"));
    harness.engine().close();
    harness.machine().flipBit(folder.resolve("store"), TallyKeys.key(id.value()), BIT);
    Way.REPAIR.go(place(harness, "store"), place(harness, "mended"));
    harness.openAgain();

    VerifyReport report = verified(place(harness, "mended"));

    assertThat(report.problems()).isEmpty();
    assertThat(report.quarantinedCount()).isEqualTo(1);
  }

  private static VerifyReport verified(StorePlace place) {
    try (OrderedStore store = place.factory().open(place.options())) {
      return new StoreReader(() -> store, () -> 0, key -> {}, () -> {}).verify();
    }
  }
}
