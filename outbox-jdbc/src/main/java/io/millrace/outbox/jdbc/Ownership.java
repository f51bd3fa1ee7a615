package io.millrace.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The row in the user's database that says which engine an outbox is relayed into. Notes of what
 * was relayed are in the engine, and no other engine knows them: a second one would enqueue again
 * what the first one has enqueued and not deleted yet.
 */
final class Ownership {

  /** The class of SQL states for a row that is there already. */
  static final String INTEGRITY_STATE = "23";

  private final String table;
  private final String name;

  /** Thrown when the outbox is relayed into another engine. */
  static final class ForeignOutboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForeignOutboxException(String message) {
      super(message);
    }
  }

  Ownership(String outboxTable, String name) {
    this.table = table(outboxTable);
    this.name = name;
  }

  static String table(String outboxTable) {
    return outboxTable + "_owner";
  }

  /**
   * Makes the engine the owner if the outbox has none.
   *
   * @throws ForeignOutboxException another one is
   */
  void check(Connection connection, UUID engine) throws SQLException {
    String found = find(connection);
    if (found == null) {
      try {
        insert(connection, engine);
        return;
      } catch (SQLException e) {
        if (!isConflict(e)) {
          throw e;
        }
        found = find(connection);
      }
    }
    if (!engine.toString().equals(found)) {
      throw new ForeignOutboxException(
          "outbox is relayed into another engine: outbox=\""
              + name
              + "\", engine="
              + found
              + ", this engine="
              + engine
              + "; give each engine an outbox of its own by JdbcOutbox.named, or call takeOver if"
              + " the other one is gone for good");
    }
  }

  /** Makes the engine the owner, whoever was. Returns who that was. */
  Optional<String> takeOver(Connection connection, UUID engine) throws SQLException {
    String found = find(connection);
    if (found == null) {
      insert(connection, engine);
      return Optional.empty();
    }
    String sql = "UPDATE " + table + " SET engine = ? WHERE outbox = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, engine.toString());
      statement.setString(2, name);
      statement.executeUpdate();
    }
    return Optional.of(found).filter(other -> !other.equals(engine.toString()));
  }

  private @Nullable String find(Connection connection) throws SQLException {
    String sql = "SELECT engine FROM " + table + " WHERE outbox = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      try (ResultSet found = statement.executeQuery()) {
        return found.next() ? found.getString(1) : null;
      }
    }
  }

  private void insert(Connection connection, UUID engine) throws SQLException {
    String sql = "INSERT INTO " + table + " (outbox, engine) VALUES (?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      statement.setString(2, engine.toString());
      statement.executeUpdate();
    }
  }

  /** Tells whether a row was not inserted because there is one with its key. */
  static boolean isConflict(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith(INTEGRITY_STATE);
  }
}
