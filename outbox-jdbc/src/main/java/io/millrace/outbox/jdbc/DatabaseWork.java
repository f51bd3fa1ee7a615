package io.millrace.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Work in a transaction of a database.
 *
 * @param <E> the exceptions that it throws besides those of the database
 */
@FunctionalInterface
public interface DatabaseWork<E extends Exception> {

  /**
   * Does the work. It must neither commit nor roll back nor close the connection.
   *
   * @throws SQLException the database fails; all is rolled back
   * @throws E as the work pleases; all is rolled back
   */
  void run(Connection connection) throws SQLException, E;
}
