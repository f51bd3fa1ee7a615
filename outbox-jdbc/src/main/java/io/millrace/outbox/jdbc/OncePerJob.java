package io.millrace.outbox.jdbc;

import io.millrace.MillraceException;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import io.millrace.options.Checks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Effects in the user's SQL database that happen once for each job, however often the job is tried.
 * A row with the job's id is inserted in the same transaction as the effects: if it is there
 * already, they have happened.
 *
 * <pre>{@code
 * OncePerJob once = OncePerJob.on(dataSource, engine);
 *
 * worker.handle(PAYMENT, (payment, job) ->
 *     once.run(job.jobId(), connection -> book(connection, payment)));
 * }</pre>
 *
 * <p>Any thread may use it. It is immutable and holds no connection.
 *
 * <p><b>What holds.</b> Effects of the work in this transaction are committed once for a job: after
 * crashes, for attempts whose lease ran out and that go on all the same, and if an attempt ends
 * between the commit and the completion of its job. An attempt that comes while another is in its
 * transaction waits for that one's end. What the work does elsewhere is not covered. Rows are for
 * good, unless they are {@linkplain #forget forgotten}.
 */
public final class OncePerJob {

  /** The name of the table unless another is set. */
  public static final String TABLE_DEFAULT = "millrace_processed";

  private final DataSource dataSource;
  private final JobQueues queues;
  private final String table;
  private final InstantSource clock;

  private OncePerJob(DataSource dataSource, JobQueues queues, String table, InstantSource clock) {
    this.dataSource = dataSource;
    this.queues = queues;
    this.table = table;
    this.clock = clock;
  }

  /**
   * Returns the effects of jobs of these queues, by the table {@value #TABLE_DEFAULT}. Ids of jobs
   * are those of one store, so rows are told apart by an id of the store, too.
   */
  public static OncePerJob on(DataSource dataSource, JobQueues queues) {
    Objects.requireNonNull(dataSource, "dataSource");
    Objects.requireNonNull(queues, "queues");
    return new OncePerJob(dataSource, queues, TABLE_DEFAULT, InstantSource.system());
  }

  /**
   * Returns the same with another table.
   *
   * @param value as for {@link JdbcOutbox#table}
   * @throws IllegalArgumentException the name is none of this kind
   */
  public OncePerJob table(String value) {
    return new OncePerJob(dataSource, queues, SqlNames.table(value), clock);
  }

  /** Returns the SQL that creates the table, with a semicolon at its end. */
  public String ddl(Dialect dialect) {
    return Dialect.script(List.of(dialect.processedTable(table)));
  }

  /**
   * Creates the table if it is not there. Commits nothing; MySQL commits by itself.
   *
   * @throws IllegalArgumentException the dialect of the database is not known
   * @throws SQLException the database refuses it
   */
  public void createTable(Connection connection) throws SQLException {
    createTable(connection, Dialect.of(connection));
  }

  /**
   * Creates the table if it is not there, by this dialect; see {@link #createTable(Connection)}.
   *
   * @throws SQLException the database refuses it
   */
  public void createTable(Connection connection, Dialect dialect) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(dialect.processedTable(table));
    }
  }

  /**
   * Does the work and commits it, unless that has been done for the job before. The connection is
   * one of the data source, in a transaction of its own, which ends here.
   *
   * @return whether the work was done by this call; false if it had been done before
   * @throws SQLException the database fails. Nothing happened, or, if the commit itself failed,
   *     perhaps all of it; in both cases the job is to be tried again, and the next attempt finds
   *     out
   * @throws E what the work throws; nothing happened
   * @throws MillraceException the store does not tell its id; nothing happened
   */
  public <E extends Exception> boolean run(JobId job, DatabaseWork<E> work) throws SQLException, E {
    UUID engine = Notes.engineId(queues, UUID::randomUUID);
    try (Connection connection = dataSource.getConnection()) {
      boolean wasAutoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      boolean isDone = false;
      try {
        if (insert(connection, engine, job)) {
          work.run(connection);
          connection.commit();
          isDone = true;
        }
        return isDone;
      } finally {
        if (isDone || isRolledBack(connection)) { // else the change of mode would commit
          restore(connection, wasAutoCommit);
        }
      }
    }
  }

  /** Inserts the row of the job. Returns whether there was none. */
  private boolean insert(Connection connection, UUID engine, JobId job) throws SQLException {
    String sql = "INSERT INTO " + table + " (engine, job_id, done_ms) VALUES (?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, engine.toString());
      statement.setString(2, job.toString());
      statement.setLong(3, clock.millis());
      statement.executeUpdate();
      return true;
    } catch (SQLException e) {
      if (Ownership.isConflict(e)) {
        return false;
      }
      throw e;
    }
  }

  private static boolean isRolledBack(Connection connection) {
    try {
      connection.rollback();
      return true;
    } catch (SQLException e) {
      return false; // the connection is broken, so that the database rolls back by itself
    }
  }

  private static void restore(Connection connection, boolean isAutoCommit) {
    try {
      connection.setAutoCommit(isAutoCommit);
    } catch (SQLException e) {
      // The connection is broken, and its pool will find out.
    }
  }

  /**
   * Forgets the jobs whose work was done longer ago than this. An attempt that has been held up for
   * that long would do its work once more, so let it be more than a job can take from its first
   * start to its end: days.
   *
   * @param age zero to {@link Limits#DELAY_MAX}
   * @return how many were forgotten
   * @throws IllegalArgumentException the age is out of this range
   * @throws SQLException the database fails
   * @throws MillraceException the store does not tell its id
   */
  public int forget(Duration age) throws SQLException {
    Checks.upTo("age", age, Limits.DELAY_MAX);
    UUID engine = Notes.engineId(queues, UUID::randomUUID);
    String sql = "DELETE FROM " + table + " WHERE engine = ? AND done_ms < ?";
    return new Connections(dataSource, 0)
        .with(
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, engine.toString());
                statement.setLong(2, clock.millis() - age.toMillis());
                return statement.executeUpdate();
              }
            });
  }

  /** Returns the name of the table. */
  @Override
  public String toString() {
    return table;
  }
}
