package io.millrace.store.postgresql;

import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections of all who read beside the writer, as many as there may be views, and the count
 * of views. Some are kept for the next reader, unless they come from a pool already.
 *
 * <p>Thread-safe. Nobody waits here for another.
 */
final class ViewPool implements Snapshot.Home {

  /** The most connections that are kept while nobody reads. */
  private static final int IDLE_MOST = 4;

  private final Connector connector;
  private final Sql sql;
  private final int countMax;
  private final String shownLocation;
  private final AtomicInteger count = new AtomicInteger();
  private final Deque<Connection> idle = new ArrayDeque<>();
  private final Set<Connection> lent = new HashSet<>();
  private boolean isClosed;

  ViewPool(Connector connector, Sql sql, int countMax, String shownLocation) {
    this.connector = connector;
    this.sql = sql;
    this.countMax = countMax;
    this.shownLocation = shownLocation;
  }

  /**
   * Counts a view, which {@link #uncount} must follow.
   *
   * @throws StoreBusyException there are as many as there may be
   */
  void count() {
    if (count.incrementAndGet() > countMax) {
      count.decrementAndGet();
      throw StoreBusyException.tooManyViews(countMax);
    }
  }

  void uncount() {
    count.decrementAndGet();
  }

  /** Begins a snapshot of what is there now. */
  Snapshot begin() {
    return onFresh(
        connection -> {
          try (Statement statement = Statements.create(connection);
              ResultSet row = Statements.result(statement, sql.beginView())) {
            if (row == null) {
              throw new SQLException("the guard was not read");
            }
            return new Snapshot(this, connection, Guard.of(row), shownLocation);
          }
        });
  }

  /** Reads once, in a transaction of its own. */
  <T> T once(RowReads.Read<T> read) {
    return onFresh(
        connection -> {
          T found = read.on(connection, (epoch, n) -> {});
          giveBack(connection);
          return found;
        });
  }

  /** Work with a connection, which goes with it unless it throws. */
  @FunctionalInterface
  private interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  /**
   * Works with a connection that was kept, and if it broke meanwhile with a new one. A server that
   * was restarted, or a firewall, ends connections that nobody uses.
   */
  private <T> T onFresh(Work<T> work) {
    Connection kept = poll();
    if (kept != null) {
      try {
        return with(kept, work);
      } catch (SQLException e) {
        if (SqlErrors.kind(e) != SqlErrors.Kind.BROKEN) {
          throw thrown(e);
        }
        endIdle();
      }
    }
    try {
      return with(lend(connector.connect()), work);
    } catch (SQLException e) {
      throw thrown(e);
    }
  }

  private <T> T with(Connection connection, Work<T> work) throws SQLException {
    boolean isDone = false;
    try {
      T result = work.with(connection);
      isDone = true;
      return result;
    } finally {
      if (!isDone) {
        end(connection);
      }
    }
  }

  private StoreException thrown(SQLException e) {
    synchronized (this) {
      if (isClosed) {
        return new StoreClosedException("store is closed");
      }
    }
    return SqlErrors.kind(e) == SqlErrors.Kind.REFUSED
        ? SqlErrors.unreadable(e, shownLocation)
        : SqlErrors.unavailable(e, shownLocation);
  }

  private synchronized @Nullable Connection poll() {
    Connection kept = idle.poll();
    if (kept != null) {
      lent.add(kept);
    }
    return kept;
  }

  private Connection lend(Connection made) throws SQLException {
    synchronized (this) {
      if (!isClosed) {
        lent.add(made);
        return made;
      }
    }
    Connector.close(made);
    throw new SQLException("store is closed");
  }

  private void endIdle() {
    for (Connection old = poll(); old != null; old = poll()) {
      end(old);
    }
  }

  @Override
  public void giveBack(Connection connection) {
    synchronized (this) {
      lent.remove(connection);
      if (!isClosed && !connector.isPool() && idle.size() < IDLE_MOST) {
        idle.push(connection);
        return;
      }
    }
    Connector.close(connection);
  }

  @Override
  public void end(Connection connection) {
    synchronized (this) {
      lent.remove(connection);
    }
    Connector.abort(connection);
    // A pool takes it out of its books.
    Connector.close(connection);
  }

  /** Ends all connections, also those that are in use. */
  void close() {
    Set<Connection> all;
    synchronized (this) {
      isClosed = true;
      all = new HashSet<>(lent);
      all.addAll(idle);
      idle.clear();
      lent.clear();
    }
    all.forEach(
        connection -> {
          Connector.abort(connection);
          Connector.close(connection);
        });
  }
}
