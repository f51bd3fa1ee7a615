package io.millrace.calls;

import io.millrace.api.Codec;
import io.millrace.api.Limits;
import io.millrace.api.RowResult;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.options.Checks;
import io.millrace.tables.ReservedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The codecs by which one view of a user's table turns keys and values into bytes and back.
 *
 * @param table the table's name
 */
public record TableCodecs<K, V>(String table, Codec<K> keys, Codec<V> values) {

  public TableCodecs {
    ReservedTables.userName(table);
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(values, "values");
  }

  /** Encodes a key. */
  public byte[] key(K key) {
    return Checks.bytes(
        "key", keys.encode(Objects.requireNonNull(key, "key")), Limits.KEY_BYTES_MAX);
  }

  /** Encodes a value. */
  public byte[] value(V value) {
    return value("value", value);
  }

  /** Encodes the value of this parameter. */
  public byte[] value(String parameter, V value) {
    return Checks.bytes(
        "value",
        values.encode(Objects.requireNonNull(value, parameter)),
        Limits.TABLE_VALUE_BYTES_MAX);
  }

  /** Encodes the rows, if one call may put them. */
  public List<TableRow<byte[], byte[]>> rows(List<TableRow<K, V>> rows) {
    CallLimits.rowCount(rows);
    List<TableRow<byte[], byte[]>> encoded = new ArrayList<>(rows.size());
    long bytes = 0;
    for (TableRow<K, V> row : rows) {
      Objects.requireNonNull(row, "row");
      byte[] key = key(row.key());
      byte[] value = value(row.value());
      bytes = CallLimits.addRow(bytes, key.length + value.length);
      encoded.add(new TableRow<>(key, value));
    }
    return encoded;
  }

  /** Encodes the keys of rows, if one call may delete them. */
  public List<byte[]> rowKeys(List<K> wanted) {
    CallLimits.rowCount(wanted);
    List<byte[]> encoded = new ArrayList<>(wanted.size());
    for (K key : wanted) {
      encoded.add(key(key));
    }
    return encoded;
  }

  /** Decodes the value of the row with this key. */
  public V decoded(byte[] key, byte[] value) {
    return DecodedRow.decoded(table, key, () -> values.decode(value));
  }

  /** Decodes a row; its bytes are copied. */
  public TableRow<K, V> decoded(TableRow<byte[], byte[]> row) {
    return DecodedRow.of(table, row.key().clone(), row.value().clone(), keys, values);
  }

  /**
   * Returns the result of a conditional change.
   *
   * @param found the bytes of the row that was not as expected
   */
  public RowResult<V> other(Optional<byte[]> found) {
    return new RowResult.Other<>(found.map(values::decode));
  }

  /** Encodes a range of keys. */
  public TableRange<byte[]> range(TableRange<K> range) {
    if (range instanceof TableRange.Prefix<K> within) {
      return TableRange.prefix(key(within.prefix()));
    }
    TableRange.Between<K> between = (TableRange.Between<K>) Objects.requireNonNull(range, "range");
    return new TableRange.Between<>(between.from().map(this::key), between.to().map(this::key));
  }
}
