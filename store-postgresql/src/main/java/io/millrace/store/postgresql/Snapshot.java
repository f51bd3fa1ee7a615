package io.millrace.store.postgresql;

import io.millrace.spi.StoreException;
import io.millrace.spi.ViewEndedException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A transaction that sees what was there when it began. For one thread at a time. */
final class Snapshot implements RowReads.Way {

  private final Home home;
  private final Guard guard;
  private final String shownLocation;
  private @Nullable Connection connection;

  Snapshot(Home home, @Nullable Connection connection, Guard guard, String shownLocation) {
    this.home = home;
    this.connection = connection;
    this.guard = guard;
    this.shownLocation = shownLocation;
  }

  /** The place where connections come from, and go to when the transaction is over. */
  interface Home {
    /** Takes back a connection that is as it was when it was lent. */
    void giveBack(Connection connection);

    /** Ends a connection that is of no use any more. */
    void end(Connection connection);
  }

  /** Creates a snapshot that has ended before it began. */
  static Snapshot ended(Home home, Guard guard, String shownLocation) {
    return new Snapshot(home, null, guard, shownLocation);
  }

  boolean isEnded() {
    return connection == null;
  }

  Guard guard() {
    return guard;
  }

  /**
   * Reads in the transaction.
   *
   * @throws ViewEndedException the transaction is over, because its connection broke
   * @throws StoreException the server refuses to read, and the transaction is over
   */
  @Override
  public <T> T read(RowReads.Read<T> read) {
    Connection open = connection;
    if (open == null) {
      throw new ViewEndedException(ended("its connection broke"));
    }
    try {
      return read.on(open, (epoch, n) -> {});
    } catch (SQLException e) {
      // After an error a transaction reads nothing more.
      connection = null;
      home.end(open);
      if (SqlErrors.kind(e) == SqlErrors.Kind.REFUSED) {
        throw SqlErrors.unreadable(e, shownLocation);
      }
      throw new ViewEndedException(ended(e.getMessage()));
    }
  }

  private String ended(@Nullable String reason) {
    return "view has ended, open another: location=" + shownLocation + ", reason=" + reason;
  }

  void close() {
    Connection open = connection;
    connection = null;
    if (open == null) {
      return;
    }
    try {
      Statements.execute(open, Sql.ROLLBACK);
      home.giveBack(open);
    } catch (SQLException e) {
      home.end(open);
    }
  }
}
