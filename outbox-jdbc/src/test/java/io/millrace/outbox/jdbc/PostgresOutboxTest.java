package io.millrace.outbox.jdbc;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/** Outboxes in PostgreSQL. */
@Tag("slow")
class PostgresOutboxTest extends OutboxContract {

  @Override
  DataSource newSource() throws SQLException {
    return PostgresSchemas.newSchema();
  }
}
