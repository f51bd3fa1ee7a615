package io.millrace.outbox.jdbc;

import io.millrace.spi.testkit.fault.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** Schemas of a PostgreSQL server for the tests of one JVM. */
final class PostgresSchemas {

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private PostgresSchemas() {}

  /** The server, once a test has wanted it. */
  private static final class Holder {
    // The machine does not lose power here, only clients are killed.
    private static final PostgresServer SERVER = PostgresServer.started("fsync=off");
  }

  /** Returns a new, empty schema. Skips the test where there can be no server. */
  static PGSimpleDataSource newSchema() throws SQLException {
    String schema = "s" + SCHEMAS.incrementAndGet();
    PGSimpleDataSource source = dataSource(Holder.SERVER.port(), schema);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
    }
    return source;
  }

  static PGSimpleDataSource dataSource(int port, String schema) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {port});
    source.setDatabaseName(PostgresServer.DATABASE);
    source.setUser(PostgresServer.USER);
    source.setCurrentSchema(schema);
    return source;
  }
}
