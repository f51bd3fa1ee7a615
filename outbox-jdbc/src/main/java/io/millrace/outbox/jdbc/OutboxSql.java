package io.millrace.outbox.jdbc;

import io.millrace.api.QueueName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The statements on the rows of one outbox. Any thread; each call uses the connection that it is
 * given, and leaves the transaction to whoever calls.
 *
 * <p>Nothing is locked while a row is read, and no row is taken for later than another by its id:
 * each look at the table begins with the first row that is there.
 */
final class OutboxSql {

  static final int FAILURE_LENGTH_MAX = 1_000;

  /** The most ids that one statement names; a database has a limit of its own. */
  static final int IDS_MAX = 500;

  private final String table;
  private final String name;

  /**
   * The beginning of a row, enough to choose by.
   *
   * @param id the text of its id
   * @param payloadBytes the length of its payload
   */
  record Head(String id, int payloadBytes) {}

  OutboxSql(String table, String name) {
    this.table = table;
    this.name = name;
  }

  /** Inserts rows. */
  void insert(Connection connection, List<OutboxRow> rows) throws SQLException {
    String sql =
        "INSERT INTO "
            + table
            + " (outbox, id, queue, tenant, options, payload, payload_bytes, created_ms)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (OutboxRow row : rows) {
        statement.setString(1, name);
        statement.setString(2, row.id());
        statement.setString(3, row.queue());
        statement.setString(4, row.tenant());
        statement.setBytes(5, row.options());
        // As a stream, for H2 takes no array of more than a megabyte.
        statement.setBinaryStream(6, new ByteArrayInputStream(row.payload()), row.payload().length);
        statement.setInt(7, row.payload().length);
        statement.setLong(8, row.createdMs());
        if (rows.size() == 1) {
          statement.executeUpdate();
          return;
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Returns the first rows that may be relayed, but none of those queues. */
  List<Head> heads(Connection connection, Collection<QueueName> without, int limit)
      throws SQLException {
    String sql =
        "SELECT id, payload_bytes FROM "
            + table
            + " WHERE outbox = ? AND failure IS NULL"
            + " AND NOT (queue = ? AND tenant = ?)".repeat(without.size())
            + " ORDER BY id LIMIT "
            + limit;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      int parameter = 2;
      for (QueueName queue : without) {
        statement.setString(parameter++, queue.name());
        statement.setString(parameter++, queue.tenant());
      }
      List<Head> heads = new ArrayList<>();
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          heads.add(new Head(found.getString(1), found.getInt(2)));
        }
      }
      return heads;
    }
  }

  /** Returns those of the rows that are there, in the order of their ids. */
  List<OutboxRow> rows(Connection connection, List<String> ids) throws SQLException {
    List<OutboxRow> rows = new ArrayList<>(ids.size());
    for (List<String> some : parts(ids)) {
      String sql =
          "SELECT id, queue, tenant, options, payload, created_ms FROM "
              + table
              + where(some.size())
              + " ORDER BY id";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        fill(statement, 1, some);
        try (ResultSet found = statement.executeQuery()) {
          while (found.next()) {
            rows.add(
                new OutboxRow(
                    found.getString(1),
                    found.getString(2),
                    found.getString(3),
                    bytes(found, 4),
                    bytes(found, 5),
                    found.getLong(6)));
          }
        }
      }
    }
    return rows;
  }

  private static byte[] bytes(ResultSet found, int column) throws SQLException {
    try (InputStream stream = found.getBinaryStream(column)) {
      return stream == null ? new byte[0] : stream.readAllBytes();
    } catch (IOException e) {
      throw new SQLException("a row of the outbox cannot be read", e);
    }
  }

  /** Returns the ids of those of the rows that are there. */
  Set<String> existing(Connection connection, List<String> ids) throws SQLException {
    Set<String> existing = new HashSet<>();
    for (List<String> some : parts(ids)) {
      String sql = "SELECT id FROM " + table + where(some.size());
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        fill(statement, 1, some);
        try (ResultSet found = statement.executeQuery()) {
          while (found.next()) {
            existing.add(found.getString(1));
          }
        }
      }
    }
    return existing;
  }

  /** Deletes those of the rows that are there. */
  void delete(Connection connection, List<String> ids) throws SQLException {
    for (List<String> some : parts(ids)) {
      String sql = "DELETE FROM " + table + where(some.size());
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        fill(statement, 1, some);
        statement.executeUpdate();
      }
    }
  }

  /** Sets rows aside, each with its reason. */
  void fail(Connection connection, Map<String, String> reasons) throws SQLException {
    String sql = "UPDATE " + table + " SET failure = ?" + where(1);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Map.Entry<String, String> each : reasons.entrySet()) {
        statement.setString(1, shortened(each.getValue()));
        fill(statement, 2, List.of(each.getKey()));
        statement.executeUpdate();
      }
    }
  }

  /** Returns what any database can hold of the text. */
  private static String shortened(String reason) {
    String ascii = reason.replaceAll("[^\\x20-\\x7e]", "?");
    return ascii.length() <= FAILURE_LENGTH_MAX ? ascii : ascii.substring(0, FAILURE_LENGTH_MAX);
  }

  /** Lets the relay try the rows again that were set aside. Returns how many there are. */
  int retryFailed(Connection connection) throws SQLException {
    String sql = "UPDATE " + table + " SET failure = NULL WHERE outbox = ? AND failure IS NOT NULL";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      return statement.executeUpdate();
    }
  }

  /** Counts the rows. */
  OutboxCounts counts(Connection connection, long nowMs) throws SQLException {
    String sql =
        "SELECT COUNT(*), COUNT(failure), MIN(CASE WHEN failure IS NULL THEN created_ms END) FROM "
            + table
            + " WHERE outbox = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        return OutboxCounts.of(found.getLong(1), found.getLong(2), found.getLong(3), nowMs);
      }
    }
  }

  private static List<List<String>> parts(List<String> ids) {
    List<List<String>> parts = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += IDS_MAX) {
      parts.add(ids.subList(from, Math.min(from + IDS_MAX, ids.size())));
    }
    return parts;
  }

  /** Returns a condition with at least that many ids; one of few, which a database can keep. */
  private static String where(int count) {
    return " WHERE outbox = ? AND id IN (?" + ", ?".repeat(places(count) - 1) + ")";
  }

  private static int places(int count) {
    return count <= 1 ? 1 : Math.min(Integer.highestOneBit(count - 1) << 1, IDS_MAX);
  }

  private void fill(PreparedStatement statement, int first, List<String> ids) throws SQLException {
    statement.setString(first, name);
    int places = places(ids.size());
    for (int i = 0; i < places; i++) {
      statement.setString(first + 1 + i, ids.get(Math.min(i, ids.size() - 1)));
    }
  }
}
