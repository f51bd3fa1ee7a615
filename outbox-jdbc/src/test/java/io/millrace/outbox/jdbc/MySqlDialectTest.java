package io.millrace.outbox.jdbc;

import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Outboxes by the dialect of MySQL, as far as H2 speaks it. */
class MySqlDialectTest extends OutboxContract {

  @Override
  DataSource newSource() {
    return OutboxRig.h2(
        "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;MODE=MySQL;DATABASE_TO_LOWER=TRUE"
            .formatted(UUID.randomUUID()));
  }

  @Override
  Optional<Dialect> dialect() {
    return Optional.of(Dialect.MYSQL);
  }
}
