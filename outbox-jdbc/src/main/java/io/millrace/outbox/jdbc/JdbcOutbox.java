package io.millrace.outbox.jdbc;

import io.millrace.MillraceException;
import io.millrace.api.CheckReturnValue;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.options.Checks;
import io.millrace.outbox.jdbc.RelayRound.Parts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * An outbox: a table in the user's SQL database whose rows are jobs to be enqueued. A row is
 * written in the user's own transaction, together with what the job is about. If that commits, a
 * relay enqueues the job, exactly once; if it is rolled back, there is no job.
 *
 * <pre>{@code
 * JdbcOutbox outbox = JdbcOutbox.on(dataSource);
 * try (OutboxRelay relay = outbox.relay(engine)) {
 *   try (Connection connection = dataSource.getConnection()) {
 *     connection.setAutoCommit(false);
 *     insertOrder(connection, order);
 *     outbox.enqueue(connection, SHIP, order);
 *     connection.commit();
 *   }
 *   relay.relayNow(); // a hint, so that it need not wait for the next look at the table
 * }
 * }</pre>
 *
 * <p>Any thread may use it. It is immutable and holds no connection. It needs JDBC alone; the
 * connection may be that of any framework's transaction.
 *
 * <p><b>What holds.</b> For each row that was committed there is exactly one enqueue, whoever is
 * killed at which moment, and also if power is lost: the job and a note of its row are one synced
 * commit of the engine, the row is deleted after that, and the note is removed when the row is gone
 * and some time has passed ({@link RelayOptions#rememberFor}). Any number of relays may be at work
 * for the outbox of one engine. Rows need not be committed in the order of their ids, and a
 * transaction may take as long as it likes.
 *
 * <p><b>What does not.</b> Delivery is in no strict order: rows of one outbox object that are there
 * at the same time are relayed in the order of their enqueues, and no others. The promise needs an
 * engine on a disk, and a database that keeps what it committed. Whoever restores a backup of
 * either goes back in one of the two: a store from before a relay has lost jobs whose rows are
 * gone, and a database from before a delete has rows again, which are known for as long as {@code
 * rememberFor}.
 *
 * <p><b>One outbox, one engine.</b> An outbox is a name in the table. The first engine that relays
 * it is its owner, by a row in a second table, and others are refused, for they do not know what
 * the first one has enqueued. Programs that have an engine each, and share the table, give each a
 * name of its own. Two databases that are relayed into one engine need two names, too.
 */
public final class JdbcOutbox {

  /** The name of the table unless another is set. */
  public static final String TABLE_DEFAULT = "millrace_outbox";

  /** The name of an outbox unless another is set. */
  public static final String NAME_DEFAULT = "default";

  /** The greatest length of the name of an outbox, in UTF-8 bytes. */
  public static final int NAME_LENGTH_MAX = 100;

  private final DataSource dataSource;
  private final String table;
  private final String name;
  private final RowIds ids;
  private final InstantSource clock;
  private final OutboxSql sql;

  JdbcOutbox(DataSource dataSource, String table, String name, RowIds ids, InstantSource clock) {
    this.dataSource = dataSource;
    this.table = table;
    this.name = name;
    this.ids = ids;
    this.clock = clock;
    sql = new OutboxSql(table, name);
  }

  /**
   * Returns the outbox of the name {@value #NAME_DEFAULT} in the table {@value #TABLE_DEFAULT}.
   *
   * @param dataSource gives the relay its connections, one at a time and only while it looks at the
   *     table; a pool, if possible. What it leads to must be the primary database, not a replica
   */
  public static JdbcOutbox on(DataSource dataSource) {
    Objects.requireNonNull(dataSource, "dataSource");
    InstantSource clock = InstantSource.system();
    return new JdbcOutbox(dataSource, TABLE_DEFAULT, NAME_DEFAULT, new RowIds(clock), clock);
  }

  /**
   * Returns the outbox of the same name in another table.
   *
   * @param value letters, digits and underlines of ASCII, at most 48, if need be with the name of a
   *     schema and a dot before it
   * @throws IllegalArgumentException the name is none of this kind
   */
  public JdbcOutbox table(String value) {
    return new JdbcOutbox(dataSource, SqlNames.table(value), name, ids, clock);
  }

  /**
   * Returns another outbox in the same table. Its rows are relayed by its own relays alone.
   *
   * @param value 1 to {@value #NAME_LENGTH_MAX} bytes of UTF-8
   * @throws IllegalArgumentException the name is out of this range, is not valid Unicode, or has
   *     the character U+0000
   */
  public JdbcOutbox named(String value) {
    Checks.text("name", value, 1, NAME_LENGTH_MAX);
    withoutNul("name", value);
    return new JdbcOutbox(dataSource, table, value, ids, clock);
  }

  /**
   * Returns the SQL that creates the tables, for whoever creates tables by other means: statements
   * that end with a semicolon.
   */
  public String ddl(Dialect dialect) {
    return Dialect.script(dialect.outboxTables(table));
  }

  /**
   * Creates the tables if they are not there, by the dialect of the database. Commits nothing;
   * MySQL commits by itself.
   *
   * @throws IllegalArgumentException the dialect is not known
   * @throws SQLException the database refuses it
   */
  public void createTable(Connection connection) throws SQLException {
    createTable(connection, Dialect.of(connection));
  }

  /**
   * Creates the tables if they are not there, by this dialect; see {@link
   * #createTable(Connection)}.
   *
   * @throws SQLException the database refuses it
   */
  public void createTable(Connection connection, Dialect dialect) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : dialect.outboxTables(table)) {
        statement.execute(each);
      }
    }
  }

  /**
   * Writes a row for a job of the type with the type's options; see {@link #enqueue(Connection,
   * QueueName, byte[], EnqueueOptions)}.
   *
   * @throws IllegalArgumentException the payload or an option is out of its range; no row was
   *     written
   * @throws IllegalStateException the connection is in auto-commit mode; no row was written
   * @throws SQLException the database refuses the row
   */
  public <T> UUID enqueue(Connection connection, JobType<T> type, T payload) throws SQLException {
    return enqueue(connection, type.queueName(), type.newJob(payload));
  }

  /**
   * Writes a row for a job of the type with the options that the function makes of the type's; see
   * {@link #enqueue(Connection, QueueName, byte[], EnqueueOptions)}.
   *
   * @throws IllegalArgumentException the payload or an option is out of its range; no row was
   *     written
   * @throws IllegalStateException the connection is in auto-commit mode; no row was written
   * @throws SQLException the database refuses the row
   */
  public <T> UUID enqueue(
      Connection connection, JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options)
      throws SQLException {
    return enqueue(connection, type.queueName(), type.newJob(payload, options));
  }

  /**
   * Writes a row for a job, in the transaction of the connection, which the caller ends. When it
   * has committed, a relay enqueues the job.
   *
   * <p>All options are kept, with these rules. A delay and a time to live begin now, by the clock
   * of this process, and not when the row is relayed. A unique key is looked at when the row is
   * relayed: if another job holds it then, there is no new one. A {@linkplain EnqueueOptions#batch
   * batch} is refused, for it may be over by then.
   *
   * @param payload at most {@value Limits#PAYLOAD_BYTES_MAX} bytes
   * @return the id of the row, by which {@link #jobOf} finds the job
   * @throws IllegalArgumentException the payload is longer, the options have a batch, or the name
   *     or tenant of the queue has the character U+0000, which PostgreSQL cannot store; no row was
   *     written
   * @throws IllegalStateException the connection is in auto-commit mode, in which the row would be
   *     committed apart from everything else; no row was written
   * @throws SQLException the database refuses the row; what becomes of the transaction then is the
   *     database's matter
   */
  public UUID enqueue(
      Connection connection, QueueName queue, byte[] payload, EnqueueOptions options)
      throws SQLException {
    return enqueue(connection, queue, new NewJob(payload, options));
  }

  private UUID enqueue(Connection connection, QueueName queue, NewJob job) throws SQLException {
    return insert(connection, queue, List.of(job)).get(0);
  }

  /**
   * Writes rows for many jobs of the type with the type's options, in one batch of statements; see
   * {@link #enqueue(Connection, QueueName, byte[], EnqueueOptions)}.
   *
   * @return the ids of the rows, in order
   * @throws IllegalArgumentException a payload is out of its range; no row was written
   * @throws IllegalStateException the connection is in auto-commit mode; no row was written
   * @throws SQLException the database refuses a row
   */
  public <T> List<UUID> enqueueAll(
      Connection connection, JobType<T> type, Collection<? extends T> payloads)
      throws SQLException {
    List<NewJob> jobs = new ArrayList<>(payloads.size());
    payloads.forEach(payload -> jobs.add(type.newJob(payload)));
    return insert(connection, type.queueName(), jobs);
  }

  private List<UUID> insert(Connection connection, QueueName queue, List<NewJob> jobs)
      throws SQLException {
    withoutNul("name of the queue", queue.name());
    withoutNul("tenant of the queue", queue.tenant());
    List<UUID> rowIds = new ArrayList<>(jobs.size());
    List<OutboxRow> rows = new ArrayList<>(jobs.size());
    for (NewJob job : jobs) {
      byte[] options = OptionsText.bytes(job.options());
      UUID id = ids.next();
      rowIds.add(id);
      rows.add(
          new OutboxRow(
              id.toString(), queue.name(), queue.tenant(), options, job.payload(), clock.millis()));
    }
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "connection is in auto-commit mode: the row of the outbox would be committed apart from"
              + " what the job is about; begin a transaction, as by setAutoCommit(false)");
    }
    if (!rows.isEmpty()) {
      sql.insert(connection, rows);
    }
    return rowIds;
  }

  private static void withoutNul(String parameter, String value) {
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          parameter + " has the character U+0000, which not every database can store");
    }
  }

  /**
   * Starts a relay of this outbox into the engine, with the default options; see {@link
   * #relay(JobQueues, UnaryOperator)}.
   */
  public OutboxRelay relay(JobQueues queues) {
    return relay(queues, UnaryOperator.identity());
  }

  /**
   * Starts a relay of this outbox into the engine, with the options that the function makes of the
   * default. The database need not be there yet. Close it before the engine; if the engine is
   * closed first, the relay ends by itself.
   *
   * @throws IllegalArgumentException an option is out of its range, or the function loses some of
   *     its changes
   */
  public OutboxRelay relay(JobQueues queues, UnaryOperator<RelayOptions> options) {
    RelayOptions chosen = RelayOptions.DEFAULT.changed(options);
    return new OutboxRelay(name, parts(queues, chosen), chosen).start();
  }

  /** Returns the parts of a relay. */
  Parts parts(JobQueues queues, RelayOptions options) {
    // A row is deleted for good, so its job must be there for good, whatever the engine's default.
    JobQueues synced = queues.with(Durability.SYNCED);
    return new Parts(
        synced,
        new Notes(synced, name),
        sql,
        new Ownership(table, name),
        new Connections(dataSource, (int) options.databaseTimeout().toMillis()),
        new RelayTally(name),
        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  }

  /**
   * Returns the id of the job that a row has become, for as long as the engine remembers the row
   * ({@link RelayOptions#rememberFor}); empty before and after. If the job's unique key was held,
   * it is the job that held it.
   *
   * @throws MillraceException as every read; see {@link io.millrace.api.JobReader}
   */
  public Optional<JobId> jobOf(JobQueues queues, UUID row) {
    return new Notes(queues, name).find(row).map(Notes.Note::job);
  }

  /**
   * Counts the rows of this outbox, on a connection of its own. The table is read for that.
   *
   * @throws SQLException the database fails
   */
  public OutboxCounts counts() throws SQLException {
    return connections().with(connection -> sql.counts(connection, clock.millis()));
  }

  /**
   * Lets relays try those rows again that were set aside, once their cause is mended, on a
   * connection of its own.
   *
   * @return how many rows there are
   * @throws SQLException the database fails
   */
  public int retryFailed() throws SQLException {
    return connections().with(sql::retryFailed);
  }

  /**
   * Makes the engine the owner of this outbox, though another one is. Only for when the other one
   * is gone for good: rows that it has enqueued, and did not come to delete, are enqueued again.
   *
   * @return the id of the engine that was the owner; empty if there was none, or it was this one
   * @throws SQLException the database fails
   * @throws MillraceException as every operation; see {@link io.millrace.api.JobQueue}
   */
  @CheckReturnValue
  public Optional<String> takeOver(JobQueues queues) throws SQLException {
    UUID engine = Notes.engineId(queues, UUID::randomUUID);
    return connections()
        .with(connection -> new Ownership(table, name).takeOver(connection, engine));
  }

  private Connections connections() {
    return new Connections(dataSource, 0);
  }

  /** Returns the outbox's name and its table. */
  @Override
  public String toString() {
    return name + " in " + table;
  }
}
