package io.millrace.api;

import io.millrace.MillraceException;
import java.util.List;
import java.util.Optional;

/**
 * Read access to a {@link Table}. Any thread may use it. It holds no resources. Every answer is one
 * consistent snapshot, as of the newest commit, and never waits for the engine's own work. A table
 * that does not exist has no rows.
 *
 * <p><b>Errors.</b> Reads throw {@link CorruptDataException} for a row that is damaged, which is
 * then set aside; {@link CodecException} for a row that was written with another codec; {@link
 * IllegalArgumentException} for a key of more than {@value Limits#KEY_BYTES_MAX} bytes; and the
 * exceptions that reads of {@link JobReader} throw. Those of a {@link Table} throw {@link
 * IllegalStateException} inside the function of a transaction, which has reads of its own.
 */
public interface TableReader<K, V> {

  String name();

  /**
   * Returns the value of the row with this key; empty if there is none.
   *
   * @throws IllegalArgumentException the key is too long, or cannot be encoded
   * @throws MillraceException as every read; see {@link TableReader}
   */
  Optional<V> get(K key);

  /**
   * Returns the values of the rows with these keys, in the order of the keys, all as of one moment.
   *
   * @param keys at most {@value Limits#CALL_ROW_COUNT_MAX}
   * @throws IllegalArgumentException there are more keys, or as {@link #get}
   * @throws MillraceException as every read; see {@link TableReader}
   */
  List<Optional<V>> getAll(List<K> keys);

  /**
   * Lists rows in the order of their keys' bytes. A page is one snapshot. It ends early after about
   * 8 MiB of values, and before a row that is damaged or that a codec does not read. The page that
   * would begin with such a row fails with a {@link CorruptDataException} or {@link
   * CodecException}, which names the row's key in hexadecimal, and whose message ends with the
   * cursor of the page behind it. Rows that are put or deleted between two pages are seen as they
   * are then.
   *
   * @throws IllegalArgumentException a key of the range is too long, or cannot be encoded; or the
   *     cursor is not of a page of this range
   * @throws MillraceException as every read; see {@link TableReader}
   */
  Page<TableRow<K, V>> scan(TableRange<K> range, PageRequest page);

  /**
   * Counts all rows by reading them, a thousand at a time as of one moment, and takes accordingly
   * long. Rows that are put or deleted meanwhile may be counted or not.
   *
   * @throws MillraceException as every read; see {@link TableReader}
   */
  default long count() {
    return count(TableRange.all());
  }

  /**
   * Counts the rows of the range; see {@link #count()}.
   *
   * @throws IllegalArgumentException a key of the range is too long, or cannot be encoded
   * @throws MillraceException as every read; see {@link TableReader}
   */
  long count(TableRange<K> range);
}
