package io.millrace.store.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/** Statements that leave nothing behind on the server, so that any server can have the next. */
final class Statements {

  private Statements() {}

  /** Prepares a statement that has no name on the server, wherever its connection comes from. */
  static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    return nameless(connection.prepareStatement(sql));
  }

  /** Creates a statement that has no name on the server, wherever its connection comes from. */
  static Statement create(Connection connection) throws SQLException {
    return nameless(connection.createStatement());
  }

  private static <T extends Statement> T nameless(T statement) throws SQLException {
    try {
      if (statement.isWrapperFor(PGStatement.class)) {
        statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      }
      return statement;
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }

  /**
   * Runs a statement, or several, without parameters. Transactions are begun and ended by it: the
   * driver's own calls for that use statements with names.
   */
  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = create(connection)) {
      statement.execute(sql);
    }
  }

  /** Returns the result of the only one of several statements that has rows. */
  static @Nullable ResultSet result(Statement statement, String sql) throws SQLException {
    boolean isRows = statement.execute(sql);
    while (!isRows && statement.getUpdateCount() >= 0) {
      isRows = statement.getMoreResults();
    }
    return isRows ? statement.getResultSet() : null;
  }

  static void setBytes(PreparedStatement statement, int index, byte[][] values)
      throws SQLException {
    statement.setArray(index, statement.getConnection().createArrayOf("bytea", values));
  }
}
