package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.outbox.jdbc.Dialect;
import io.millrace.outbox.jdbc.JdbcOutbox;
import io.millrace.outbox.jdbc.OncePerJob;
import io.millrace.outbox.jdbc.OutboxRelay;
import io.millrace.outbox.jdbc.RelayFigures;
import io.millrace.worker.Worker;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * The example of docs/outbox.md: a shop whose orders are in a database. Each order is shipped by a
 * job, which is enqueued by the transaction of the order, and books it there once.
 */
final class OutboxShop {

  private static final JobType<String> SHIP = JobType.of("ship", Codec.TEXT);

  private final DataSource dataSource;
  private final JobQueues engine;
  private final JdbcOutbox outbox;

  OutboxShop(DataSource dataSource, JobQueues engine) throws SQLException {
    this.dataSource = dataSource;
    this.engine = engine;
    outbox = JdbcOutbox.on(dataSource);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      outbox.createTable(connection);
      OncePerJob.on(dataSource, engine).createTable(connection);
      statement.execute("CREATE TABLE orders (name VARCHAR(50), shipped INTEGER)");
    }
  }

  /** Runs the example, on a database in memory. */
  static void run(JobQueues queues, Consumer<String> log) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    new OutboxShop(database, queues).run(log);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
  }

  private void run(Consumer<String> log) throws Exception {
    CountDownLatch shipped = new CountDownLatch(2);
    try (OutboxRelay relay = relay()) {
      Worker worker = work(shipped);
      order("boots", relay);
      try {
        order("", relay);
      } catch (IllegalArgumentException e) {
        log.accept("rolled back: " + e.getMessage());
      }
      order("hat", relay);
      shipped.await();
      worker.close();
      watch(relay, log);
    }
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT name, shipped FROM orders ORDER BY name")) {
      while (rows.next()) {
        log.accept(rows.getString(1) + ": " + rows.getInt(2));
      }
    }
  }

  private OutboxRelay relay() {
    // region outbox-relay
    OutboxRelay relay = // close it before the engine
        outbox.relay(engine, options -> options.pollEvery(Duration.ofMillis(500)));
    // endregion
    return relay;
  }

  private void order(String name, OutboxRelay relay) throws SQLException {
    // region outbox-order
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      insertOrder(connection, name);
      outbox.enqueue(connection, SHIP, name, options -> options.maxAttempts(9));
      check(name); // throws: no order, and no job
      connection.commit(); // an order, and a job for it
    }
    relay.relayNow(); // not to wait for the next look at the table
    // endregion
  }

  private Worker work(CountDownLatch shipped) {
    // region outbox-once
    OncePerJob once = OncePerJob.on(dataSource, engine);

    Worker worker =
        Worker.on(engine)
            .handle(
                SHIP,
                (name, job) -> {
                  once.run(job.jobId(), connection -> markShipped(connection, name));
                  shipped.countDown();
                })
            .start();
    // endregion
    return worker;
  }

  private void watch(OutboxRelay relay, Consumer<String> print) throws SQLException {
    // region outbox-watch
    RelayFigures figures = relay.figures();
    print.accept(figures.state() + ", " + figures.trouble().orElse("all is well"));
    print.accept(outbox.counts().waiting() + " waiting, " + outbox.counts().failed() + " failed");
    // endregion
  }

  static String ddl(JdbcOutbox outbox) {
    // region outbox-ddl
    String sql = outbox.ddl(Dialect.POSTGRESQL); // for Flyway, Liquibase, psql
    // endregion
    return sql;
  }

  private static void check(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an order of nothing");
    }
  }

  private static void insertOrder(Connection connection, String name) throws SQLException {
    change(connection, "INSERT INTO orders VALUES (?, 0)", name);
  }

  private static void markShipped(Connection connection, String name) throws SQLException {
    change(connection, "UPDATE orders SET shipped = shipped + 1 WHERE name = ?", name);
  }

  private static void change(Connection connection, String sql, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      statement.executeUpdate();
    }
  }
}
