package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.api.Codec;
import io.millrace.api.CorruptDataException;
import io.millrace.api.JobQueues;
import io.millrace.api.JobReader;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.RepairReport;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import io.millrace.internal.copy.Repair;
import io.millrace.internal.copy.StoreCopy;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TableRecord;
import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.read.StoreReader;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.rig.InProcess;
import io.millrace.store.memory.MemoryStoreFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Users' tables with damaged rows: others go on, names are found again, repair and copy know. */
@InProcess("damaged rows of the store, whoever calls")
class TableDamageTrapsTest extends TrapTest {

  private static Table<String, String> table(EngineHarness harness) {
    return table(harness.queues());
  }

  private static Table<String, String> table(JobQueues engine) {
    return engine.table("t", Codec.TEXT, Codec.TEXT);
  }

  /** The key of the row in the store. */
  private static byte[] rowKey(EngineHarness harness, String userKey) {
    try (ReadView view = harness.store().read()) {
      byte[] name = TableCatalog.key("t");
      byte[] found = view.get(name);
      long incarnation = TableCatalog.decodeOrNone(name, found);
      return TableRowKeys.key("t", incarnation, Codec.TEXT.encode(userKey));
    }
  }

  /**
   * A store with a table of three rows and one that was dropped before, of which one is damaged.
   */
  private EngineHarness damaged(boolean isName) {
    EngineHarness harness = start(StoreKind.FAULTY);
    table(harness).put("gone", "old");
    table(harness).drop();
    for (String key : List.of("a", "b", "c")) {
      table(harness).put(key, "value of " + key);
    }
    byte[] key = isName ? TableCatalog.key("t") : rowKey(harness, "b");
    harness.engine().close();
    harness.machine().flipBit(folder.resolve("store"), key, 40);
    harness.openAgain();
    return harness;
  }

  @Test
  void damagedRow_askedFor_isToldAndSetAsideAndOthersGoOn() {
    EngineHarness harness = damaged(false);
    byte[] key = rowKey(harness, "b");
    assertThat(table(harness).get("a")).contains("value of a");

    assertThatThrownBy(() -> table(harness).get("b"))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("keyspace=TABLE, key=" + Bytes.hex(key));

    pokeTwice(harness);
    assertThat(table(harness).get("b")).isEmpty();
    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(harness.queues().verify().quarantinedCount()).isEqualTo(1);
  }

