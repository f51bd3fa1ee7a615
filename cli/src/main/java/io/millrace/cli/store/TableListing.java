package io.millrace.cli.store;

import io.millrace.api.TableRow;
import io.millrace.cli.text.JsonLines;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.DescribedJson;
import io.millrace.console.text.Printable;
import io.millrace.describe.Descriptions;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;

/** Shows users' tables: their names, or the rows of one. */
final class TableListing {

  private static final int TEXT_LENGTH_MAX = 60;

  private final PrintWriter out;
  private final boolean isJson;

  TableListing(PrintWriter out, boolean isJson) {
    this.out = out;
    this.isJson = isJson;
  }

  void printNames(Iterator<String> names, long limit) {
    if (!isJson && !names.hasNext()) {
      out.println("no tables");
    }
    for (long i = 0; i < limit && names.hasNext(); i++) {
      String name = names.next();
      if (isJson) {
        JsonLines.printObject(out, json -> json.writeStringField("table", name));
      } else {
        out.println(Printable.text(name));
      }
    }
    tellMore(names);
  }

  void printRows(Iterator<TableRow<byte[], byte[]>> rows, long limit) {
    TextTable table =
        new TextTable()
            .column("KEY", Align.LEFT)
            .column("BYTES", Align.RIGHT)
            .column("VALUE", Align.LEFT);
    for (long i = 0; i < limit && rows.hasNext(); i++) {
      TableRow<byte[], byte[]> row = rows.next();
      if (isJson) {
        JsonLines.print(out, json -> DescribedJson.write(Descriptions.TABLE_ROW, row, json));
      } else {
        table.row(
            List.of(
                Printable.payload(row.key(), TEXT_LENGTH_MAX),
                Amounts.count(row.value().length),
                Printable.payload(row.value(), TEXT_LENGTH_MAX)));
      }
    }
    if (!isJson && table.isEmpty()) {
      out.println("no rows");
    } else if (!isJson) {
      table.print(out);
    }
    tellMore(rows);
  }

  private void tellMore(Iterator<?> rest) {
    if (!isJson && rest.hasNext()) {
      out.println("There are more: --limit 0 shows all.");
    }
  }
}
