package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.RowResult;
import io.millrace.api.Table;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;

/** Rows of users that are more than memory together: what must be read of them is read in bits. */
@InProcess("how much the engine reads or writes, whoever calls")
class LongRowsTrapsTest extends TrapTest {

  private static final int ROW_BYTES = 256 << 10;
  private static final int ROW_COUNT = 100;

  /** Of 25 MiB. */
  private static final long AT_ONCE_BYTES = 5 << 20;

  private static Table<Long, byte[]> rows(EngineHarness harness) {
    return harness.queues().table("rows", Codec.LONG, Codec.BYTES);
  }

  private EngineHarness startWithRows(StoreKind kind) {
    EngineHarness harness = start(kind);
    keys().forEach(key -> rows(harness).put(key, new byte[ROW_BYTES]));
    return harness;
  }

  private static LongStream keys() {
    return LongStream.range(0, ROW_COUNT);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_deletesManyLongRows_fewAreReadAtOnce(StoreKind kind) {
    EngineHarness harness = startWithRows(kind);

    harness
        .queues()
        .inTransaction(tx -> keys().forEach(key -> tx.delete(rows(harness), key)))
        .orThrow();

    assertThat(rows(harness).count()).isZero();
    assertThat(harness.store().mostBytesAtOnce()).isLessThanOrEqualTo(AT_ONCE_BYTES);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_readsManyLongRows_fewAreComparedAtOnce(StoreKind kind) {
    EngineHarness harness = startWithRows(kind);

    long bytes =
        harness
            .queues()
            .transact(
                tx -> keys().map(key -> tx.get(rows(harness), key).orElseThrow().length).sum())
            .orThrow();

    assertThat(bytes).isEqualTo((long) ROW_COUNT * ROW_BYTES);
    assertThat(harness.store().mostBytesAtOnce()).isLessThanOrEqualTo(AT_ONCE_BYTES);
  }

  @ParameterizedTest
  @EachStoreKind
  void deleteAsync_manyLongRowsInOneGroup_fewAreReadAtOnce(StoreKind kind) throws Exception {
    EngineHarness harness = startWithRows(kind);
    harness.store().holdNextWrite();
    CompletableFuture<Void> first = rows(harness).putAsync(-1L, new byte[1]);
    harness.store().awaitHeld();

    List<CompletableFuture<Boolean>> deleted =
        keys().mapToObj(key -> rows(harness).deleteAsync(key)).toList();
    awaitRingDepth(harness, ROW_COUNT);
    harness.store().letGo();

    join(first);
    assertThat(deleted).allMatch(TrapTest::join);
    assertThat(rows(harness).count()).isEqualTo(1);
    assertThat(harness.store().mostBytesAtOnce()).isLessThanOrEqualTo(AT_ONCE_BYTES);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void putIfAbsentAsync_manyFindLongRowsInOneGroup_areAnsweredByAndBy(StoreKind kind)
      throws Exception {
    EngineHarness harness = startWithRows(kind);
    Table<Long, byte[]> rows = rows(harness);
    harness.store().holdNextWrite();
    CompletableFuture<Void> first = rows.putAsync(-1L, new byte[1]);
    harness.store().awaitHeld();
    long before = harness.store().lastCommit();
    List<CompletableFuture<RowResult<byte[]>>> found = new ArrayList<>();
    List<CompletableFuture<Void>> put = new ArrayList<>();

    keys()
        .forEach(
            key -> {
              found.add(rows.putIfAbsentAsync(key, new byte[1]));
              put.add(rows.putAsync(ROW_COUNT + key, new byte[1]));
            });
    awaitRingDepth(harness, 2 * ROW_COUNT);
    harness.store().letGo();

    join(first);
    for (CompletableFuture<RowResult<byte[]>> result : found) {
      RowResult.Other<byte[]> other = (RowResult.Other<byte[]>) join(result);
      assertThat(other.found().orElseThrow()).hasSize(ROW_BYTES);
    }
    put.forEach(TrapTest::join);
    long commits = harness.store().lastCommit() - before;
    assertThat(commits).isBetween((long) ROW_COUNT * ROW_BYTES / AT_ONCE_BYTES, 12L);
    assertThat(harness.store().mostBytesAtOnce()).isLessThanOrEqualTo(AT_ONCE_BYTES);
    assertClean(harness);
  }
}
