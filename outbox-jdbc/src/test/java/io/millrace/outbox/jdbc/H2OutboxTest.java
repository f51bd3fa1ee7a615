package io.millrace.outbox.jdbc;

import javax.sql.DataSource;

/** Outboxes in H2, in memory. */
class H2OutboxTest extends OutboxContract {

  @Override
  DataSource newSource() {
    return OutboxRig.newDatabase();
  }
}
