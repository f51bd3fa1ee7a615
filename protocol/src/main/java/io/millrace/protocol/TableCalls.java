package io.millrace.protocol;

import io.millrace.api.Durability;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.RowResult;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import java.util.List;
import java.util.Optional;

/** Calls on users' tables, whose keys and values are bytes; see {@link io.millrace.api.Table}. */
public interface TableCalls {

  /** A call that puts rows. */
  record PutRows(String table, List<TableRow<byte[], byte[]>> rows, Optional<Durability> durability)
      implements Call<PutRows.Answer> {
    public record Answer() {}
  }

  /** A call that deletes rows, and tells which were there. */
  record DeleteRows(String table, List<byte[]> keys, Optional<Durability> durability)
      implements Call<DeleteRows.Answer> {
    public record Answer(List<Boolean> found) {}
  }

  /** A call that puts a row if there is none of its key. */
  record PutRowIfAbsent(String table, byte[] key, byte[] value, Optional<Durability> durability)
      implements Call<PutRowIfAbsent.Answer> {
    public record Answer(RowResult<byte[]> result) {}
  }

  /** A call that replaces a row that has the expected value. */
  record ReplaceRow(
      String table, byte[] key, byte[] expected, byte[] value, Optional<Durability> durability)
      implements Call<ReplaceRow.Answer> {
    public record Answer(RowResult<byte[]> result) {}
  }

  /** A call that deletes a row that has the expected value. */
  record DeleteRowIf(String table, byte[] key, byte[] expected, Optional<Durability> durability)
      implements Call<DeleteRowIf.Answer> {
    public record Answer(RowResult<byte[]> result) {}
  }

  /** A call that removes a table with all of its rows. */
  record DropTable(String table, Optional<Durability> durability)
      implements Call<DropTable.Answer> {
    public record Answer(boolean found) {}
  }

  /** A call that reads rows by their keys. */
  record GetRows(String table, List<byte[]> keys) implements Call<GetRows.Answer> {

    /** A row that was asked for; empty if it is not there. */
    public record Found(Optional<byte[]> value) {}

    public record Answer(List<Found> rows) {}
  }

  /** A call that reads rows in the order of their keys. */
  record ScanRows(String table, TableRange<byte[]> range, PageRequest page)
      implements Call<ScanRows.Answer> {
    public record Answer(Page<TableRow<byte[], byte[]>> rows) {}
  }

  /** A call that counts rows. */
  record CountRows(String table, TableRange<byte[]> range) implements Call<CountRows.Answer> {
    public record Answer(long count) {}
  }

  /** A call that lists the tables. */
  record Tables(PageRequest page) implements Call<Tables.Answer> {
    public record Answer(Page<String> names) {}
  }
}
