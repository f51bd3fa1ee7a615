package io.millrace.api;

import java.util.List;
import java.util.Optional;

/**
 * What can be seen of a {@link Table} without changing it. Any thread; holds no resources. Every
 * answer is one consistent snapshot, as of the newest commit, and never waits for the engine's own
 * work. A table that does not exist is one without rows.
 *
 * <p>Reads throw {@link CorruptDataException} for a row that is damaged, which is then set aside;
 * {@link CodecException} for one that was written with another codec; {@link
 * IllegalArgumentException} for a key of more than {@value Limits#KEY_BYTES_MAX} bytes; and what
 * those of {@link JobReader} throw.
 */
public interface TableReader<K, V> {

  String name();

  /** What the row of the key holds; empty if there is none. */
  Optional<V> get(K key);

  /**
   * What the rows of many keys hold, all as of one moment, in the order of the keys.
   *
   * @param keys {@value Limits#CALL_ROW_COUNT_MAX} at most
   */
  List<Optional<V>> getAll(List<K> keys);

  /**
   * Rows in the order of their keys' bytes. A page is one snapshot; it ends early behind about 8
   * MiB of values, and before a row that is damaged or that a codec does not read. The page that
   * would begin with that one fails with a {@link CorruptDataException} or {@link CodecException},
   * which names the row's key in hex, and whose message ends with the cursor of the page behind it.
   * Rows that are put or deleted between two pages are seen as they are then.
   */
  Page<TableRow<K, V>> scan(TableRange<K> range, PageRequest page);

  /**
   * How many rows there are, by going over all of them: it takes as long as that, a thousand rows
   * at a time as of one moment. Rows that are put or deleted meanwhile may be counted or not.
   */
  default long count() {
    return count(TableRange.all());
  }

  /** As {@link #count()}, within the range. */
  long count(TableRange<K> range);
}
