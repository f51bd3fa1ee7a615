package io.millrace.store.postgresql;

import io.millrace.spi.StoreCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The guard row as it was at a moment.
 *
 * @param epoch the newest opening
 * @param n the newest batch
 * @param synced the newest batch that was asked to be durable
 * @param bytes what all rows take
 */
record Guard(long epoch, long n, long synced, long bytes) {

  static Guard read(Connection connection, Sql sql) throws SQLException {
    try (PreparedStatement statement = Statements.prepare(connection, sql.guard());
        ResultSet row = statement.executeQuery()) {
      return of(row);
    }
  }

  /** Reads the one row of a result. */
  static Guard of(ResultSet row) throws SQLException {
    if (!row.next()) {
      throw new StoreCorruptException("the row that guards the store is gone");
    }
    return new Guard(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
  }
}
