package io.millrace.engine;

import io.millrace.api.Table;
import io.millrace.calls.TableCodecs;
import java.util.Objects;

/** A table of an engine of this process. */
interface CodedTable<K, V> extends Table<K, V> {

  /** Returns the codecs by which the table turns its rows into bytes. */
  TableCodecs<K, V> codecs();

  /** Tells whether the table belongs to the engine of this submitter. */
  boolean isOf(Submitter submitter);

  /**
   * Returns the codecs of a table that belongs to the engine of this submitter.
   *
   * @throws IllegalArgumentException the table belongs to another engine
   */
  static <K, V> TableCodecs<K, V> codecs(Table<K, V> table, Submitter submitter) {
    Objects.requireNonNull(table, "table");
    if (table instanceof CodedTable<K, V> coded && coded.isOf(submitter)) {
      return coded.codecs();
    }
    throw new IllegalArgumentException("table is not of this engine: table=" + table.name());
  }
}
