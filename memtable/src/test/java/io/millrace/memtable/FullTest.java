package io.millrace.memtable;

import static io.millrace.memtable.MemtableRig.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fullness beneath: found out late, told from then on, and left behind. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class FullTest {

  private static final int VALUE_BYTES = 2_000;

  private final MemtableRig rig = new MemtableRig(1);

  @BeforeEach
  void shrink() {
    rig.options = rig.options.layer(1 << 20, 2);
  }

  @AfterEach
  void close() {
    rig.store.close();
  }

  /** Smaller layers than the reserve, and larger ones, which go to where nothing is folded. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(ints = {10_000, 300_000, 3_000_000})
  void write_storeBeneathIsFull_whatIsFreedIsTakenAgain(int layerBytes) {
    rig.storeBytesMax = 1 << 20;
    rig.options = rig.options.layer(layerBytes, Integer.MAX_VALUE);
    rig.open();
    int half = (1 << 20) / VALUE_BYTES / 2;
    int oldest = 0;
    int next = 0;
    for (int round = 0; round < 4; round++) {
      next = fill(next);
      assertThat(next - oldest).as("round " + round).isGreaterThan(2 * half - 10);
      assertThat(rig.rows()).hasSize(next - oldest);
      if (round == 2) {
        rig.store.close();
        rig.open();
      }
      for (; oldest < next - half; oldest++) {
        rig.delete(key(oldest));
      }
      assertThat(rig.rows()).hasSize(half);
    }
  }

  @Test
  void write_roomIsKnown_isRefusedBeforeAnythingIsTooMuch() {
    rig.storeBytesMax = 1 << 20;
    rig.options =
        rig.options
            .layer(1 << 20, Integer.MAX_VALUE)
            .room(() -> rig.storeBytesMax - rig.base.usedBytes().orElseThrow());
    rig.open();

    int count = fill(0);

    assertThat(count).isBetween(500, (1 << 20) / VALUE_BYTES);
    assertThat(rig.store.usedBytes().orElseThrow()).isLessThanOrEqualTo(1 << 20);
    rig.delete(key(0));
    rig.put(key(count), "x".repeat(VALUE_BYTES));
  }

  @Test
  void write_foldNeedsTheReserve_onlyWhatFreesIsTakenUntilThereIsRoom() {
    rig.open();
    putIntoTheReserve();

    assertRefused("d");
    rig.delete("a");
    assertRefused("d");
    assertThat(rig.rows()).containsExactly("b=1", "c=1");
    rig.machine.room(Room.FOR_ALL);
    assertRefused("d");
    rig.delete("b");
    rig.put("d", "1");

    assertThat(rig.rows()).containsExactly("c=1", "d=1");
  }

  @Test
  void write_whatWasFreedGaveRoom_isTakenAtOnce() {
    AtomicLong knownRoom = new AtomicLong(1 << 20);
    rig.options = rig.options.room(knownRoom::get);
    rig.open();
    putIntoTheReserve();
    knownRoom.set(0);
    assertRefused("d");

    rig.machine.room(Room.FOR_ALL);
    knownRoom.set(1 << 20);

    rig.put("d", "1");
    assertThat(rig.rows()).containsExactly("a=1", "b=1", "c=1", "d=1");
  }

  /** No small batch comes that would ask before it, and nothing is freed any more. */
  @Test
  void write_longBatchAfterTheReserveWasUsed_isTakenOnceTheKnownRoomHoldsIt() {
    AtomicLong knownRoom = new AtomicLong(1 << 20);
    rig.options = rig.options.room(knownRoom::get);
    rig.open();
    putIntoTheReserve();
    String longValue = "x".repeat(500_000);
    knownRoom.set(400_000);
    assertThatThrownBy(() -> rig.put("d", longValue)).isInstanceOf(StoreFullException.class);

    rig.machine.room(Room.FOR_ALL);
    knownRoom.set(1 << 20);

    rig.put("d", longValue);
    assertThat(rig.rows()).containsExactly("a=1", "b=1", "c=1", "d=" + longValue);
  }

  @Test
  void write_roomCameByItself_isTakenAfterATime() {
    rig.open();
    putIntoTheReserve();
    assertRefused("d");

    rig.machine.room(Room.FOR_ALL);
    rig.nowNs.addAndGet(Duration.ofSeconds(1).toNanos());

    rig.put("d", "1");
    rig.put("e", "1");
    assertThat(rig.rows()).containsExactly("a=1", "b=1", "c=1", "d=1", "e=1");
  }

  @Test
  void write_foldIsRefused_allIsSeenAndKeptAndFoldedWhenThereIsRoom() {
    rig.open();
    rig.machine.room(Room.FOR_NONE);
    rig.put("a", "1");
    rig.put("b", "1");
    rig.put("c", "1");
    awaitRefusal();

    rig.delete("a");
    rig.delete("c");
    assertRefused("d");
    assertThat(rig.rows()).containsExactly("b=1");
    assertThat(rig.base.lastCommit()).isZero();
    assertThatThrownBy(() -> rig.store.backupTo(Path.of("copy")))
        .isInstanceOf(StoreFullException.class);
    rig.store.close();
    rig.open();
    assertThat(rig.rows()).containsExactly("b=1");
    assertThat(rig.base.lastCommit()).isZero();
    rig.delete("never there");

    rig.machine.room(Room.FOR_ALL);
    rig.nowNs.addAndGet(Duration.ofSeconds(1).toNanos());
    rig.put("d", "1");

    assertThat(rig.rows()).containsExactly("b=1", "d=1");
    rig.store.backupTo(Path.of("copy"));
    assertThat(rig.log.batches()).hasSizeLessThan(2);
  }

  @Test
  void delete_whatWaitsToBeFolded_countsWithIt() {
    rig.storeBytesMax = 1 << 20;
    rig.options = rig.options.layer(16 << 20, 1_000);
    rig.open();
    rig.put("large", "x".repeat(8 << 20));
    rig.seal();
    awaitRefusal();
    assertThat(rig.base.lastCommit()).isZero();

    rig.delete("large");
    rig.put("small", "1");

    assertThat(rig.rows()).containsExactly("small=1");
    assertThat(rig.base.lastCommit()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void delete_moreThanFitsBeside_isRefusedAndTakenLater() {
    rig.front =
        inner ->
            new ForwardingStore(inner) {
              @Override
              public StoreInfo info() {
                return store.info().batchOperationsMax(4);
              }
            };
    rig.open();
    rig.machine.room(Room.FOR_NONE);
    rig.put("a", "1");
    rig.put("b", "1");
    rig.put("c", "1");
    awaitRefusal();
    int taken = 0;
    try {
      for (; taken < 100; taken++) {
        rig.delete("key " + taken);
      }
    } catch (StoreFullException e) {
      assertThat(taken).isBetween(2, 8);
    }
    assertThat(taken).isLessThan(100);
    assertThat(rig.rows()).containsExactly("a=1", "b=1", "c=1");

    rig.machine.room(Room.FOR_ALL);
    rig.nowNs.addAndGet(Duration.ofSeconds(1).toNanos());

    rig.delete("a");
    rig.put("d", "1");
    assertThat(rig.rows()).containsExactly("b=1", "c=1", "d=1");
  }

  @Test
  void delete_ofABatchAsLargeAsTheMost_countsWithIt() {
    limitOperations(4);
    rig.open();
    WriteBatch largest = rig.next(Reserve.KEEP);
    for (int i = 0; i < 4; i++) {
      largest.put(bytes(key(i)), new byte[1 << 20]);
    }
    rig.store.write(largest);
    rig.seal();
    awaitRefusal(key(0)); // another key would be one more than fits into a sum

    for (int i = 0; i < 4; i++) {
      rig.delete(key(i));
    }
    rig.put("small", "1");

    assertThat(rig.rows()).containsExactly("small=1");
  }

  @Test
  void delete_beneathALayerOfAsManyOperationsAsMayBe_countsWithIt() {
    limitOperations(4);
    rig.options = rig.options.layer(16 << 20, Integer.MAX_VALUE);
    rig.open();
    rig.put("beneath", "x".repeat(1_000_000));
    rig.foldAll();
    int count = fill(0, 400_000);
    assertThat(count).isPositive();

    rig.delete("beneath");
    for (int i = 1; i < count; i++) {
      rig.delete(key(i));
    }
    rig.put("small", "1");

    assertThat(rig.rows()).hasSize(2);
  }

  @Test
  void write_askedWhetherThereIsRoomForLong_leavesTheReserveToWhatFrees() {
    rig.storeBytesMax = 1 << 20;
    rig.open();
    fill(0);
    rig.foldAll();
    int taken = 0;
    for (int i = 0; i < 100; i++) {
      rig.nowNs.addAndGet(Duration.ofSeconds(1).toNanos());
      try {
        rig.put("asks " + i, "x".repeat(60_000));
        taken++;
      } catch (StoreFullException e) {
        assertThat(e).hasMessageContaining("full");
      }
    }

    assertThat(taken).isLessThan(5);
    rig.foldAll();
    rig.delete("asks 0");
    for (int i = 0; i < 100; i++) {
      rig.delete(key(i));
    }
    rig.put("d", "1");
  }

  private void limitOperations(int most) {
    rig.storeBytesMax = 1 << 20;
    rig.front =
        inner ->
            new ForwardingStore(inner) {
              @Override
              public StoreInfo info() {
                return store.info().batchOperationsMax(most);
              }
            };
  }

  /** Until growing batches are refused. */
  private void awaitRefusal() {
    awaitRefusal("probe");
  }

  /** Waits until a growing batch is refused; those before delete the key. */
  private void awaitRefusal(String key) {
    StoreException refusal = null;
    while (refusal == null) {
      try {
        WriteBatch probe = rig.next(Reserve.KEEP);
        probe.delete(bytes(key));
        rig.store.write(probe);
      } catch (StoreFullException e) {
        refusal = e;
      }
    }
  }

  /** Puts three rows that only the reserve has room for. */
  private void putIntoTheReserve() {
    rig.machine.room(Room.FOR_RESERVE_USERS);
    rig.put("a", "1");
    rig.put("b", "1");
    rig.put("c", "1");
    rig.foldAll();
  }

  private void assertRefused(String key) {
    long before = rig.store.lastCommit();
    assertThatThrownBy(() -> rig.put(key, "1"))
        .isInstanceOf(StoreFullException.class)
        .hasMessageContaining("full");
    assertThat(rig.store.lastCommit()).isEqualTo(before);
  }

  private int fill(int from) {
    return fill(from, VALUE_BYTES);
  }

  private int fill(int from, int valueBytes) {
    for (int index = from; true; index++) {
      try {
        rig.put(key(index), "x".repeat(valueBytes));
      } catch (StoreFullException e) {
        return index;
      }
    }
  }

  private static String key(int index) {
    return String.format("key %06d", index);
  }
}
