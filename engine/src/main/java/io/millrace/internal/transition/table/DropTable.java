package io.millrace.internal.transition.table;

import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.TableNames;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import java.util.List;

/**
 * The drop of a user's table: in this one batch its name becomes free, and nothing reaches its rows
 * any more, for the next table of the name has another incarnation. {@link EmptyDroppedTable}
 * removes the rows, step by step; a row says so to the next opening. The answer tells whether there
 * was such a table.
 */
public final class DropTable implements Transition<Boolean> {

  private final String table;

  public DropTable(String table) {
    this.table = table;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Tables.NAME_ROWS;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    Tables.want(state, reads, table, List.of());
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Boolean apply(OpenBatch batch) {
    long incarnation = Tables.find(batch, table);
    if (incarnation == Tables.NONE) {
      return false;
    }
    TableNames.Dropped dropped = new TableNames.Dropped(table, incarnation);
    byte[] key = Tables.droppedKey(dropped);
    batch.delete(TableCatalog.key(table));
    batch.put(key, TableCatalog.encodeDropped(key));
    batch.state().tables().forget(table);
    batch.state().tables().markDropped(dropped);
    return true;
  }

  /** Returns the dropped table that the row at the key names. */
  public static TableNames.Dropped dropped(byte[] key) {
    return new TableNames.Dropped(
        TableCatalog.droppedTable(key), TableCatalog.droppedIncarnation(key));
  }
}
