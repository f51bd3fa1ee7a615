package io.millrace.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Page;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** The parts that tests of outboxes share. */
final class OutboxRig {

  static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private OutboxRig() {}

  /** Returns a new database in memory, which is there until the JVM ends. */
  static DataSource newDatabase() {
    return h2("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
  }

  static JdbcDataSource h2(String url) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(url);
    source.setUser("sa");
    return source;
  }

  /** Returns an outbox whose tables are there. */
  static JdbcOutbox outbox(DataSource source) throws SQLException {
    JdbcOutbox outbox = JdbcOutbox.on(source);
    try (Connection connection = source.getConnection()) {
      outbox.createTable(connection);
    }
    return outbox;
  }

  /** Returns looks at the table, to be taken one by one. */
  static RelayRound round(
      JdbcOutbox outbox, JobQueues queues, UnaryOperator<RelayOptions> options) {
    RelayOptions chosen = RelayOptions.DEFAULT.changed(options);
    return new RelayRound(outbox.parts(queues, chosen), chosen, () -> false);
  }

  static RelayRound round(JdbcOutbox outbox, JobQueues queues) {
    return round(outbox, queues, UnaryOperator.identity());
  }

  static Connection begin(DataSource source) throws SQLException {
    Connection connection = source.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** Writes a row for a mail of this text, and commits it. */
  static UUID write(DataSource source, JdbcOutbox outbox, String text) throws SQLException {
    return write(source, outbox, MAIL, text);
  }

  static UUID write(DataSource source, JdbcOutbox outbox, JobType<String> type, String text)
      throws SQLException {
    try (Connection connection = begin(source)) {
      UUID id = outbox.enqueue(connection, type, text);
      connection.commit();
      return id;
    }
  }

  static void sql(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the payloads of all jobs that are there, in no order. */
  static List<String> payloads(JobQueues queues) {
    return jobs(queues).stream()
        .map(job -> new String(job.payload(), StandardCharsets.UTF_8))
        .toList();
  }

  static List<Job> jobs(JobQueues queues) {
    return Page.stream(page -> queues.list(JobFilter.ALL, page)).toList();
  }

  /** Waits until the condition holds. */
  static void await(BooleanSupplier condition) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for too long").isLessThan(endNs);
      LockSupport.parkNanos(2_000_000);
    }
  }
}