  @Test
  void damagedRow_onACondition_failsTheCallAndChangesNothing() {
    EngineHarness harness = damaged(false);

    assertThatThrownBy(() -> table(harness).replace("b", "value of b", "x").orThrow())
        .isInstanceOf(CorruptDataException.class);

    pokeTwice(harness);
    assertThat(table(harness).putIfAbsent("b", "new").isDone()).isTrue();
    assertThat(table(harness).get("b")).contains("new");
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @Test
  void damagedRow_thatIsPutOrDeletedInAnyCase_isInNobodysWay() {
    EngineHarness harness = damaged(false);

    assertThat(table(harness).delete("b")).isTrue();

    assertThat(table(harness).get("b")).isEmpty();
    assertThat(harness.queues().verify().isClean()).isTrue();
  }

  @Test
  void damagedRow_onAPage_endsTheOneBeforeAndIsToldWithWhereToGoOn() {
    EngineHarness harness = damaged(false);
    Page<TableRow<String, String>> first =
        table(harness).scan(TableRange.all(), PageRequest.first(10));
    assertThat(first.items()).extracting(TableRow::key).containsExactly("a");

    PageRequest second = PageRequest.after(first.next().orElseThrow(), 10);
    CorruptDataException told =
        catchThrowableOfType(
            CorruptDataException.class, () -> table(harness).scan(TableRange.all(), second));

    String message = String.valueOf(told.getMessage());
    String cursor = message.substring(message.lastIndexOf("cursor=") + 7);
    assertThat(table(harness).scan(TableRange.all(), PageRequest.after(cursor, 10)).items())
        .extracting(TableRow::key)
        .containsExactly("c");
  }

  @Test
  void damagedName_isFoundAgainByTheRows() {
    EngineHarness harness = damaged(true);

    assertThatThrownBy(() -> table(harness).put("d", "new"))
        .isInstanceOf(CorruptDataException.class);

    pokeTwice(harness);
    table(harness).put("d", "new");
    assertThat(table(harness).count()).isEqualTo(4);
    assertThat(table(harness).get("b")).contains("value of b");
    assertThat(table(harness).get("gone")).isEmpty();
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  @Test
  void damagedName_readFirst_isFoundAgainAsWell() {
    EngineHarness harness = damaged(true);

    assertThatThrownBy(() -> table(harness).get("a")).isInstanceOf(CorruptDataException.class);

    pokeTwice(harness);
    assertThat(table(harness).get("a")).contains("value of a");
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  private static OrderedStore memory() {
    return new MemoryStoreFactory().open(StoreOptions.of(Path.of("tables-" + UUID.randomUUID())));
  }

  private static List<byte[]> tableKeys(OrderedStore store) {
    List<byte[]> keys = new ArrayList<>();
    try (ReadView view = store.read()) {
      view.scan(
          Keyspace.TABLE.start(),
          Keyspace.TABLE.end(),
          Integer.MAX_VALUE,
          (key, value) -> keys.add(key));
    }
    return keys;
  }

  private static void change(OrderedStore store, Consumer<WriteBatch> change) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    change.accept(batch);
    store.write(batch);
  }

  @Test
  void repair_nameAndRowDamaged_keepsTheTableAndWhatCanBeRead() {
    EngineHarness harness = damaged(true);
    byte[] row = TableRowKeys.key("t", incarnation(harness), Codec.TEXT.encode("b"));
    List<String> found = new ArrayList<>();
    try (OrderedStore origin = memory();
        OrderedStore repaired = memory()) {
      copyRows(harness.store(), origin);
      change(origin, batch -> batch.put(row, new byte[] {1, 2, 3}));

      Repair.run(
          origin,
          repaired,
          harness.clock().epochMs(),
          (RepairReport.Finding told) -> found.add(told.action() + " " + told.finding()));

      assertThat(found)
          .contains("REBUILT table has rows, but nothing says that there is one")
          .anyMatch(told -> told.startsWith("SET_ASIDE stored row is corrupt: keyspace=TABLE"));
      assertThat(names(repaired)).containsExactly("t");
      assertThat(userKeys(repaired)).containsExactly("a", "c");
    }
  }

  @Test
  void repair_rowsOfADroppedTableThatNothingTells_areMarkedToGo() {
    EngineHarness harness = start(StoreKind.MEMORY);
    table(harness).put("a", "1");
    List<String> found = new ArrayList<>();
    try (OrderedStore origin = memory();
        OrderedStore repaired = memory()) {
      copyRows(harness.store(), origin);
      byte[] old = TableRowKeys.key("t", 1, Codec.TEXT.encode("old"));
      byte[] value = new TableRecord(new byte[0]).encode(old);
      change(origin, batch -> batch.put(old, value));

      Repair.run(
          origin,
          repaired,
          harness.clock().epochMs(),
          (RepairReport.Finding told) -> found.add(told.action() + " " + told.finding()));

      assertThat(found)
          .containsExactly("REBUILT dropped table has rows, but nothing says that they are to go");
      assertThat(tableKeys(repaired))
          .anyMatch(key -> Arrays.equals(key, TableCatalog.droppedKey("t", 1)));
    }
  }

  @Test
  void verify_rowsOfNoTable_areToldOnceForEach() {
    EngineHarness harness = start(StoreKind.MEMORY);
    table(harness).put("a", "1");
    byte[] first = TableRowKeys.key("t", 1, Codec.TEXT.encode("a"));
    byte[] second = TableRowKeys.key("t", 1, Codec.TEXT.encode("b"));
    byte[] other = TableRowKeys.key("u", 1, Codec.TEXT.encode("a"));
    byte[] tooShort = TableKeys.key("v", new byte[7]);
    try (OrderedStore origin = memory()) {
      copyRows(harness.store(), origin);
      for (byte[] key : List.of(first, second, other, tooShort)) {
        byte[] value = new TableRecord(new byte[0]).encode(key);
        change(origin, batch -> batch.put(key, value));
      }

      assertThat(verify(origin))
          .containsExactlyInAnyOrder(Bytes.hex(first), Bytes.hex(other), Bytes.hex(tooShort));
      byte[] dropped = TableCatalog.droppedKey("t", 1);
      change(origin, batch -> batch.put(dropped, TableCatalog.encodeDropped(dropped)));
      assertThat(verify(origin)).doesNotContain(Bytes.hex(first));
    }
  }

  private static List<String> verify(OrderedStore store) {
    return new StoreReader(() -> store, () -> 0, key -> {}, () -> {})
        .verify().problems().stream().map(VerifyReport.Problem::key).toList();
  }

  @Test
  void copy_ofTables_hasAllOfTheirRows() {
    EngineHarness harness = start(StoreKind.MEMORY);
    table(harness).put("a", "1");
    table(harness).put("b", "");
    try (OrderedStore copy = memory()) {
      harness.engine().close();
      harness.openAgain();
      StoreCopy.copy(harness.store(), copy, StoreCopy::refuse);

      assertThat(names(copy)).containsExactly("t");
      assertThat(userKeys(copy)).containsExactly("a", "b");
    }
  }

  private static List<String> names(OrderedStore store) {
    return tableKeys(store).stream().filter(TableCatalog::isKey).map(TableCatalog::table).toList();
  }

  private static List<String> userKeys(OrderedStore store) {
    return tableKeys(store).stream()
        .filter(key -> !TableKeys.isOwn(key))
        .map(key -> Codec.TEXT.decode(TableRowKeys.userKey("t", key)))
        .toList();
  }

  private static long incarnation(EngineHarness harness) {
    return tableKeys(harness.store()).stream()
        .filter(key -> !TableKeys.isOwn(key))
        .mapToLong(TableRowKeys::incarnation)
        .max()
        .orElseThrow();
  }

  private static void copyRows(OrderedStore from, OrderedStore to) {
    try (ReadView view = from.read()) {
      change(
          to,
          batch ->
              view.scan(
                  new byte[] {0},
                  new byte[] {(byte) 0x7f},
                  Integer.MAX_VALUE,
                  (key, value) -> {
                    batch.put(key, value);
                    return true;
                  }));
    }
  }

  @Test
  void reader_ofAStoreThatNoEngineHolds_seesTables() {
    EngineHarness harness = start(StoreKind.LMDB);
    table(harness).put("a", "1");
    harness.engine().close();

    try (JobReader reader = JobEngine.inspect("lmdb:" + folder.resolve("store"))) {
      assertThat(reader.tables(PageRequest.first(1)).items()).containsExactly("t");
      assertThat(reader.table("t", Codec.TEXT, Codec.TEXT).get("a")).isEqualTo(Optional.of("1"));
      assertThat(reader.table("t", Codec.TEXT, Codec.TEXT).count()).isEqualTo(1);
    }
    harness.openAgain();
  }
}
