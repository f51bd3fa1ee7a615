package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.Limits;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.RowResult;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.FaultyStore.Room;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Users' tables: order, conditions, groups, drops, limits. */
@Tag("calls")
class TableTrapsTest extends TrapTest {

  private static final PageRequest ALL = PageRequest.first(1_000);

  private static Table<String, String> texts(EngineHarness harness, String name) {
    return harness.queues().table(name, Codec.TEXT, Codec.TEXT);
  }

  private static Table<byte[], byte[]> bytes(EngineHarness harness, String name) {
    return harness.queues().table(name, Codec.BYTES, Codec.BYTES);
  }

  private static <K, V> List<K> keys(Table<K, V> table, TableRange<K> range) {
    List<K> found = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      Page<TableRow<K, V>> page = table.scan(range, new PageRequest(2, cursor));
      page.items().forEach(row -> found.add(row.key()));
      cursor = page.next();
    } while (cursor.isPresent());
    return found;
  }

  static int rowCount(EngineHarness harness) {
    try (ReadView view = harness.store().read()) {
      return view.scan(
          Keyspace.TABLE.start(), Keyspace.TABLE.end(), Integer.MAX_VALUE, (key, value) -> true);
    }
  }

  @ParameterizedTest
  @EachStoreKind
  void rows_putReplacedAndDeleted_areReadBackAlsoAfterStopsOfEveryKind(StoreKind kind) {
    EngineHarness harness = start(kind);
    texts(harness, "accounts").put("ann", "1");
    texts(harness, "accounts").put("bob", "2");
    texts(harness, "accounts").put("bob", "");
    texts(harness, "account").put("ann", "other");
    texts(harness, "accounts").put("", "empty key");

    for (int stop = 0; stop < 3; stop++) {
      Table<String, String> accounts = texts(harness, "accounts");
      assertThat(accounts.get("ann")).contains("1");
      assertThat(accounts.get("bob")).contains("");
      assertThat(accounts.get("")).contains("empty key");
      assertThat(accounts.get("eve")).isEmpty();
      assertThat(accounts.getAll(List.of("bob", "eve", "bob")))
          .containsExactly(Optional.of(""), Optional.empty(), Optional.of(""));
      assertThat(accounts.count()).isEqualTo(3);
      assertThat(texts(harness, "account").get("ann")).contains("other");
      assertThat(harness.queues().tables(ALL).items()).containsExactly("account", "accounts");
      assertClean(harness);
      if (stop == 0) {
        harness.restartCleanly();
      } else {
        harness.crash();
      }
    }
    assertThat(texts(harness, "accounts").delete("bob")).isTrue();
    assertThat(texts(harness, "accounts").delete("bob")).isFalse();
    assertThat(texts(harness, "accounts").get("bob")).isEmpty();
    assertThat(texts(harness, "none").delete("bob")).isFalse();
    assertThat(harness.queues().tables(ALL).items()).containsExactly("account", "accounts");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void scan_ofKeysAtEveryBorder_keepsToItsRangeInTheOrderOfUnsignedBytes(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<byte[], byte[]> table = bytes(harness, "t");
    byte[] longest = new byte[Limits.KEY_BYTES_MAX];
    Arrays.fill(longest, (byte) 0xff);
    List<byte[]> sorted =
        List.of(
            new byte[] {},
            new byte[] {0},
            new byte[] {0, 0},
            new byte[] {1},
            new byte[] {0x7f},
            new byte[] {(byte) 0x80},
            new byte[] {(byte) 0xfe, (byte) 0xff},
            new byte[] {(byte) 0xff},
            new byte[] {(byte) 0xff, 0},
            new byte[] {(byte) 0xff, (byte) 0xff},
            longest);
    List<byte[]> mixed = new ArrayList<>(sorted);
    Collections.reverse(mixed);
    mixed.forEach(key -> table.put(key, key));
    // Neighbours whose names are before and after, and longer.
    bytes(harness, "s").put(longest, longest);
    bytes(harness, "u").put(new byte[] {}, longest);
    bytes(harness, "tt").put(new byte[] {}, longest);

    assertThat(keys(table, TableRange.all())).containsExactlyElementsOf(sorted);
    assertThat(keys(table, TableRange.from(new byte[] {1})))
        .containsExactlyElementsOf(sorted.subList(3, 11));
    assertThat(keys(table, TableRange.before(new byte[] {1})))
        .containsExactlyElementsOf(sorted.subList(0, 3));
    assertThat(keys(table, TableRange.between(new byte[] {0, 0}, new byte[] {(byte) 0xff})))
        .containsExactlyElementsOf(sorted.subList(2, 7));
    assertThat(keys(table, TableRange.between(new byte[] {2}, new byte[] {1}))).isEmpty();
    assertThat(keys(table, TableRange.prefix(new byte[] {0})))
        .containsExactlyElementsOf(sorted.subList(1, 3));
    assertThat(keys(table, TableRange.prefix(new byte[] {(byte) 0xff})))
        .containsExactlyElementsOf(sorted.subList(7, 11));
    assertThat(keys(table, TableRange.prefix(new byte[] {(byte) 0xfe})))
        .containsExactlyElementsOf(sorted.subList(6, 7));
    assertThat(keys(table, TableRange.prefix(longest))).containsExactly(longest);
    assertThat(keys(table, TableRange.prefix(new byte[] {}))).containsExactlyElementsOf(sorted);
    assertThat(table.count()).isEqualTo(sorted.size());
    assertThat(table.count(TableRange.prefix(new byte[] {(byte) 0xff}))).isEqualTo(4);
    assertClean(harness);
  }

  @Test
  void scan_ofNumbers_isInTheirOrderNegativeOnesFirst() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<Long, String> table = harness.queues().table("numbers", Codec.LONG, Codec.TEXT);
    List<Long> numbers = List.of(Long.MIN_VALUE, -256L, -1L, 0L, 1L, 255L, 256L, Long.MAX_VALUE);
    for (int i = numbers.size() - 1; i >= 0; i--) {
      table.put(numbers.get(i), "n" + numbers.get(i));
    }

    assertThat(keys(table, TableRange.all())).isEqualTo(numbers);
    assertThat(keys(table, TableRange.between(-1L, 256L))).containsExactly(-1L, 0L, 1L, 255L);
    assertThat(table.get(-256L)).contains("n-256");
  }

  @Test
  void conditions_metAndNot_areAnsweredWithWhatIsThere() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, String> table = texts(harness, "t");

    assertThat(table.replace("k", "a", "b")).isEqualTo(new RowResult.Other<>(Optional.empty()));
    assertThat(table.deleteIf("k", "a")).isEqualTo(new RowResult.Other<>(Optional.empty()));
    assertThat(harness.queues().tables(ALL).items()).isEmpty();
    assertThat(table.putIfAbsent("k", "")).isEqualTo(new RowResult.Done<>());
    assertThat(table.putIfAbsent("k", "b")).isEqualTo(new RowResult.Other<>(Optional.of("")));
    assertThat(table.replace("k", "b", "c")).isEqualTo(new RowResult.Other<>(Optional.of("")));
    assertThat(table.replace("k", "", "c").isDone()).isTrue();
    assertThat(table.deleteIf("k", "")).isEqualTo(new RowResult.Other<>(Optional.of("c")));
    assertThat(join(table.deleteIfAsync("k", "c")).isDone()).isTrue();
    assertThat(table.get("k")).isEmpty();
    assertThat(harness.engine().metrics().tableRowsPut()).isEqualTo(2);
    assertThat(harness.engine().metrics().tableRowsDeleted()).isEqualTo(1);
    assertThatThrownBy(() -> table.replace("k", "x", "y").orThrow())
        .hasMessageContaining("row was not changed");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void changesOfOneKey_inOneGroup_areMadeInTheirOrder(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);
    Table<String, String> table = texts(harness, "t");
    table.put("k", "0");
    harness.store().holdNextWrite();
    CompletableFuture<Void> blocker = table.putAsync("other", "0");
    harness.store().awaitHeld();

    CompletableFuture<RowResult<String>> first = table.replaceAsync("k", "0", "1");
    CompletableFuture<RowResult<String>> lost = table.replaceAsync("k", "0", "2");
    CompletableFuture<Boolean> deleted = table.deleteAsync("k");
    CompletableFuture<Boolean> nothing = table.deleteAsync("k");
    CompletableFuture<RowResult<String>> absent = table.putIfAbsentAsync("k", "3");
    CompletableFuture<RowResult<String>> there = table.putIfAbsentAsync("k", "4");
    CompletableFuture<Void> put = table.putAsync("k", "5");
    harness.store().letGo();

    join(blocker);
    assertThat(join(first).isDone()).isTrue();
    assertThat(join(lost)).isEqualTo(new RowResult.Other<>(Optional.of("1")));
    assertThat(join(deleted)).isTrue();
    assertThat(join(nothing)).isFalse();
    assertThat(join(absent).isDone()).isTrue();
    assertThat(join(there)).isEqualTo(new RowResult.Other<>(Optional.of("3")));
    assertThat(join(put)).isNull();
    assertThat(table.get("k")).contains("5");
    assertClean(harness);
  }

  @Test
  void callsOfMany_withOneKeySeveralTimes_areMadeInOrder() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, String> table = texts(harness, "t");

    table.putAll(
        List.of(new TableRow<>("a", "1"), new TableRow<>("b", "1"), new TableRow<>("a", "2")));

    assertThat(table.get("a")).contains("2");
    assertThat(table.deleteAll(List.of("a", "c", "a", "b")))
        .containsExactly(true, false, false, true);
    assertThat(table.count()).isZero();
    assertThat(table.deleteAll(List.of())).isEmpty();
    table.putAll(List.of());
    assertThat(join(table.putAllAsync(List.of(new TableRow<>("a", "3"))))).isNull();
    assertThat(join(table.deleteAllAsync(List.of("a", "a")))).containsExactly(true, false);
  }

  @ParameterizedTest
  @EachStoreKind
  void dropped_andMadeAnewAtOnce_showsNoRowOfBefore(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, String> table = texts(harness, "t");
    List<TableRow<String, String>> rows = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      rows.add(new TableRow<>("row-%05d".formatted(i), "old"));
    }
    table.putAll(rows);

    assertThat(table.drop()).isTrue();
    assertThat(table.drop()).isFalse();
    assertThat(table.get("row-00001")).isEmpty();
    assertThat(harness.queues().tables(ALL).items()).isEmpty();
    table.put("row-00002", "new");

    assertThat(keys(table, TableRange.all())).containsExactly("row-00002");
    assertThat(table.delete("row-00001")).isFalse();
    assertThat(table.putIfAbsent("row-00003", "new").isDone()).isTrue();
    await("old rows are removed", () -> rowCount(harness) == 3);
    assertThat(table.count()).isEqualTo(2);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void drop_thatAStopCutsShort_goesOnWithTheNextOpening(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);
    List<TableRow<String, String>> rows = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      rows.add(new TableRow<>("row-" + i, ""));
    }
    texts(harness, "t").putAll(rows);
    harness.store().holdNextWrite();
    CompletableFuture<Boolean> dropped =
        CompletableFuture.supplyAsync(() -> texts(harness, "t").drop());
    harness.store().awaitHeld();
    // The first step of the removal never gets through.
    harness.store().letGoUntilWrite();
    join(dropped);
    harness.store().awaitHeld();

    harness.crash();
    texts(harness, "t").put("row-1", "new");

    assertThat(keys(texts(harness, "t"), TableRange.all())).containsExactly("row-1");
    await("old rows are removed", () -> rowCount(harness) == 2);
    assertThat(texts(harness, "t").get("row-1")).contains("new");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void opening_ofAStoreWithManyRows_looksAtNoneOfThem(StoreKind kind) {
    EngineHarness harness = start(kind);
    harness.restartCleanly();
    long withoutRows = harness.store().rowsVisited();
    for (int i = 0; i < 20; i++) {
      List<TableRow<String, String>> rows = new ArrayList<>();
      for (int j = 0; j < 1_000; j++) {
        rows.add(new TableRow<>("row-" + j, "value"));
      }
      texts(harness, "table-" + i).putAll(rows);
    }

    harness.restartCleanly();

    assertThat(harness.store().rowsVisited()).isEqualTo(withoutRows);
    assertThat(texts(harness, "table-7").get("row-999")).contains("value");
  }

  @Test
  void store_thatIsFull_takesDeletesAndDropsAndNoPuts() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Table<String, String> table = texts(harness, "t");
    table.putAll(List.of(new TableRow<>("a", "1"), new TableRow<>("b", "1")));
    harness.machine().room(Room.FOR_RESERVE_USERS);

    assertThatThrownBy(() -> table.put("c", "1")).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> table.replace("a", "1", "2").orThrow())
        .isInstanceOf(StoreFullException.class);

    assertThat(table.delete("a")).isTrue();
    assertThat(table.deleteIf("b", "1").isDone()).isTrue();
    assertThat(table.drop()).isTrue();
    assertThat(harness.queues().tables(ALL).items()).isEmpty();
  }

  @Test
  void scan_whileRowsArePutAndDeleted_goesOnBehindTheLastKeySeen() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<Long, String> table = harness.queues().table("t", Codec.LONG, Codec.TEXT);
    for (long i = 0; i < 10; i++) {
      table.put(i, "v");
    }
    Page<TableRow<Long, String>> first = table.scan(TableRange.all(), PageRequest.first(3));

    table.delete(3L);
    table.put(-1L, "before");
    table.put(2L, "again");
    PageRequest next = PageRequest.after(first.next().orElseThrow(), 3);

    assertThat(table.scan(TableRange.all(), next).items())
        .extracting(TableRow::key)
        .containsExactly(4L, 5L, 6L);
    table.drop();
    table.put(8L, "new table");
    assertThat(table.scan(TableRange.all(), next).items())
        .extracting(TableRow::key)
        .containsExactly(8L);
    assertThatThrownBy(() -> texts(harness, "u").scan(TableRange.all(), next))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cursor is not of a page of this question");
  }

  @Test
  void badInput_isRefusedBeforeAnythingHappens() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<byte[], byte[]> table = bytes(harness, "t");
    byte[] key = new byte[Limits.KEY_BYTES_MAX + 1];
    byte[] value = new byte[Limits.TABLE_VALUE_BYTES_MAX + 1];

    assertRefused(() -> table.put(key, new byte[0]), "key length in bytes", "256");
    assertRefused(() -> table.get(key), "key length in bytes", "256");
    assertRefused(() -> table.scan(TableRange.prefix(key), ALL), "key length in bytes", "256");
    assertRefused(() -> table.put(new byte[0], value), "value length in bytes", "1048577");
    assertRefused(() -> bytes(harness, ""), "table", "least=1");
    assertRefused(() -> bytes(harness, "x".repeat(201)), "table", "most=200");
    assertRefused(() -> bytes(harness, "millrace.tables"), "millrace.tables", "engine's own");
    assertRefused(() -> texts(harness, "t").put("\ud800", ""), "text", "unpaired surrogate");
    assertThatNullPointerException()
        .isThrownBy(() -> table.putAll(Collections.singletonList(null)))
        .withMessage("row");
    assertThat(harness.queues().tables(ALL).items()).isEmpty();
    table.put(new byte[Limits.KEY_BYTES_MAX], new byte[Limits.TABLE_VALUE_BYTES_MAX]);
    assertThat(table.get(new byte[Limits.KEY_BYTES_MAX]).orElseThrow())
        .hasSize(Limits.TABLE_VALUE_BYTES_MAX);
  }

  private static void assertRefused(ThrowingCallable call, String... told) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(told);
  }

  @Test
  void values_ofAnotherCodec_areToldAndKept() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, String> table = texts(harness, "t");
    table.put("k", "text");
    Table<String, Long> numbers = harness.queues().table("t", Codec.TEXT, Codec.LONG);

    assertThatThrownBy(() -> numbers.get("k"))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("bytes are no number: length=4, expected=8")
        .hasMessageContaining("table=t, key=6b");
    assertThatThrownBy(() -> join(numbers.putIfAbsentAsync("k", 1L)))
        .isInstanceOf(CodecException.class);
    assertThat(table.get("k")).contains("text");
  }

  @Test
  void bytes_handedInAndChangedAfterwards_areAsTheyWere() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<byte[], byte[]> table = bytes(harness, "t");
    byte[] key = {1};
    byte[] value = {2};
    CompletableFuture<Void> put = table.putAsync(key, value);
    key[0] = 9;
    value[0] = 9;
    join(put);

    assertThat(table.get(new byte[] {1})).contains(new byte[] {2});
  }
}
