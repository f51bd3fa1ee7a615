package io.millrace.spi.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo.Syncing;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultyStoreTest {

  private static final StoreOptions OPTIONS = StoreOptions.of(Path.of("faulty"));

  @Test
  void crash_withUnsyncedBatches_keepsSyncedOnesAndEveryPossiblePrefix() {
    Set<Long> survivors = new TreeSet<>();
    for (long seed = 0; seed < 100; seed++) {
      FaultyStore machine = new FaultyStore(seed);
      OrderedStore store = machine.open(OPTIONS);
      writeNumbered(store, 2);
      store.sync();
      writeNumbered(store, 3);

      machine.crash();
      OrderedStore again = machine.open(OPTIONS);

      survivors.add(again.lastCommit());
      assertThat(rowCount(again)).isEqualTo(again.lastCommit());
      assertThat(again.syncedCommit()).isEqualTo(again.lastCommit());
      assertThat(again.epoch()).isEqualTo(2);
    }
    assertThat(survivors).containsExactly(2L, 3L, 4L, 5L);
  }

  @Test
  void crash_storeThatSyncsPrevious_losesAtMostTheLastBatch() {
    Set<Long> survivors = new TreeSet<>();
    for (long seed = 0; seed < 50; seed++) {
      FaultyStore machine = new FaultyStore(seed, Syncing.WRITE_SYNCS_PREVIOUS);
      OrderedStore store = machine.open(OPTIONS);

      writeNumbered(store, 4);
      assertThat(store.syncedCommit()).isEqualTo(3);
      machine.crash();

      survivors.add(machine.open(OPTIONS).lastCommit());
    }
    assertThat(survivors).containsExactly(3L, 4L);
  }

  @Test
  void crash_whileOpen_oldOpeningWritesNothingMore() {
    FaultyStore machine = new FaultyStore(1);
    OrderedStore old = machine.open(OPTIONS);
    writeNumbered(old, 1);
    old.sync();

    machine.crash();
    OrderedStore again = machine.open(OPTIONS);

    assertThatThrownBy(() -> writeNumbered(old, 1)).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(old::sync).isInstanceOf(StoreFailedException.class);
    old.close();
    assertThat(again.lastCommit()).isEqualTo(1);
    assertThatThrownBy(() -> machine.open(OPTIONS)).isInstanceOf(StoreLockedException.class);
  }

  @Test
  void write_failedBefore_nothingHappenedAndAllLaterCallsAreRefused() {
    FaultyStore machine = new FaultyStore(1);
    OrderedStore store = machine.open(OPTIONS);
    writeNumbered(store, 1);
    machine.failNext(StoreCall.WRITE, Fault.BEFORE);

    assertThatThrownBy(() -> writeNumbered(store, 1)).isInstanceOf(StoreFailedException.class);

    assertThat(store.lastCommit()).isEqualTo(1);
    assertThat(rowCount(store)).isEqualTo(1);
    assertThatThrownBy(() -> writeNumbered(store, 1))
        .isInstanceOf(StoreFailedException.class)
        .hasMessage("the store failed before: open it again");
    assertThatThrownBy(store::sync).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(store::close).isInstanceOf(StoreFailedException.class);
    OrderedStore again = machine.open(OPTIONS);
    assertThat(again.lastCommit()).isEqualTo(1);
    writeNumbered(again, 1);
  }

  @Test
  void write_failedAfter_happened() {
    FaultyStore machine = new FaultyStore(1);
    OrderedStore store = machine.open(OPTIONS);
    machine.failNext(StoreCall.WRITE, Fault.AFTER);

    assertThatThrownBy(() -> writeNumbered(store, 1)).isInstanceOf(StoreFailedException.class);

    assertThat(store.lastCommit()).isEqualTo(1);
    assertThatThrownBy(store::close).isInstanceOf(StoreFailedException.class);
    assertThat(machine.open(OPTIONS).lastCommit()).isEqualTo(1);
  }

  @Test
  void write_failedUnknown_isDecidedAtReopening() {
    Set<Long> outcomes = new TreeSet<>();
    for (long seed = 0; seed < 30; seed++) {
      FaultyStore machine = new FaultyStore(seed);
      OrderedStore store = machine.open(OPTIONS);
      machine.failNext(StoreCall.WRITE, Fault.UNKNOWN);
      assertThatThrownBy(() -> writeNumbered(store, 1)).isInstanceOf(StoreFailedException.class);
      assertThat(store.lastCommit()).isZero();

      assertThatThrownBy(store::close).isInstanceOf(StoreFailedException.class);
      OrderedStore again = machine.open(OPTIONS);

      outcomes.add(again.lastCommit());
      assertThat(rowCount(again)).isEqualTo(again.lastCommit());
    }
    assertThat(outcomes).containsExactly(0L, 1L);
  }

  @Test
  void sync_failedAfter_isDurableButNotTold() {
    FaultyStore machine = new FaultyStore(1);
    OrderedStore store = machine.open(OPTIONS);
    writeNumbered(store, 3);
    machine.failNext(StoreCall.SYNC, Fault.AFTER);

    assertThatThrownBy(store::sync).isInstanceOf(StoreFailedException.class);

    assertThat(store.syncedCommit()).isZero();
    machine.crash();
    assertThat(machine.open(OPTIONS).lastCommit()).isEqualTo(3);
  }

  @Test
  void close_syncFails_throwsAndStoreCanBeOpenedAgain() {
    FaultyStore machine = new FaultyStore(1);
    OrderedStore store = machine.open(OPTIONS);
    writeNumbered(store, 1);
    machine.failNext(StoreCall.SYNC, Fault.BEFORE);

    assertThatThrownBy(store::close).isInstanceOf(StoreFailedException.class);

    store.close();
    assertThat(machine.open(OPTIONS).lastCommit()).isEqualTo(1);
  }

  @Test
  void write_withoutRoom_isRefusedButForReserveUsers() {
    FaultyStore machine = new FaultyStore(1);
    OrderedStore store = machine.open(OPTIONS);
    machine.room(FaultyStore.Room.FOR_RESERVE_USERS);

    assertThatThrownBy(() -> writeNumbered(store, 1)).isInstanceOf(StoreFullException.class);
    store.write(new WriteBatch(1, WriteBatch.Reserve.USE));
    machine.room(FaultyStore.Room.FOR_NONE);
    assertThatThrownBy(() -> store.write(new WriteBatch(2, WriteBatch.Reserve.USE)))
        .isInstanceOf(StoreFullException.class);
    machine.room(FaultyStore.Room.FOR_ALL);
    writeNumbered(store, 1);

    assertThat(store.lastCommit()).isEqualTo(2);
  }

  @Test
  void write_slow_runsTheCallbackBeforeItWorks() {
    FaultyStore machine = new FaultyStore(1);
    OrderedStore store = machine.open(OPTIONS);
    List<Long> commitsSeen = new ArrayList<>();
    machine.onSlow(() -> commitsSeen.add(store.lastCommit()));
    machine.plan(FaultPlan.at(StoreCall.WRITE, 1, Fault.SLOW));

    writeNumbered(store, 3);

    assertThat(commitsSeen).containsExactly(1L);
    assertThat(machine.callCount(StoreCall.WRITE)).isEqualTo(3);
  }

  @Test
  void write_outOfOrder_usesUpNoFault() {
    FaultyStore machine = new FaultyStore(1);
    OrderedStore store = machine.open(OPTIONS);
    machine.plan(FaultPlan.at(StoreCall.WRITE, 0, Fault.FULL));

    assertThatThrownBy(() -> store.write(new WriteBatch(7)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> writeNumbered(store, 1)).isInstanceOf(StoreFullException.class);

    writeNumbered(store, 1);
    assertThat(store.lastCommit()).isEqualTo(1);
  }

  @Test
  void tampering_closedStore_changesTheRow() {
    FaultyStore machine = new FaultyStore(1);
    OrderedStore store = machine.open(OPTIONS);
    WriteBatch batch = new WriteBatch(1);
    batch.put(bytes("flipped"), new byte[] {0, 0});
    batch.put(bytes("overwritten"), bytes("old"));
    batch.put(bytes("deleted"), bytes("old"));
    store.write(batch);
    assertThatIllegalStateException()
        .isThrownBy(() -> machine.overwrite(OPTIONS.folder(), bytes("deleted"), null));
    store.close();

    machine.flipBit(OPTIONS.folder(), bytes("flipped"), 9);
    machine.overwrite(OPTIONS.folder(), bytes("overwritten"), bytes("new"));
    machine.overwrite(OPTIONS.folder(), bytes("deleted"), null);

    try (ReadView view = machine.open(OPTIONS).read()) {
      assertThat(view.get(bytes("flipped"))).containsExactly(0, 2);
      assertThat(view.get(bytes("overwritten"))).isEqualTo(bytes("new"));
      assertThat(view.get(bytes("deleted"))).isNull();
      assertThat(view.commit()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Syncing.class)
  void randomRun_sameSeed_isTheSame(Syncing syncing) {
    Set<String> runs = new TreeSet<>();
    for (long seed = 0; seed < 20; seed++) {
      String first = randomRun(seed, syncing);

      assertThat(randomRun(seed, syncing)).isEqualTo(first);
      runs.add(first);
    }
    assertThat(runs).hasSize(20);
  }

  /** What a hundred calls with faults and crashes answered. */
  private static String randomRun(long seed, Syncing syncing) {
    AtomicInteger slowCount = new AtomicInteger();
    FaultyStore machine = new FaultyStore(seed, syncing);
    machine.onSlow(slowCount::incrementAndGet);
    machine.plan(FaultPlan.random(seed, new FaultRates(0.05, 0.05, 0.05, 0.1, 0.1)));
    StringBuilder log = new StringBuilder();
    OrderedStore store = machine.open(OPTIONS);
    for (int i = 0; i < 100; i++) {
      try {
        writeNumbered(store, 1);
        if (i % 4 == 0) {
          store.sync();
        }
        log.append('.');
      } catch (StoreFullException e) {
        log.append('f');
      } catch (StoreException e) {
        long durable = store.syncedCommit();
        machine.crash();
        store = machine.open(OPTIONS);
        assertThat(store.lastCommit()).isGreaterThanOrEqualTo(durable);
        assertThat(rowCount(store)).isEqualTo(store.lastCommit());
        log.append(store.lastCommit()).append('/').append(store.epoch());
      }
    }
    return log.append(slowCount).toString();
  }

  private static void writeNumbered(OrderedStore store, int batchCount) {
    for (int i = 0; i < batchCount; i++) {
      WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
      batch.put(bytes("batch " + batch.number()), bytes("written"));
      store.write(batch);
    }
  }

  private static int rowCount(OrderedStore store) {
    try (ReadView view = store.read()) {
      return view.scan(
          new byte[0], new byte[] {(byte) 0xFF}, Integer.MAX_VALUE, (key, value) -> true);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
