package io.millrace.engine.jmx;

import io.millrace.api.Page;
import io.millrace.api.TableRow;
import io.millrace.management.TablePage;
import io.millrace.management.TableRowPage;
import io.millrace.management.TableRowSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of tables in the shape that JMX knows. */
record TablesShown(Page<String> page) implements TablePage {

  @Override
  public List<String> getNames() {
    return page.items();
  }

  @Override
  public @Nullable String getNext() {
    return page.next().orElse(null);
  }

  /** A page of rows of a table. */
  record Rows(Page<TableRow<byte[], byte[]>> page) implements TableRowPage {

    @Override
    public List<TableRowSnapshot> getRows() {
      return page.items().stream().<TableRowSnapshot>map(RowShown::new).toList();
    }

    @Override
    public @Nullable String getNext() {
      return page.next().orElse(null);
    }
  }

  private record RowShown(TableRow<byte[], byte[]> row) implements TableRowSnapshot {

    @Override
    public byte[] getKey() {
      return row.key();
    }

    @Override
    public byte[] getValue() {
      return row.value();
    }
  }
}
