package io.millrace.store.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer's connection, which is made anew when it breaks.
 *
 * <p>Each statement that is sent over it may be sent again: a batch is applied where the guard is
 * at the number before its own, and found done where it is at its own. So whatever became of a
 * statement whose answer did not come, the answer to the next one is the truth. A statement that
 * still runs for the broken connection holds the guard's row, and the next one waits for it.
 *
 * <p>Used by one thread at a time.
 */
final class WriterLink {

  private static final Logger LOG = LoggerFactory.getLogger(WriterLink.class);

  private static final long PAUSE_LEAST_NS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PAUSE_MOST_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Connector connector;
  private final Sql sql;
  private final Patience patience;
  private final DatabaseClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Connection connection;
  private String timeline;
  private @Nullable ServerFacts moved;
  private volatile boolean isEnded;

  /**
   * Creates the link with a connection that is there.
   *
   * @param timeline the server's history of commits at the opening
   */
  WriterLink(Ways ways, Patience patience, Connection connection, String timeline) {
    this.connector = ways.connector;
    this.sql = ways.sql;
    this.clock = ways.clock;
    this.patience = patience;
    this.connection = connection;
    this.timeline = timeline;
  }

  /** Ways to the database, what is said there, and the clock that its answers set. */
  record Ways(Connector connector, Sql sql, DatabaseClock clock) {}

  /** Limits of trying again: the time, by which clock, and what makes it vain. */
  record Patience(Duration time, LongSupplier nowNs, BooleanSupplier isVain) {}

  /** A statement that may be sent again, whatever became of it before. */
  @FunctionalInterface
  interface Call<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Thrown when the server refuses a statement, whose effect is not there. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final SQLException reason;

    RefusedException(SQLException reason) {
      super(reason);
      this.reason = reason;
    }

    SQLException reason() {
      return reason;
    }
  }

  /** Thrown when no answer came: what became of the statement is unknown. */
  static final class GivenUpException extends Exception {
    private static final long serialVersionUID = 1L;
    private final SQLException reason;

    GivenUpException(SQLException reason) {
      super(reason);
      this.reason = reason;
    }

    SQLException reason() {
      return reason;
    }
  }

  /** Sends a statement until its answer comes. */
  <T> T call(Call<T> call) throws RefusedException, GivenUpException {
    long[] failedAtNs = new long[1];
    return call(
        call,
        failures -> {
          long now = patience.nowNs.getAsLong();
          if (failures == 1) {
            failedAtNs[0] = now;
          }
          return patience.isVain.getAsBoolean() || now - failedAtNs[0] >= patience.time.toNanos();
        });
  }

  /** Sends a statement so many times, over a new connection if there is none. */
  <T> T callAtMost(int tries, Call<T> call) throws RefusedException, GivenUpException {
    return call(call, failures -> failures >= tries);
  }

  private <T> T call(Call<T> call, IntPredicate isOver) throws RefusedException, GivenUpException {
    lock.lock();
    try {
      long pauseNs = 0;
      boolean isUnsure = false;
      for (int failures = 1; true; failures++) {
        try {
          Connection open = connected();
          return call.on(open);
        } catch (SQLException e) {
          SqlErrors.Kind kind = connection == null ? SqlErrors.Kind.BROKEN : SqlErrors.kind(e);
          // A full disk says nothing of a statement before, whose answer is missing.
          boolean isNothing = SqlErrors.isOfGuard(e) || !isUnsure;
          if (kind == SqlErrors.Kind.REFUSED || kind == SqlErrors.Kind.FULL && isNothing) {
            throw new RefusedException(e);
          }
          if (kind == SqlErrors.Kind.BROKEN) {
            isUnsure |= connection != null;
            drop(e);
          }
          if (isEnded || isOver.test(failures)) {
            throw new GivenUpException(e);
          }
          pause(pauseNs);
          pauseNs = Math.min(PAUSE_MOST_NS, Math.max(PAUSE_LEAST_NS, 2 * pauseNs));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits, also through interrupts, whose flag is kept. */
  private static void pause(long ns) {
    long deadline = System.nanoTime() + ns;
    boolean wasInterrupted = false;
    for (long left = ns; left > 0; left = deadline - System.nanoTime()) {
      LockSupport.parkNanos(left);
      wasInterrupted |= Thread.interrupted();
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Connection connected() throws SQLException {
    Connection open = connection;
    if (open != null) {
      return open;
    }
    Connection made = connector.connect();
    boolean isUsable = false;
    try {
      ServerFacts server = ServerFacts.read(made);
      if (server.isStandby()) {
        throw new SQLException("the server is a standby, and is not promoted yet");
      }
      moved = server.isElsewhere(timeline) ? server : null;
      isUsable = true;
    } finally {
      if (!isUsable) {
        Connector.abort(made);
        Connector.close(made);
      }
    }
    connection = made;
    if (isEnded) {
      drop(null);
      throw new SQLException("store is closed");
    }
    return made;
  }

  /**
   * Notes that the database lacks nothing. If the server is on another history of commits than
   * before, that is written down for those who open the store later: this owner alone can prove it,
   * by the guard, which is where he left it. If it cannot be written now, the next call does.
   */
  void nothingIsLost(long epoch) {
    ServerFacts server = moved;
    Connection open = connection;
    if (server == null || open == null) {
      return;
    }
    try (PreparedStatement statement = Statements.prepare(open, sql.setTimeline())) {
      statement.setString(1, server.timeline());
      statement.setBoolean(2, server.isReplicated());
      statement.setLong(3, epoch);
      statement.executeUpdate();
    } catch (SQLException e) {
      drop(e);
      return;
    }
    LOG.warn(
        "database was taken over by another server, which has all commits: history={}, before={}",
        server.timeline(),
        timeline);
    timeline = server.timeline();
    moved = null;
  }

  private void drop(@Nullable SQLException reason) {
    Connection open = connection;
    connection = null;
    if (open != null) {
      if (reason != null) {
        LOG.debug("the connection to the database broke", reason);
      }
      Connector.abort(open);
      // A pool takes it out of its books.
      Connector.close(open);
    }
  }

  /** Makes calls under way end soon. Any thread. */
  void interrupt() {
    isEnded = true;
    Connection open = connection;
    if (open != null) {
      Connector.abort(open);
    }
  }

  /** Ends the connection, which is as it was when it was made. */
  void close() {
    isEnded = true;
    lock.lock();
    try {
      Connection open = connection;
      connection = null;
      if (open != null) {
        Connector.close(open);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Runs a call of a function that tells where the guard is, and what time it is there. */
  Guard guard(PreparedStatement statement) throws SQLException {
    long sentNs = clock.monotonicNs();
    try (ResultSet row = statement.executeQuery()) {
      Guard guard = Guard.of(row);
      clock.look(sentNs, clock.monotonicNs(), row.getLong(5));
      if (statement.getWarnings() != null) {
        // A commit that was not waited for to its end warns of that, and of nothing else we know.
        throw new SQLException(statement.getWarnings().getMessage(), "57014");
      }
      return guard;
    }
  }
}
