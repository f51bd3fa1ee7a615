package io.millrace.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The connections on which each statement is a transaction of its own. One is taken for each piece
 * of work and given back as it was. Any thread.
 */
final class Connections {

  private final DataSource dataSource;
  private final int timeoutMs;

  /** A piece of work with a connection. */
  @FunctionalInterface
  interface Work<R> {
    R run(Connection connection) throws SQLException;
  }

  /**
   * Creates the connections.
   *
   * @param timeoutMs how long to wait for an answer of the database; without an end if zero
   */
  Connections(DataSource dataSource, int timeoutMs) {
    this.dataSource = dataSource;
    this.timeoutMs = timeoutMs;
  }

  <R> R with(Work<R> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      boolean wasAutoCommit = connection.getAutoCommit();
      if (!wasAutoCommit) {
        connection.setAutoCommit(true);
      }
      int oldTimeoutMs = limit(connection);
      R result = work.run(connection);
      if (oldTimeoutMs >= 0) {
        connection.setNetworkTimeout(Runnable::run, oldTimeoutMs);
      }
      if (!wasAutoCommit) {
        connection.setAutoCommit(false);
      }
      return result;
    }
  }

  /** Sets the time to wait for answers. Returns the one before; -1 if it is not to be set. */
  private int limit(Connection connection) {
    if (timeoutMs == 0) {
      return -1;
    }
    try {
      int before = connection.getNetworkTimeout();
      if (before == 0 || before > timeoutMs) {
        connection.setNetworkTimeout(Runnable::run, timeoutMs);
        return before;
      }
    } catch (SQLException | AbstractMethodError e) {
      return -1; // the driver has no such thing: H2 in this process needs none
    }
    return -1;
  }
}
