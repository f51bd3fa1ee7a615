package io.millrace.memtable;

import static io.millrace.memtable.MemtableRig.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.memtable.HeldStore.Point;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.ViewEndedException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.ForwardingView;
import io.millrace.spi.testkit.StoreCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Views, writes and failures at each point at which a layer is folded. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class FoldTest {

  private final MemtableRig rig = new MemtableRig(1);

  @AfterEach
  void close() {
    if (rig.store == null) {
      return;
    }
    try {
      rig.base.letGo();
      rig.store.close();
    } catch (StoreException e) {
      // A test that let it fail has said what it expects.
      return;
    }
  }

  @Test
  void fold_ofALayer_isOneDurableBatchBeforeTheLogForgetsIt() {
    rig.log.onCall =
        call -> {
          if (call == MemoryLog.Call.RELEASE) {
            rig.base.events.add("release");
          }
        };
    rig.open();
    rig.put("a", "1");
    rig.put("b", "2");
    rig.put("a", "3");
    rig.seal();
    rig.store.close();

    assertThat(rig.base.events).containsExactly("write 0 to 3", "sync", "release");
    assertThat(rig.log.batches()).isEmpty();
    rig.open();
    assertThat(rig.rows()).containsExactly("a=3", "b=2");
    assertThat(rig.store.lastCommit()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(Point.class)
  void read_whileALayerIsFolded_seesEachMomentOnce(Point point) {
    rig.open();
    rig.put("changed", "1");
    rig.put("deleted", "1");
    rig.seal();
    rig.awaitFolded(2);
    rig.put("changed", "2");
    rig.put("deleted", "2");
    try (ReadView before = rig.store.read()) {
      rig.base.hold(point);
      rig.seal();
      rig.base.awaitHeld();
      rig.put("changed", "3");
      rig.delete("deleted");
      rig.put("new", "3");
      try (ReadView during = rig.store.read()) {
        rig.put("changed", "4");
        rig.put("deleted", "4");
        rig.delete("new");

        assertThat(MemtableRig.rows(before)).containsExactly("changed=2", "deleted=2");
        assertThat(MemtableRig.rows(during)).containsExactly("changed=3", "new=3");
        assertThat(rig.rows()).containsExactly("changed=4", "deleted=4");
        rig.base.letGo();
        rig.seal();
        rig.awaitFolded(10);
        assertThat(before.commit()).isEqualTo(4);
        assertThat(MemtableRig.rows(before)).containsExactly("changed=2", "deleted=2");
        assertThat(during.commit()).isEqualTo(7);
        assertThat(MemtableRig.rows(during)).containsExactly("changed=3", "new=3");
        assertThat(during.getAll(List.of(bytes("new"), bytes("deleted"), bytes("changed"))))
            .containsExactly(bytes("3"), null, bytes("3"));
        assertThat(during.get(bytes("deleted"))).isNull();
      }
    }
    assertThat(rig.rows()).containsExactly("changed=4", "deleted=4");
  }

  @Test
  void read_newerLayerIsFoldedMeanwhile_isTakenAgain() {
    rig.open();
    rig.put("a", "1");
    rig.base.beforeNextRead =
        () -> {
          rig.put("a", "2");
          rig.put("b", "2");
          rig.seal();
          rig.awaitFolded(3);
          rig.put("a", "4");
        };

    try (ReadView view = rig.store.read()) {
      assertThat(view.commit()).isEqualTo(4);
      assertThat(MemtableRig.rows(view)).containsExactly("a=4", "b=2");
    }
  }

  @Test
  void read_sameLayerIsFoldedMeanwhile_seesItOnce() {
    rig.open();
    rig.put("a", "1");
    rig.put("b", "1");
    rig.delete("a");
    rig.base.beforeNextRead =
        () -> {
          rig.seal();
          rig.awaitFolded(3);
        };

    try (ReadView view = rig.store.read()) {
      assertThat(view.commit()).isEqualTo(3);
      assertThat(MemtableRig.rows(view)).containsExactly("b=1");
    }
  }

  @Test
  void delete_ofARowBeneath_isFoldedAlsoIfItCameAgainInBetween() {
    rig.open();
    rig.put("a", "1");
    rig.put("b", "1");
    rig.seal();
    rig.awaitFolded(2);
    rig.put("a", "2");
    rig.delete("a");
    rig.delete("b");
    rig.seal();
    rig.awaitFolded(5);

    assertThat(rig.rows()).isEmpty();
    rig.store.close();
    rig.open();
    assertThat(rig.rows()).isEmpty();
  }

  @Test
  void delete_whileItsRowIsFolded_hidesItBeforeAndAfter() {
    rig.open();
    rig.put("a", "1");
    rig.base.hold(Point.BEFORE_WRITE);
    rig.seal();
    rig.base.awaitHeld();
    rig.delete("a");
    assertThat(rig.rows()).isEmpty();

    rig.base.letGo();
    rig.awaitFolded(1);

    assertThat(rig.rows()).isEmpty();
    rig.store.close();
    rig.open();
    assertThat(rig.rows()).isEmpty();
  }

  @Test
  void write_bothLayersFull_waitsUntilOneIsFolded() throws Exception {
    rig.options = rig.options.layer(1 << 20, 2);
    rig.open();
    rig.base.hold(Point.BEFORE_SYNC);
    CompletableFuture<Void> writes = CompletableFuture.runAsync(() -> putAll(rig, 5));
    rig.base.awaitHeld();

    assertThat(rig.base.events).containsExactly("write 0 to 2");
    while (rig.store.lastCommit() < 4) {
      Thread.onSpinWait();
    }
    assertThat(rig.rows()).hasSize(4);
    assertThat(writes).isNotDone();
    rig.base.letGo();

    writes.get();
    assertThat(rig.rows()).hasSize(5);
  }

  @Test
  void close_whileAWriteWaits_endsItAndKeepsTheRest() throws Exception {
    rig.options = rig.options.layer(1 << 20, 2);
    rig.open();
    rig.base.hold(Point.BEFORE_WRITE);
    CompletableFuture<Void> writes = CompletableFuture.runAsync(() -> putAll(rig, 5));
    rig.base.awaitHeld();
    while (rig.store.lastCommit() < 4) {
      Thread.onSpinWait();
    }

    CompletableFuture<Void> close = CompletableFuture.runAsync(() -> rig.store.close());
    assertThatThrownBy(writes::join).hasCauseInstanceOf(StoreClosedException.class);
    rig.base.letGo();
    close.get();

    assertThat(rig.base.events).startsWith("write 0 to 2", "sync", "write 2 to 4", "sync");
    rig.open();
    assertThat(rig.rows()).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "WRITE,BEFORE",
    "WRITE,UNKNOWN",
    "WRITE,AFTER",
    "SYNC,BEFORE",
    "SYNC,UNKNOWN",
    "SYNC,AFTER"
  })
  void fold_failsForGood_writesAreRefusedAndNothingIsLost(StoreCall call, Fault fault) {
    for (int index = 0; index < 3; index++) {
      MemtableRig failing = new MemtableRig(index);
      failing.options = rig.options.layer(1 << 20, 2);
      failing.machine.plan(FaultPlan.at(call, index, fault));
      MemtableStore store = failing.open();

      assertThatThrownBy(() -> putAll(failing, 20))
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContaining("fault injected");
      long acknowledged = store.lastCommit();
      assertThatThrownBy(() -> failing.put("later", "1")).isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(store::sync).isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(store::settle).isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(() -> store.backupTo(Path.of("copy")))
          .isInstanceOf(StoreFailedException.class);
      assertThat(failing.rows()).hasSize((int) acknowledged);
      assertThatThrownBy(store::close).isInstanceOf(StoreFailedException.class);

      failing.open();
      assertThat(failing.store.lastCommit()).isEqualTo(acknowledged);
      assertThat(failing.rows()).hasSize((int) acknowledged);
      failing.store.close();
    }
  }

  @Test
  void fold_anotherOwnerCame_writesAreToldSo() {
    rig.options = rig.options.layer(1 << 20, 2);
    rig.front =
        inner ->
            new ForwardingStore(inner) {
              @Override
              public void write(WriteBatch batch) {
                throw new StoreFencedException("somebody else has it");
              }
            };
    rig.open();

    assertThatThrownBy(() -> putAll(rig, 10)).isInstanceOf(StoreFencedException.class);
    assertThatThrownBy(rig.store::settle).isInstanceOf(StoreFencedException.class);
  }

  @Test
  void fold_errorOnItsThread_writesAreRefused() {
    rig.options = rig.options.layer(1 << 20, 2);
    rig.front =
        inner ->
            new ForwardingStore(inner) {
              @Override
              public void write(WriteBatch batch) {
                throw new OutOfMemoryError("wanted by a test");
              }
            };
    rig.open();

    assertThatThrownBy(() -> putAll(rig, 10))
        .isInstanceOf(StoreFailedException.class)
        .hasRootCauseInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void settle_layerOfSomeAge_isFolded() {
    rig.open();
    rig.put("a", "1");
    rig.nowNs.addAndGet(TimeUnit.SECONDS.toNanos(5) - 1);
    rig.store.settle();
    assertThat(rig.log.batches()).hasSize(1);
    rig.nowNs.addAndGet(1);

    rig.store.settle();

    rig.awaitFolded(1);
    assertThat(rig.base.events).startsWith("write 0 to 1");
  }

  @Test
  void write_logPartIsLong_isFoldedThoughTheLayerIsSmall() {
    rig.options = rig.options.partBytes(1_000);
    rig.open();

    for (int i = 0; i < 100; i++) {
      rig.put("always the same", "value");
    }

    assertThat(rig.base.events).isNotEmpty();
    assertThat(rig.rows()).containsExactly("always the same=value");
  }

  @Test
  void open_noThreadCanBeHad_closesEverything() {
    MemtableOptions good = rig.options;
    rig.options =
        rig.options.threads(
            work ->
                new Thread(work) {
                  @Override
                  public void start() {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                });

    assertThatThrownBy(rig::open).isInstanceOf(OutOfMemoryError.class);

    rig.options = good;
    rig.open();
    rig.put("a", "1");
    assertThat(rig.rows()).containsExactly("a=1");
  }

  @Test
  void openReadOnly_batchesInTheLog_areSeenAndStayThere() {
    rig.open();
    rig.put("a", "1");
    rig.store.sync();
    rig.put("b", "2");
    rig.store.sync();
    rig.machine.crash();
    rig.log.crash(new SplittableRandom(1));

    OrderedStore base = rig.machine.open(rig.folder().access(StoreOptions.Access.READ_ONLY));
    Replayed replayed = new Replayed(base.lastCommit(), base.info(), rig.options);
    rig.log.batches().forEach(replayed::add);
    List<String> copied = new ArrayList<>();
    try (MemtableStore readOnly =
        MemtableStore.openReadOnly(
            base,
            rig.log.open(0),
            replayed,
            rig.options,
            (view, copy) -> copied.addAll(MemtableRig.rows(view)))) {
      assertThat(readOnly.lastCommit()).isEqualTo(2);
      try (ReadView view = readOnly.read()) {
        assertThat(MemtableRig.rows(view)).containsExactly("a=1", "b=2");
      }
      readOnly.backupTo(rig.folder().folder().resolve("copy"));
      assertThat(copied).containsExactly("a=1", "b=2");
    }

    assertThat(rig.log.batches()).hasSize(2);
    rig.open();
    assertThat(rig.log.batches()).isEmpty();
    assertThat(rig.rows()).containsExactly("a=1", "b=2");
  }

  @Test
  void view_endedByTheStoreBeneath_goesOn() {
    rig.front = EndingStore::new;
    rig.open();
    rig.put("a", "1");
    rig.put("b", "1");
    rig.seal();
    rig.awaitFolded(2);
    rig.put("b", "2");

    for (int call = 0; call < 3; call++) {
      try (ReadView view = rig.store.read()) {
        switch (call) {
          case 0 -> assertThat(view.get(bytes("a"))).isEqualTo(bytes("1"));
          case 1 -> assertThat(view.getAll(List.of(bytes("a")))).containsExactly(bytes("1"));
          default -> assertThat(MemtableRig.rows(view)).containsExactly("a=1", "b=2");
        }
      }
    }
  }

  /** Ends every view at its first use, and lets every second one live. */
  private static final class EndingStore extends ForwardingStore {
    private int viewCount;

    EndingStore(OrderedStore store) {
      super(store);
    }

    @Override
    public ReadView read() {
      boolean isEnded = viewCount++ % 2 == 0;
      return new ForwardingView(store.read()) {
        @Override
        public byte @Nullable [] get(byte[] key) {
          check();
          return super.get(key);
        }

        @Override
        public List<byte @Nullable []> getAll(List<byte[]> keys) {
          check();
          return super.getAll(keys);
        }

        @Override
        public int scan(byte[] start, byte[] end, ScanSize size, RowVisitor visitor) {
          check();
          return super.scan(start, end, size, visitor);
        }

        private void check() {
          if (isEnded) {
            throw new ViewEndedException("ended by a test");
          }
        }
      };
    }
  }

  private static void putAll(MemtableRig rig, int count) {
    for (int i = 0; i < count; i++) {
      rig.put("key " + i, "1");
    }
  }
}
