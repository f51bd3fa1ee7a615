package io.millrace.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.Durability;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import io.millrace.api.PageRequest;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Calls on users' tables. */
final class TableScripts {

  static final Map<String, SameAnswersTest.Script> ALL =
      Map.of(
          "tables", TableScripts::tables,
          "ranges", TableScripts::ranges,
          "rows of other codecs", TableScripts::unread,
          "wrong rows", TableScripts::wrong);

  private TableScripts() {}

  private static void tables(JobQueues queues, Told told) {
    Table<String, Long> stock = queues.table("stock", Codec.TEXT, Codec.LONG);
    told.of("name", stock::name);
    told.of("text", stock::toString);
    told.of("get none", () -> stock.get("boots"));
    told.of("scan none", () -> stock.scan(TableRange.all(), PageRequest.first(5)));
    told.of("drop none", stock::drop);
    told.done("put", () -> stock.put("boots", 7L));
    told.later("putAsync", () -> stock.putAsync("hats", 8L));
    told.done(
        "putAll", () -> stock.putAll(List.of(new TableRow<>("a", 1L), new TableRow<>("b", 2L))));
    told.done("putAll none", () -> stock.putAll(List.of()));
    told.later("putAllAsync", () -> stock.putAllAsync(List.of(new TableRow<>("c", 3L))));
    told.later("putAllAsync none", () -> stock.putAllAsync(List.of()));
    told.of("get", () -> stock.get("boots"));
    told.of("getAll", () -> stock.getAll(List.of("a", "z", "hats")));
    told.of("getAll none", () -> stock.getAll(List.of()));
    told.of("putIfAbsent", () -> stock.putIfAbsent("new", 1L));
    told.of("putIfAbsent there", () -> stock.putIfAbsent("new", 2L));
    told.later("putIfAbsentAsync", () -> stock.putIfAbsentAsync("new", 2L));
    told.of("replace", () -> stock.replace("new", 1L, 5L));
    told.of("replace other", () -> stock.replace("new", 1L, 5L));
    told.of("replace none", () -> stock.replace("none", 1L, 5L));
    told.later("replaceAsync", () -> stock.replaceAsync("new", 5L, 6L));
    told.of("deleteIf", () -> stock.deleteIf("new", 5L));
    told.later("deleteIfAsync", () -> stock.deleteIfAsync("new", 6L));
    told.of("throws", () -> stock.deleteIf("new", 6L).orThrow());
    told.of("delete", () -> stock.delete("a"));
    told.later("deleteAsync", () -> stock.deleteAsync("a"));
    told.of("deleteAll", () -> stock.deleteAll(List.of("b", "none")));
    told.of("deleteAll none", () -> stock.deleteAll(List.of()));
    told.later("deleteAllAsync", () -> stock.deleteAllAsync(List.of("c")));
    told.later("deleteAllAsync none", () -> stock.deleteAllAsync(List.of()));
    told.done("buffered", () -> stock.with(Durability.BUFFERED).put("x", 1L));
    told.of("count", stock::count);
    told.of("tables", () -> queues.tables(PageRequest.first(5)));
    told.of("drop", stock::drop);
    told.of("count dropped", stock::count);
  }

  private static void ranges(JobQueues queues, Told told) {
    Table<byte[], byte[]> rows = queues.table("rows", Codec.BYTES, Codec.BYTES);
    for (int i = 0; i < 30; i++) {
      rows.put(("k" + i).getBytes(UTF_8), new byte[] {(byte) i});
    }
    List<TableRange<byte[]>> ranges =
        List.of(
            TableRange.all(),
            TableRange.from("k2".getBytes(UTF_8)),
            TableRange.before("k2".getBytes(UTF_8)),
            TableRange.between("k1".getBytes(UTF_8), "k2".getBytes(UTF_8)),
            TableRange.between("k2".getBytes(UTF_8), "k1".getBytes(UTF_8)),
            TableRange.prefix("k1".getBytes(UTF_8)),
            TableRange.prefix(new byte[0]));
    for (TableRange<byte[]> range : ranges) {
      told.of("count", () -> rows.count(range));
      var page = told.of("scan", () -> rows.scan(range, PageRequest.first(4)));
      while (page != null && page.next().isPresent()) {
        String next = page.next().get();
        page = told.of("go on", () -> rows.scan(range, PageRequest.after(next, 7)));
      }
    }
    byte[] key = "k3".getBytes(UTF_8);
    rows.get(key).orElseThrow()[0] = 99;
    told.of("own copy", () -> rows.get(key));
    told.of("foreign cursor", () -> rows.scan(TableRange.all(), PageRequest.after("bm8", 4)));
  }

