package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TableRowKeys;
import java.util.List;

/**
 * The check of tables: every row is sound, and a user's row belongs to a table that there is, or to
 * one that was dropped and is being emptied. Of rows that belong to neither, the first of each
 * table is told.
 */
final class TablesCheck {

  private static final long NOT_CHECKED = -2;

  private final Findings findings;
  private String lastTable = "";
  private long lastIncarnation = NOT_CHECKED;

  TablesCheck(Findings findings) {
    this.findings = findings;
  }

  void check(ViewRows rows, List<Row> chunk) {
    for (Row row : chunk) {
      if (!findings.isSound(row) || TableKeys.isOwn(row.key())) {
        continue;
      }
      String table = TableKeys.table(row.key());
      long incarnation = TableRowKeys.incarnation(row.key());
      if (incarnation == lastIncarnation && table.equals(lastTable)) {
        continue;
      }
      lastTable = table;
      lastIncarnation = incarnation;
      if (!isOfTable(rows, table, incarnation)) {
        findings.problem(
            row.key(),
            "the row's table does not exist: name=\""
                + table
                + "\", incarnation="
                + incarnation
                + ", this is the first of its rows");
      }
    }
  }

  private static boolean isOfTable(ViewRows rows, String table, long incarnation) {
    if (incarnation < 0) {
      return false;
    }
    byte[] key = TableCatalog.key(table);
    try {
      return TableCatalog.decodeOrNone(key, rows.get(key)) == incarnation
          || rows.has(TableCatalog.droppedKey(table, incarnation));
    } catch (CorruptDataException e) {
      // That row is told by itself.
      return true;
    }
  }
}
