package io.millrace.internal.transition.table;

import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.state.TableNames;
import io.millrace.internal.transition.OpenBatch;

/**
 * Mends what is said of users' tables by the rows that are there: of several incarnations of one
 * name the highest is the table, for only after a drop is there another.
 */
public final class LostTableNames {

  private LostTableNames() {}

  /** The row at the key, which is of a table, was damaged and is set aside: it is put anew. */
  public static void restore(OpenBatch batch, byte[] key) {
    if (TableCatalog.isKey(key)) {
      restoreName(batch, TableCatalog.table(key));
    } else if (TableCatalog.isDroppedKey(key)) {
      batch.put(key, TableCatalog.encodeDropped(key));
    }
  }

  private static void restoreName(OpenBatch batch, String table) {
    long incarnation = batch.state().tables().incarnation(table);
    if (incarnation == TableNames.UNKNOWN) {
      incarnation = highest(batch, table);
    }
    boolean isDropped =
        batch.state().tables().isDropped(new TableNames.Dropped(table, incarnation));
    if (incarnation != TableNames.UNKNOWN && !isDropped) {
      byte[] key = TableCatalog.key(table);
      batch.put(key, TableCatalog.encode(key, incarnation));
      batch.state().tables().know(table, incarnation);
    }
  }

  /** Goes from the first row of each incarnation to the next. */
  private static long highest(OpenBatch batch, String table) {
    long[] found = {TableNames.UNKNOWN};
    byte[] from = TableKeys.start(table);
    byte[] end = TableKeys.end(table);
    boolean[] isMore = {true};
    while (isMore[0]) {
      isMore[0] = false;
      batch.scan(
          from,
          end,
          1,
          (key, value) -> {
            long incarnation = TableRowKeys.incarnation(key);
            if (incarnation > found[0]) {
              found[0] = incarnation;
              isMore[0] = true;
            }
            return false;
          });
      from = TableRowKeys.end(table, found[0]);
    }
    return found[0];
  }
}