  private static void unread(JobQueues queues, Told told) {
    Table<String, byte[]> raw = queues.table("rows", Codec.TEXT, Codec.BYTES);
    Table<String, Long> rows = queues.table("rows", Codec.TEXT, Codec.LONG);
    rows.put("a", 1L);
    rows.put("b", 2L);
    raw.put("c", new byte[3]);
    rows.put("d", 4L);
    raw.put("e", new byte[1]);
    told.of("get", () -> rows.get("c"));
    told.of("getAll", () -> rows.getAll(List.of("a", "c")));
    told.of("putIfAbsent", () -> rows.putIfAbsent("c", 3L));
    told.later("putIfAbsentAsync", () -> rows.putIfAbsentAsync("c", 3L));
    var before = told.of("before", () -> rows.scan(TableRange.all(), PageRequest.first(10)));
    told.of("at", () -> rows.scan(TableRange.all(), PageRequest.after(before.next().get(), 10)));
    told.of(
        "behind",
        () ->
            rows.scan(TableRange.all(), PageRequest.after(behind(rows, before.next().get()), 10)));
    told.of("between", () -> rows.scan(TableRange.from("d"), PageRequest.first(10)));
    told.of("count", rows::count);
  }

  /** Returns the cursor of the page behind a row that cannot be read. */
  private static String behind(Table<String, Long> rows, String at) {
    try {
      var unused = rows.scan(TableRange.all(), PageRequest.after(at, 10));
      throw new AssertionError("row was read");
    } catch (CodecException e) {
      return e.getMessage().replaceAll(".*cursor=", "");
    }
  }

  private static void wrong(JobQueues queues, Told told) {
    Table<String, Long> rows = queues.table("rows", Codec.TEXT, Codec.LONG);
    Table<byte[], byte[]> raw = queues.table("raw", Codec.BYTES, Codec.BYTES);
    String tooLong = "x".repeat(Limits.KEY_BYTES_MAX + 1);
    byte[] key = {1};
    byte[] bigValue = new byte[Limits.TABLE_VALUE_BYTES_MAX + 1];
    TableRow<byte[], byte[]> big = new TableRow<>(key, new byte[Limits.TABLE_VALUE_BYTES_MAX]);
    told.done("put", () -> rows.put(tooLong, 1L));
    told.done("put null", () -> rows.put(null, 1L));
    told.done("put value", () -> rows.put("a", null));
    told.done("put unpaired", () -> rows.put("\ud800", 1L));
    told.done("put long value", () -> raw.put(key, bigValue));
    told.later("putAsync", () -> rows.putAsync(tooLong, 1L));
    told.done("putAll", () -> rows.putAll(null));
    told.done("putAll row", () -> rows.putAll(Arrays.asList(new TableRow<>("a", 1L), null)));
    told.done(
        "putAll count", () -> rows.putAll(Collections.nCopies(10_001, new TableRow<>("a", 1L))));
    told.done(
        "putAll bytes",
        () -> raw.putAll(Collections.nCopies(Limits.CALL_BYTES_MAX / big.value().length + 1, big)));
    told.of("delete", () -> rows.delete(tooLong));
    told.of("deleteAll", () -> rows.deleteAll(null));
    told.of("deleteAll one", () -> rows.deleteAll(Arrays.asList("a", null)));
    told.of("putIfAbsent", () -> rows.putIfAbsent(tooLong, 1L));
    told.of("replace", () -> rows.replace("a", null, 1L));
    told.of("deleteIf", () -> rows.deleteIf("a", null));
    told.of("get", () -> rows.get(tooLong));
    told.of("get null", () -> rows.get(null));
    told.of("getAll", () -> rows.getAll(Collections.nCopies(10_001, "a")));
    told.of("getAll null", () -> rows.getAll(null));
    told.of("scan", () -> rows.scan(TableRange.from(tooLong), PageRequest.first(1)));
    told.of("scan null", () -> rows.scan(null, PageRequest.first(1)));
    told.of("scan page", () -> rows.scan(TableRange.all(), null));
    told.of("count", () -> rows.count(TableRange.prefix(tooLong)));
    told.of("count null", () -> rows.count(null));
    told.of("with", () -> rows.with(null) == null);
    told.of("tables", () -> queues.tables(PageRequest.first(1)));
  }
}
