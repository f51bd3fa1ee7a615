package io.millrace.store.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * A source of connections to one database. Each has auto-commit, and gives up an answer that does
 * not come in time.
 *
 * <p>Thread-safe.
 */
abstract class Connector {

  /** The longest that making a connection to one host may take. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  private final int answerTimeoutMs;

  private Connector(Duration answerTimeout) {
    this.answerTimeoutMs = Math.toIntExact(answerTimeout.toMillis());
  }

  /** Returns the source of connections that the driver makes. */
  static Connector ofDriver(PgLocation location, Duration answerTimeout) {
    Properties properties = location.driverProperties();
    setDefault(properties, PGProperty.CONNECT_TIMEOUT, CONNECT_TIMEOUT.toSeconds());
    setDefault(properties, PGProperty.APPLICATION_NAME, "millrace");
    // Also of the answers before a connection is there, such as that to a password.
    PGProperty.SOCKET_TIMEOUT.set(properties, Math.toIntExact(answerTimeout.toSeconds()));
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    // No named statements: the next transaction of a pooler may be on another server.
    PGProperty.PREPARE_THRESHOLD.set(properties, 0);
    return new OfDriver(location.url(), properties, answerTimeout);
  }

  private static void setDefault(Properties properties, PGProperty name, Object value) {
    properties.putIfAbsent(name.getName(), value.toString());
  }

  /** Returns the source of connections that the user's data source gives. */
  static Connector ofSource(DataSource source, Duration answerTimeout) {
    return new OfSource(source, answerTimeout);
  }

  /** Makes a connection, or takes one. It is closed by its own {@code close}, or aborted. */
  final Connection connect() throws SQLException {
    Connection connection = newConnection();
    try {
      connection.setAutoCommit(true);
      connection.setNetworkTimeout(Runnable::run, answerTimeoutMs);
      return connection;
    } catch (SQLException e) {
      abort(connection);
      throw e;
    }
  }

  /** Tells whether connections are kept by the source itself when they are closed. */
  abstract boolean isPool();

  abstract Connection newConnection() throws SQLException;

  /**
   * Ends a connection that is of no use any more, without waiting for it, and takes it out of the
   * pool that it comes from.
   */
  static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is gone already.
      return;
    }
  }

  /** Ends a connection that may be in use by others later. */
  static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      abort(connection);
    }
  }

  private static final class OfDriver extends Connector {

    private final Driver driver = new Driver();
    private final String url;
    private final Properties properties;

    OfDriver(String url, Properties properties, Duration answerTimeout) {
      super(answerTimeout);
      this.url = url;
      this.properties = properties;
    }

    @Override
    boolean isPool() {
      return false;
    }

    @Override
    Connection newConnection() throws SQLException {
      Connection connection = driver.connect(url, properties);
      if (connection == null) {
        throw new SQLException("the driver does not take the location");
      }
      return connection;
    }
  }

  private static final class OfSource extends Connector {

    private final DataSource source;

    OfSource(DataSource source, Duration answerTimeout) {
      super(answerTimeout);
      this.source = source;
    }

    @Override
    boolean isPool() {
      return true;
    }

    @Override
    Connection newConnection() throws SQLException {
      return source.getConnection();
    }
  }
}
