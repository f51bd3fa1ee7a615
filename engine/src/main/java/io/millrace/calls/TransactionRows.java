package io.millrace.calls;

import io.millrace.api.Limits;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.TableRange;
import io.millrace.api.TableReader;
import io.millrace.api.TableRow;
import io.millrace.options.Checks;
import io.millrace.tables.RowMerge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rows of users' tables as the function of a transaction sees them, in one call: the values that it
 * has written itself, else those that it has read before, else the stored ones. Belongs to one
 * thread.
 */
public final class TransactionRows {

  /** The rows read at a time: of full length they are as much as a transaction may read. */
  private static final int ROWS_AT_A_TIME = Limits.CALL_BYTES_MAX / Limits.TABLE_VALUE_BYTES_MAX;

  private final Store store;
  private final Others others;
  private final Map<String, TreeMap<byte[], Optional<byte[]>>> written = new HashMap<>(2);
  private final Map<String, TreeMap<byte[], Optional<byte[]>>> read = new HashMap<>(2);

  /** The changes of rows whose values the function does not know. */
  private final Map<String, TreeMap<byte[], List<RowMerge>>> merged = new HashMap<>(0);

  private int readCount;
  private long readBytes;

  /** The store to which questions are put. */
  public interface Store {

    /** Asks a question about the rows of a table. */
    <R> R read(String table, Function<TableReader<byte[], byte[]>, R> question);
  }

  /** The knowledge of what others do with rows. */
  public interface Others {

    /**
     * Prepares for the first read of a row. Returns the value to go by in place of the stored one;
     * null if there is none.
     */
    @Nullable Optional<byte[]> beforeRead(String table, byte[] key);

    /** Prepares for a change of a row. */
    void beforeWrite(String table, byte[] key);

    /** Notes the value that a row will have, for others; null if the value is not known. */
    void leave(String table, byte[] key, @Nullable Optional<byte[]> value);
  }

  /** A row as it was read; empty if it was not there. Nobody may change its bytes. */
  public record Seen(String table, byte[] key, Optional<byte[]> value) {}

  public TransactionRows(Store store, Others others) {
    this.store = store;
    this.others = others;
  }

  /** Returns the row's value as the function sees it; the bytes are shared. */
  public Optional<byte[]> get(String table, byte[] key) {
    Optional<byte[]> own = find(written, table, key);
    if (own != null) {
      return own;
    }
    Optional<byte[]> known = find(read, table, key);
    Optional<byte[]> found = known != null ? known : readNow(table, key);
    List<RowMerge> merges = find(merged, table, key);
    if (merges == null) {
      return found;
    }
    Optional<byte[]> value = found;
    for (RowMerge merge : merges) {
      value = Optional.of(merge.applied(value.orElse(null)));
    }
    writeKnown(table, key, value);
    return value;
  }

  /** Returns the rows' values as {@link #get} does, but asks the store for many at a time. */
  public List<Optional<byte[]>> getAll(String table, List<byte[]> keys) {
    TreeSet<byte[]> unknown = new TreeSet<>(Arrays::compareUnsigned);
    for (byte[] key : keys) {
      if (find(written, table, key) == null && find(read, table, key) == null) {
        unknown.add(key);
      }
    }
    checkCount(unknown.size());
    List<byte[]> some = new ArrayList<>(ROWS_AT_A_TIME);
    for (byte[] key : unknown) {
      some.add(key);
      if (some.size() == ROWS_AT_A_TIME) {
        readNow(table, some);
        some.clear();
      }
    }
    if (!some.isEmpty()) {
      readNow(table, some);
    }
    return keys.stream().map(key -> get(table, key)).toList();
  }

  private Optional<byte[]> readNow(String table, byte[] key) {
    checkCount(1);
    Optional<byte[]> expected = others.beforeRead(table, key);
    return noted(table, key, expected != null ? expected : stored(table, rows -> rows.get(key)));
  }

