package io.millrace.store.postgresql;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.OwnerName;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An opening of a store: what the server must be, what the schema must hold, and the step by which
 * the store is taken. If its connection breaks meanwhile it is done once more from the start, for
 * no step of it is harmed by that.
 */
final class Opening {

  private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

  private static final int TRIES = 2;

  private final PostgresStore.Parts parts;
  private final PgLocation location;
  private final StoreOptions options;
  private final Sql sql;

  Opening(PostgresStore.Parts parts) {
    this.parts = parts;
    this.location = parts.location();
    this.options = parts.options();
    this.sql = parts.sql();
  }

  /** A store that was found, with the guard as it was then. */
  private record Found(String storeId, Guard guard, ServerFacts server) {}

  PostgresStore open() {
    for (int left = TRIES - 1; true; left--) {
      try {
        Connection connection = parts.ofWriter().connect();
        return opened(connection, find(connection));
      } catch (SQLException e) {
        if (left == 0 || SqlErrors.kind(e) != SqlErrors.Kind.BROKEN) {
          throw SqlErrors.atOpening(e, options.shownLocation());
        }
      }
    }
  }

  private PostgresStore opened(Connection connection, Found found) {
    if (options.access() == StoreOptions.Access.READ_ONLY) {
      Connector.close(connection);
      return PostgresStore.forReading(parts, found.storeId, found.guard);
    }
    LOG.info(
        "store was opened: location={}, schema={}, epoch={}, an acknowledged job survives {}",
        options.shownLocation(),
        location.schema(),
        found.guard.epoch(),
        found.server.survives().text());
    return PostgresStore.forWriting(
        parts, found.storeId, found.guard, connection, found.server.timeline());
  }

  /** Does all that an opening does, and ends the connection if that fails. */
  private Found find(Connection connection) throws SQLException {
    boolean isDone = false;
    try {
      ServerFacts server = ServerFacts.read(connection);
      server.requireUsable(location, options.shownLocation());
      String storeId = new StoreSchema(sql, location.schema(), options).open(connection);
      Guard guard =
          options.access() == StoreOptions.Access.READ_ONLY
              ? Guard.read(connection, sql)
              : acquire(connection, server);
      isDone = true;
      return new Found(storeId, guard, server);
    } finally {
      if (!isDone) {
        Connector.close(connection);
      }
    }
  }

  private Guard acquire(Connection connection, ServerFacts server) throws SQLException {
    long step = epochStep(connection, server);
    OwnerName owner = options.owner();
    try (PreparedStatement statement = Statements.prepare(connection, sql.acquire())) {
      statement.setString(1, owner.host());
      statement.setLong(2, owner.pid());
      statement.setString(3, owner.node());
      statement.setString(4, owner.address());
      statement.setLong(5, options.ownedFor().toMillis());
      statement.setLong(6, step);
      statement.setLong(7, options.epochLeast());
      statement.setString(8, server.timeline());
      statement.setBoolean(9, server.isReplicated());
      long sentNs = parts.nowNs().getAsLong();
      try (ResultSet row = statement.executeQuery()) {
        Guard guard = Guard.of(row);
        parts.clock().look(sentNs, parts.nowNs().getAsLong(), row.getLong(5));
        if (!row.getBoolean(6)) {
          throw held(row);
        }
        return guard;
      }
    }
  }

  private StoreException held(ResultSet row) throws SQLException {
    OwnerName holder =
        OwnerName.of(row.getString(7), row.getLong(8), row.getString(9)).address(row.getString(10));
    Duration freeIn = Duration.ofMillis(Math.max(1, row.getLong(11)));
    return StoreLockedException.held(options.shownLocation(), holder, freeIn);
  }

  /**
   * Returns by how much the epoch is to rise. If the server is on another history of commits than
   * at the opening before, it may be one that had not got all commits, or was restored: then epochs
   * that were given may be unknown here.
   */
  private long epochStep(Connection connection, ServerFacts server) throws SQLException {
    try (PreparedStatement statement = Statements.prepare(connection, sql.lastEpoch());
        ResultSet row = statement.executeQuery()) {
      if (!row.next() || !server.isElsewhere(row.getString(1))) {
        return 1;
      }
      String facts =
          ": location="
              + options.shownLocation()
              + ", history="
              + server.timeline()
              + ", before="
              + row.getString(1);
      boolean isMaybeLess = !row.getBoolean(2);
      if (isMaybeLess && options.lostCommits() == StoreOptions.LostCommits.REFUSE) {
        throw new StoreCorruptException(
            "database was restored, moved, or taken over by an asynchronous standby, and may lack"
                + " commits that were acknowledged; open the store with lostCommits=ACCEPT if that"
                + " is what you want"
                + facts);
      }
      LOG.warn(
          "database is on another history of commits than at the opening before{}, epochs rise by"
              + " {}",
          facts,
          OrderedStore.COPY_EPOCH_STEP);
      return OrderedStore.COPY_EPOCH_STEP;
    }
  }
}
