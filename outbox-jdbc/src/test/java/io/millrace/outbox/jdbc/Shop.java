package io.millrace.outbox.jdbc;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * A shop that takes orders in a database and ships them by jobs. Each order has a row in {@code
 * orders}, written in the transaction of the outbox, and once it was shipped a row in {@code
 * shipped}. The engine has a table of which jobs ran for which order.
 */
final class Shop {

  static final JobType<String> SHIP =
      JobType.of("ship", Codec.TEXT).defaults(options -> options.maxAttempts(1_000));

  final DataSource source;
  final JdbcOutbox outbox;
  private final JobQueues queues;
  private final OncePerJob once;
  private final Table<String, String> ran;

  Shop(DataSource source, JobQueues queues) {
    this.source = source;
    this.queues = queues;
    outbox = JdbcOutbox.on(source).named("shop");
    once = OncePerJob.on(source, queues);
    ran = queues.table("ran", Codec.TEXT, Codec.TEXT);
  }

  /** Returns the database that the words describe: "h2 URL" or "postgres PORT SCHEMA". */
  static DataSource database(List<String> words) {
    if (words.get(0).equals("h2")) {
      JdbcDataSource source = new JdbcDataSource();
      source.setURL(words.get(1));
      source.setUser("sa");
      return source;
    }
    return PostgresSchemas.dataSource(Integer.parseInt(words.get(1)), words.get(2));
  }

  void createTables() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      outbox.createTable(connection);
      once.createTable(connection);
      statement.execute("CREATE TABLE IF NOT EXISTS orders (id VARCHAR(36) PRIMARY KEY)");
      statement.execute("CREATE TABLE IF NOT EXISTS shipped (id VARCHAR(36))");
    }
  }

  /** Takes orders, of which some are rolled back and some commit late. */
  void takeOrders(Random random, OutboxRelay relay) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      while (true) {
        for (int i = random.nextInt(3); i >= 0; i--) {
          String order = new UUID(random.nextLong(), random.nextLong()).toString();
          insert(connection, "orders", order);
          outbox.enqueue(connection, SHIP, order);
        }
        if (random.nextInt(4) == 0) {
          LockSupport.parkNanos(random.nextInt(20_000_000));
        }
        if (random.nextInt(4) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          relay.relayNow();
        }
      }
    }
  }

  private static void insert(Connection connection, String table, String id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO " + table + " (id) VALUES (?)")) {
      statement.setString(1, id);
      statement.executeUpdate();
    }
  }

  /** Ships what there is to ship within the time. Returns how many jobs that were. */
  int ship(Duration waiting) throws SQLException {
    int count = 0;
    ClaimOptions next =
        ClaimOptions.by("shop").max(10).leaseDuration(Duration.ofSeconds(2)).waiting(waiting);
    for (Lease lease : queues.queue("ship").claim(next)) {
      String order = lease.payload(SHIP);
      once.run(lease.jobId(), connection -> insert(connection, "shipped", order));
      queues
          .inTransaction(
              transaction -> {
                transaction.put(ran, order + "/" + lease.jobId(), "");
                transaction.complete(lease);
              })
          .isDone(); // if the lease ran out, somebody else has it
      count++;
    }
    return count;
  }

  /** Returns the orders for which jobs were completed, one item for each job. */
  List<String> ordersOfJobs() {
    return Page.stream(page -> ran.scan(TableRange.<String>all(), page))
        .map(TableRow::key)
        .map(key -> key.substring(0, key.indexOf('/')))
        .toList();
  }

  List<String> ids(String table) throws SQLException {
    List<String> ids = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT id FROM " + table)) {
      while (found.next()) {
        ids.add(found.getString(1));
      }
    }
    return ids;
  }

  /** Returns whether nothing is left to relay or to ship. */
  boolean isIdle() throws SQLException {
    Optional<QueueStats> stats = queues.stats(QueueName.of("ship"));
    long jobs =
        stats.map(it -> it.counts().values().stream().mapToLong(Long::longValue).sum()).orElse(0L);
    return outbox.counts().waiting() == 0 && jobs == 0;
  }
}