  private void readNow(String table, List<byte[]> keys) {
    List<byte[]> asked = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      Optional<byte[]> expected = others.beforeRead(table, key);
      if (expected != null) {
        noted(table, key, expected);
      } else {
        asked.add(key);
      }
    }
    List<Optional<byte[]>> found = stored(table, rows -> rows.getAll(asked));
    for (int i = 0; i < asked.size(); i++) {
      noted(table, asked.get(i), found.get(i));
    }
  }

  private void checkCount(int more) {
    Checks.inRange(
        "number of rows read in the transaction", readCount + more, 0, Limits.CALL_ROW_COUNT_MAX);
  }

  private Optional<byte[]> noted(String table, byte[] key, Optional<byte[]> found) {
    long bytes = readBytes + key.length + found.map(value -> value.length).orElse(0);
    Checks.inRange(
        "length of all rows read in the transaction in bytes", bytes, 0, Limits.CALL_BYTES_MAX);
    readBytes = bytes;
    readCount++;
    put(read, table, key, found);
    return found;
  }

  /** Notes that the row will hold the value, or be gone. */
  public void write(String table, byte[] key, Optional<byte[]> value) {
    others.beforeWrite(table, key);
    writeKnown(table, key, value);
  }

  private void writeKnown(String table, byte[] key, Optional<byte[]> value) {
    put(written, table, key, value);
    if (!merged.isEmpty()) {
      merged.getOrDefault(table, newRows()).remove(key);
    }
  }

  /**
   * Returns the value that the row would hold after the change; empty if the transaction does not
   * know its present value.
   *
   * @throws IllegalArgumentException the value is known, and cannot be changed so
   */
  public Optional<byte[]> merged(String table, byte[] key, RowMerge merge) {
    Optional<byte[]> own = find(written, table, key);
    Optional<byte[]> known = own != null ? own : find(read, table, key);
    return known == null ? Optional.empty() : Optional.of(merge.applied(known.orElse(null)));
  }

  /** Notes a change of a row whose value at that time the transaction does not know. */
  public void merge(String table, byte[] key, RowMerge merge) {
    others.beforeWrite(table, key);
    merged
        .computeIfAbsent(table, name -> newRows())
        .computeIfAbsent(key, row -> new ArrayList<>(1))
        .add(merge);
  }

  /** Returns the first rows of the range, at most {@code limit}. */
  public List<TableRow<byte[], byte[]>> scan(String table, TableRange<byte[]> range, int limit) {
    for (byte[] key : List.copyOf(merged.getOrDefault(table, newRows()).keySet())) {
      if (isWithin(range, key)) {
        get(table, key); // so that it is known what the row will hold
      }
    }
    TreeMap<byte[], Optional<byte[]>> own = written.getOrDefault(table, newRows());
    TreeMap<byte[], byte[]> found = new TreeMap<>(Arrays::compareUnsigned);
    long bytes = 0;
    Optional<String> cursor = Optional.empty();
    do {
      PageRequest request = new PageRequest(limit - found.size(), cursor);
      Page<TableRow<byte[], byte[]>> page = stored(table, rows -> rows.scan(range, request));
      for (TableRow<byte[], byte[]> row : page.items()) {
        if (!own.containsKey(row.key())) {
          found.put(row.key(), row.value());
          bytes += row.key().length + row.value().length;
        }
      }
      Checks.inRange("length of all rows of a scan in bytes", bytes, 0, Limits.CALL_BYTES_MAX);
      cursor = page.next();
    } while (cursor.isPresent() && found.size() < limit);
    // Those behind what was read are behind as many as are wanted.
    own.forEach(
        (key, value) -> {
          if (value.isPresent() && isWithin(range, key)) {
            found.put(key, value.get());
          }
        });
    return found.entrySet().stream()
        .limit(limit)
        .map(row -> new TableRow<>(row.getKey(), row.getValue()))
        .toList();
  }

  private static boolean isWithin(TableRange<byte[]> range, byte[] key) {
    if (range instanceof TableRange.Prefix<byte[]> begun) {
      int length = begun.prefix().length;
      return key.length >= length && Arrays.equals(key, 0, length, begun.prefix(), 0, length);
    }
    TableRange.Between<byte[]> between = (TableRange.Between<byte[]>) range;
    boolean isFrom =
        between.from().isEmpty() || Arrays.compareUnsigned(key, between.from().get()) >= 0;
    boolean isBefore =
        between.to().isEmpty() || Arrays.compareUnsigned(key, between.to().get()) < 0;
    return isFrom && isBefore;
  }

  /** Lets other transactions go by the values that were written and are about to be handed in. */
  public void leave() {
    written.forEach((table, rows) -> rows.forEach((key, value) -> others.leave(table, key, value)));
    merged.forEach((table, rows) -> rows.keySet().forEach(key -> others.leave(table, key, null)));
  }

  /** Returns the rows that were read of the store by their keys. */
  public List<Seen> seen() {
    List<Seen> seen = new ArrayList<>(readCount);
    read.forEach(
        (table, rows) -> rows.forEach((key, value) -> seen.add(new Seen(table, key, value))));
    return seen;
  }

  /** Tells whether the store still holds the values that were read. */
  public boolean isCurrent() {
    for (Map.Entry<String, TreeMap<byte[], Optional<byte[]>>> rows : read.entrySet()) {
      List<byte[]> keys = List.copyOf(rows.getValue().keySet());
      List<Optional<byte[]>> now = stored(rows.getKey(), table -> table.getAll(keys));
      for (int i = 0; i < keys.size(); i++) {
        Optional<byte[]> before = rows.getValue().get(keys.get(i));
        if (before == null || !Arrays.equals(before.orElse(null), now.get(i).orElse(null))) {
          return false;
        }
      }
    }
    return true;
  }

  private <R> R stored(String table, Function<TableReader<byte[], byte[]>, R> question) {
    return store.read(table, question);
  }

  private static <V> TreeMap<byte[], V> newRows() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  private static <V> @Nullable V find(
      Map<String, TreeMap<byte[], V>> rows, String table, byte[] key) {
    TreeMap<byte[], V> ofTable = rows.get(table);
    return ofTable == null ? null : ofTable.get(key);
  }

  private static <V> void put(
      Map<String, TreeMap<byte[], V>> rows, String table, byte[] key, V value) {
    rows.computeIfAbsent(table, name -> newRows()).put(key, value);
  }
}
