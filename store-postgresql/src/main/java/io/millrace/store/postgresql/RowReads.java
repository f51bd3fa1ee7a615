package io.millrace.store.postgresql;

import io.millrace.spi.ReadView.RowVisitor;
import io.millrace.spi.ScanSize;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads of rows, each in one round trip, together with the guard as it is in the same moment. */
final class RowReads {

  /** The most rows that are fetched at a time. */
  private static final int PAGE_ROWS_MOST = 1_024;

  /** The least rows of a page after the first, which was not enough. */
  private static final int PAGE_ROWS_NEXT = 64;

  private static final int PAGE_GROWTH = 4;

  /** The bytes of values beyond which a page has no further row. */
  static final long PAGE_BYTES = 4L << 20;

  private RowReads() {}

  /** A read on a connection that the caller of it has chosen. */
  @FunctionalInterface
  interface Read<T> {
    T on(Connection connection, GuardCheck check) throws SQLException;
  }

  /** Check of where the guard was when the rows were read. */
  @FunctionalInterface
  interface GuardCheck {
    void check(long epoch, long n);
  }

  /** A way to the connection of a view, which may be another at each call. */
  @FunctionalInterface
  interface Way {
    <T> T read(Read<T> read);
  }

  private record Row(byte[] key, byte[] value) {}

  static List<byte @Nullable []> getAll(
      Connection connection, Sql sql, List<byte[]> keys, GuardCheck check) throws SQLException {
    Map<ByteBuffer, byte[]> found = new HashMap<>();
    try (PreparedStatement statement = Statements.prepare(connection, sql.get())) {
      Statements.setBytes(statement, 1, keys.toArray(byte[][]::new));
      try (ResultSet rows = statement.executeQuery()) {
        for (Row row : read(rows, check)) {
          found.put(ByteBuffer.wrap(row.key), row.value);
        }
      }
    }
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      byte[] value = found.get(ByteBuffer.wrap(key));
      // A key may be asked for twice, and what is handed out belongs to the caller.
      values.add(value == null ? null : value.clone());
    }
    return values;
  }

  /** Visits the rows of a range, page by page, each larger than the one before. */
  static int scan(Way way, Sql sql, Range range, ScanSize size, RowVisitor visitor) {
    int visited = 0;
    int wanted = Math.min(size.likely(), PAGE_ROWS_MOST);
    Range left = range;
    while (!left.isEmpty() && visited < size.most()) {
      int limit = Math.min(wanted, size.most() - visited);
      Range asked = left;
      List<Row> page = way.read((connection, check) -> page(connection, sql, asked, limit, check));
      long bytes = 0;
      for (Row row : page) {
        bytes += row.value.length;
        visited++;
        if (!visitor.visit(row.key, row.value)) {
          return visited;
        }
        left = left.after(row.key);
      }
      if (page.size() < limit && bytes < PAGE_BYTES) {
        return visited;
      }
      wanted = Math.min(PAGE_ROWS_MOST, Math.max(PAGE_ROWS_NEXT, PAGE_GROWTH * wanted));
    }
    return visited;
  }

  /** The keys that a scan has before it. */
  record Range(byte[] startInclusive, byte[] endExclusive) {

    Range {
      if (Arrays.compareUnsigned(startInclusive, endExclusive) > 0) {
        throw new IllegalArgumentException("end of the scan is below its start");
      }
    }

    boolean isEmpty() {
      return Arrays.compareUnsigned(startInclusive, endExclusive) >= 0;
    }

    /** Returns what is left behind the key. */
    Range after(byte[] key) {
      byte[] next = Arrays.copyOf(key, key.length + 1);
      return Arrays.compareUnsigned(next, endExclusive) > 0
          ? new Range(endExclusive, endExclusive)
          : new Range(next, endExclusive);
    }
  }

  private static List<Row> page(
      Connection connection, Sql sql, Range range, int limit, GuardCheck check)
      throws SQLException {
    try (PreparedStatement statement = Statements.prepare(connection, sql.scan())) {
      statement.setBytes(1, range.startInclusive);
      statement.setBytes(2, range.endExclusive);
      statement.setLong(3, limit);
      statement.setLong(4, PAGE_BYTES);
      try (ResultSet rows = statement.executeQuery()) {
        return read(rows, check);
      }
    }
  }

  /** Reads the rows of a result, whose first tells where the guard is even if there are none. */
  private static List<Row> read(ResultSet result, GuardCheck check) throws SQLException {
    List<Row> rows = new ArrayList<>();
    boolean isChecked = false;
    while (result.next()) {
      if (!isChecked) {
        check.check(result.getLong(1), result.getLong(2));
        isChecked = true;
      }
      byte[] key = result.getBytes(3);
      if (key != null) {
        rows.add(new Row(key, result.getBytes(4)));
      }
    }
    return rows;
  }
}
