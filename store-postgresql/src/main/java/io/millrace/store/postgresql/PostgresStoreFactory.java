package io.millrace.store.postgresql;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A factory of stores in PostgreSQL databases, each in a schema of its own. Several hosts may open
 * the same store: one owns it at a time, and another takes over when the owner has closed it or
 * given no sign of life for {@link StoreOptions#ownedFor}.
 *
 * <p>A location is {@code postgresql://user@host1:5432,host2/database?schema=millrace}. Parameters
 * of the store, all optional:
 *
 * <ul>
 *   <li>{@code schema}, {@value PgLocation#SCHEMA_DEFAULT} unless given: the schema that the store
 *       has for itself. It is made with its tables when the store is first opened for writing.
 *   <li>{@code readers}, {@value PgLocation#READERS_DEFAULT} unless given: how many views others
 *       than the engine's own thread may have open, each with a connection.
 *   <li>{@code reconnectSeconds}, 60 unless given: for how long a database that cannot be reached
 *       is looked for, before the outcome of a commit counts as unknown. A fail-over has to be over
 *       by then.
 * </ul>
 *
 * <p>{@code user}, {@code password}, {@code ssl} and what begins with it, {@code ApplicationName},
 * {@code channelBinding}, {@code connectTimeout}, {@code gssEncMode}, {@code kerberosServerName},
 * {@code loadBalanceHosts} and {@code requireAuth} are handed to the driver. A password is better
 * kept in the driver's password file; one in the location is never shown. Of several hosts the
 * primary is used.
 *
 * <p>Stateless, for any thread.
 */
public final class PostgresStoreFactory implements StoreFactory {

  /** The longest that a reader waits for an answer, such as a page from a busy disk. */
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

  private final @Nullable DataSource source;
  private final LongSupplier nowNs;

  /** Creates a factory of stores whose locations name their database. */
  public PostgresStoreFactory() {
    this(null, System::nanoTime);
  }

  private PostgresStoreFactory(@Nullable DataSource source, LongSupplier nowNs) {
    this.source = source;
    this.nowNs = nowNs;
  }

  /**
   * Returns a factory of stores in the database of a data source of the PostgreSQL driver, or of a
   * pool over it. Of the location only the store's own parameters are read, behind anything that is
   * to be shown, such as {@code orders?schema=millrace}. A store that is open for writing keeps one
   * connection for as long as it is open, and takes others for single reads; so a pool should give
   * {@code readers} + 1.
   */
  public static PostgresStoreFactory of(DataSource source) {
    return new PostgresStoreFactory(Objects.requireNonNull(source, "source"), System::nanoTime);
  }

  /** Returns a factory whose owners count their time by another clock. */
  static PostgresStoreFactory withClock(LongSupplier nowNs) {
    return new PostgresStoreFactory(null, nowNs);
  }

  @Override
  public String scheme() {
    return PostgresStore.NAME;
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    DataSource given = source;
    PgLocation location =
        given == null
            ? LocationText.ofDatabase(options.location())
            : LocationText.ofSource(options.location());
    return new Opening(
            new PostgresStore.Parts(
                connector(location, options.ownedFor()),
                connector(location, READ_TIMEOUT),
                location,
                options,
                new Sql(location.schema()),
                nowNs,
                new DatabaseClock(nowNs)))
        .open();
  }

  private Connector connector(PgLocation location, Duration answerTimeout) {
    DataSource given = source;
    return given == null
        ? Connector.ofDriver(location, answerTimeout)
        : Connector.ofSource(given, answerTimeout);
  }
}
