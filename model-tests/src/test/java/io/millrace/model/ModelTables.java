package io.millrace.model;

import io.millrace.api.TableRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Tables in plain lines: of each name a sorted map, which is there from the first put until it is
 * dropped.
 */
public final class ModelTables {

  private final Map<String, TreeMap<byte[], byte[]>> tables = new LinkedHashMap<>();

  /** The same tables, which go their own way from here on. */
  public ModelTables copy() {
    ModelTables copy = new ModelTables();
    tables.forEach((name, rows) -> copy.tables.put(name, new TreeMap<>(rows)));
    return copy;
  }

  /** How many rows all tables have. */
  public int rowCount() {
    return tables.values().stream().mapToInt(TreeMap::size).sum();
  }

  /** Names in the order of their bytes. */
  public List<String> names() {
    return tables.keySet().stream().sorted().toList();
  }

  public void put(String table, byte[] key, byte[] value) {
    tables.computeIfAbsent(table, name -> new TreeMap<>(Arrays::compareUnsigned)).put(key, value);
  }

  public Optional<byte[]> get(String table, byte[] key) {
    return Optional.ofNullable(tables.get(table)).map(rows -> rows.get(key));
  }

  public boolean delete(String table, byte[] key) {
    return tables.containsKey(table) && tables.get(table).remove(key) != null;
  }

  /** Whether the row holds the very bytes. */
  public boolean holds(String table, byte[] key, byte[] expected) {
    return get(table, key).filter(value -> Arrays.equals(value, expected)).isPresent();
  }

  public boolean drop(String table) {
    return tables.remove(table) != null;
  }

  /**
   * All rows from one key to another.
   *
   * @param from the first that may be among them
   * @param to the first that is not
   */
  public List<TableRow<byte[], byte[]>> rows(
      String table, Optional<byte[]> from, Optional<byte[]> to) {
    List<TableRow<byte[], byte[]>> found = new ArrayList<>();
    TreeMap<byte[], byte[]> rows = tables.get(table);
    if (rows != null) {
      rows.forEach(
          (key, value) -> {
            boolean isWithin =
                from.filter(least -> Arrays.compareUnsigned(key, least) < 0).isEmpty()
                    && to.filter(end -> Arrays.compareUnsigned(key, end) >= 0).isEmpty();
            if (isWithin) {
              found.add(new TableRow<>(key, value));
            }
          });
    }
    return found;
  }

  /** All rows whose keys begin with the bytes. */
  public List<TableRow<byte[], byte[]>> rows(String table, byte[] prefix) {
    return rows(table, Optional.empty(), Optional.empty()).stream()
        .filter(
            row ->
                row.key().length >= prefix.length
                    && Arrays.equals(row.key(), 0, prefix.length, prefix, 0, prefix.length))
        .toList();
  }
}
