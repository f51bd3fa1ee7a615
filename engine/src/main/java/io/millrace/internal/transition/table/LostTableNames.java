package io.millrace.internal.transition.table;

import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.state.TableNames;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.spi.ReadView;

/**
 * The repair of the rows that name users' tables, by the tables' rows: of several incarnations of
 * one name the highest is the table, for only after a drop is there another.
 */
public final class LostTableNames {

  private LostTableNames() {}

  /** Puts the row at the key, which names a table, anew: it was damaged and is set aside. */
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

  private static long highest(OpenBatch batch, String table) {
    long highest = TableNames.UNKNOWN;
    FirstIncarnation next = new FirstIncarnation();
    batch.scan(TableKeys.start(table), TableKeys.end(table), 1, next);
    while (next.incarnation > highest) {
      highest = next.incarnation;
      batch.scan(TableRowKeys.end(table, highest), TableKeys.end(table), 1, next);
    }
    return highest;
  }

  /** The incarnation of the first row that a scan visits, if there is any. */
  private static final class FirstIncarnation implements ReadView.RowVisitor {

    private long incarnation = TableNames.UNKNOWN;

    @Override
    public boolean visit(byte[] key, byte[] value) {
      incarnation = TableRowKeys.incarnation(key);
      return false;
    }
  }
}
