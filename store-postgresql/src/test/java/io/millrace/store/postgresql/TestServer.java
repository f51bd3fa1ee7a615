package io.millrace.store.postgresql;

import io.millrace.spi.testkit.fault.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** The server that the tests of one JVM share, each with schemas of its own. */
final class TestServer {

  private static final AtomicInteger NAMES = new AtomicInteger();

  private TestServer() {}

  /** The server, once a test has wanted it. */
  private static final class Holder {
    private static final PostgresServer SERVER =
        PostgresServer.started("max_connections=300", "shared_buffers=32MB");
  }

  static int port() {
    return Holder.SERVER.port();
  }

  /** Returns a name that no other schema, database or user has. */
  static String newName() {
    return "t" + NAMES.incrementAndGet();
  }

  /** Returns the location, behind the kind of store, of a schema. */
  static String location(String schema) {
    return location(port(), schema);
  }

  static String location(int port, String schema) {
    return "//"
        + PostgresServer.USER
        + "@127.0.0.1:"
        + port
        + "/"
        + PostgresServer.DATABASE
        + "?reconnectSeconds=2&schema="
        + schema;
  }

  static Connection connect() throws SQLException {
    return connect(port());
  }

  static Connection connect(int port) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + PostgresServer.DATABASE,
        PostgresServer.USER,
        "");
  }

  /** Runs statements as the server's owner. */
  static void execute(String... statements) {
    execute(port(), statements);
  }

  static void execute(int port, String... statements) {
    try (Connection connection = connect(port);
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the number that a query finds. */
  static long number(String query) {
    return number(port(), query);
  }

  static long number(int port, String query) {
    try (Connection connection = connect(port);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
