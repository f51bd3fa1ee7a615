package io.millrace.internal.transition.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.TableRecord;
import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.TableNames;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.spi.WriteBatch;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Users' tables and their rows as the group sees them. */
public final class Tables {

  /** The incarnation of a table that does not exist. */
  public static final long NONE = TableNames.UNKNOWN;

  /** The cost of making or dropping a table: rows of the engine's own tables. */
  public static final Cost NAME_ROWS = new Cost(2, 2L * (RowBytes.TABLE_KEY + 2 * RowBytes.KEY));

  private Tables() {}

  /** Returns the most that a row takes that is put or deleted, but for the user's key and value. */
  public static Cost row(String table) {
    int nameBytes = table.getBytes(UTF_8).length;
    return new Cost(1, TableRowKeys.OTHER_BYTES + nameBytes + RowBytes.KEY);
  }

  /** Wants the row that {@link #find} looks at, and then rows of the table, if it exists. */
  public static void want(
      WorkingSet state, RowReads reads, String table, Collection<byte[]> userKeys) {
    long known = state.tables().incarnation(table);
    if (known != NONE) {
      wantRows(reads, table, known, userKeys);
      return;
    }
    byte[] key = TableCatalog.key(table);
    reads.wantByKey(
        key,
        value -> {
          if (value != null) {
            wantRows(reads, table, TableCatalog.decode(key, value), userKeys);
          }
        });
  }

  private static void wantRows(
      RowReads reads, String table, long incarnation, Collection<byte[]> userKeys) {
    for (byte[] userKey : userKeys) {
      reads.wantLong(TableRowKeys.key(table, incarnation, userKey));
    }
  }

  /**
   * Returns the incarnation of the table's rows, or {@link #NONE}.
   *
   * @throws CorruptDataException the row that says so is damaged; it is mended with the batch
   */
  public static long find(OpenBatch batch, String table) {
    TableNames names = batch.state().tables();
    long known = names.incarnation(table);
    if (known != NONE) {
      return known;
    }
    byte[] key = TableCatalog.key(table);
    byte[] value = batch.get(key);
    if (value == null) {
      return NONE;
    }
    try {
      long incarnation = TableCatalog.decode(key, value);
      names.know(table, incarnation);
      return incarnation;
    } catch (CorruptDataException e) {
      batch.reportCorrupt(key);
      throw e;
    }
  }

  /**
   * Returns the incarnation that the table has by the batch alone, or {@link #NONE}: reads nothing.
   */
  static long made(OpenBatch batch, String table) {
    byte[] key = TableCatalog.key(table);
    int index = batch.writes().find(key);
    byte[] value = index == WriteBatch.ABSENT ? null : batch.writes().value(index);
    return value == null ? NONE : TableCatalog.decode(key, value);
  }

  /** Makes a table that does not exist; returns its incarnation. Nothing here can fail. */
  public static long make(OpenBatch batch, String table) {
    long incarnation = batch.state().takeSequence();
    byte[] key = TableCatalog.key(table);
    batch.put(key, TableCatalog.encode(key, incarnation));
    batch.state().tables().know(table, incarnation);
    return incarnation;
  }

  /**
   * Returns what a row of the table holds, or null.
   *
   * @param incarnation {@link #NONE} has no rows
   * @throws CorruptDataException the row is damaged; it is set aside with the batch
   */
  public static byte @Nullable [] get(
      OpenBatch batch, String table, long incarnation, byte[] userKey) {
    if (incarnation == NONE) {
      return null;
    }
    byte[] key = TableRowKeys.key(table, incarnation, userKey);
    return held(batch, key, batch.get(key));
  }

  /**
   * Decodes what the row at the key holds; null if nothing is stored.
   *
   * @throws CorruptDataException the row is damaged; it is set aside with the batch
   */
  static byte @Nullable [] held(OpenBatch batch, byte[] key, byte @Nullable [] stored) {
    try {
      return stored == null ? null : TableRecord.decode(key, stored).bytes();
    } catch (CorruptDataException e) {
      batch.reportCorrupt(key);
      throw e;
    }
  }

  /** Puts a row of a table that exists. */
  public static void put(
      OpenBatch batch, String table, long incarnation, byte[] userKey, byte[] value) {
    byte[] key = TableRowKeys.key(table, incarnation, userKey);
    batch.put(key, new TableRecord(value).encode(key));
    batch.state().totals().countRowPut();
  }

  /** Deletes a row that is there. */
  public static void delete(OpenBatch batch, String table, long incarnation, byte[] userKey) {
    batch.delete(TableRowKeys.key(table, incarnation, userKey));
    batch.state().totals().countRowDeleted();
  }

  /** Returns the key of the row that says that a dropped table's rows are to be removed. */
  static byte[] droppedKey(TableNames.Dropped dropped) {
    return TableCatalog.droppedKey(dropped.table(), dropped.incarnation());
  }
}
