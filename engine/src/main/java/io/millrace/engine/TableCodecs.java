package io.millrace.engine;

import io.millrace.api.Codec;
import io.millrace.api.Limits;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.internal.read.DecodedRow;
import io.millrace.options.Checks;
import io.millrace.tables.ReservedTables;
import java.util.Objects;

/**
 * The codecs by which one view of a user's table turns keys and values into bytes and back.
 *
 * @param table the table's name
 */
record TableCodecs<K, V>(String table, Codec<K> keys, Codec<V> values) {

  TableCodecs {
    ReservedTables.userName(table);
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(values, "values");
  }

  /** A table of an engine of this process. */
  interface Coded<K, V> extends Table<K, V> {

    /** Returns the codecs by which the table turns its rows into bytes. */
    TableCodecs<K, V> codecs();

    /** Tells whether the table belongs to the engine of this submitter. */
    boolean isOf(Submitter submitter);
  }

  /**
   * Returns the codecs of a table that belongs to the engine of this submitter.
   *
   * @throws IllegalArgumentException the table belongs to another engine
   */
  static <K, V> TableCodecs<K, V> of(Table<K, V> table, Submitter submitter) {
    Objects.requireNonNull(table, "table");
    if (table instanceof Coded<K, V> coded && coded.isOf(submitter)) {
      return coded.codecs();
    }
    throw new IllegalArgumentException("table is not of this engine: table=" + table.name());
  }

  byte[] key(K key) {
    return Checks.bytes(
        "key", keys.encode(Objects.requireNonNull(key, "key")), Limits.KEY_BYTES_MAX);
  }

  byte[] value(V value) {
    return Checks.bytes(
        "value",
        values.encode(Objects.requireNonNull(value, "value")),
        Limits.TABLE_VALUE_BYTES_MAX);
  }

  /** Decodes the value of the row with this key. */
  V decoded(byte[] key, byte[] value) {
    return DecodedRow.decoded(table, key, () -> values.decode(value));
  }

  /** Decodes a row; its bytes are copied. */
  TableRow<K, V> decoded(TableRow<byte[], byte[]> row) {
    return DecodedRow.of(table, row.key().clone(), row.value().clone(), keys, values);
  }

  /** Encodes a range of keys. */
  TableRange<byte[]> range(TableRange<K> range) {
    if (range instanceof TableRange.Prefix<K> within) {
      return TableRange.prefix(key(within.prefix()));
    }
    TableRange.Between<K> between = (TableRange.Between<K>) Objects.requireNonNull(range, "range");
    return new TableRange.Between<>(between.from().map(this::key), between.to().map(this::key));
  }
}
