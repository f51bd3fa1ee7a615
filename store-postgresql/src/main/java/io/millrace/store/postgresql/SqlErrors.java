package io.millrace.store.postgresql;

import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreUnavailableException;
import java.sql.SQLException;

/** The SQL states of the server and of its driver, and what they mean to a store. */
final class SqlErrors {

  /** The state that our own function raises when rows would be more than the store may hold. */
  static final String FULL_STATE = "MR001";

  static final String NO_SUCH_TABLE = "42P01";
  static final String NO_SUCH_COLUMN = "42703";
  private static final String NO_RIGHT = "42501";
  private static final String NO_SUCH_DATABASE = "3D000";
  private static final String DISK_FULL = "53100";
  private static final String TOO_MANY_CONNECTIONS = "53300";
  private static final String READ_ONLY_TRANSACTION = "25006";
  private static final String IDLE_TOO_LONG = "25P03";
  private static final String CANCELED = "57014";
  private static final String LOCK_TIMEOUT = "55P03";

  private SqlErrors() {}

  /** Consequence of an error for the statement that met it. */
  enum Kind {
    /** The connection is of no use any more, and what the statement did is not known. */
    BROKEN,
    /** Nothing happened, and the same statement may succeed when it is sent again. */
    AGAIN,
    /** Nothing happened, for there is no room. */
    FULL,
    /** Nothing happened, and nothing will. */
    REFUSED
  }

  static Kind kind(SQLException thrown) {
    String state = thrown.getSQLState();
    if (state == null || state.length() != 5) {
      // Pools say so little when they have no connection.
      return Kind.BROKEN;
    }
    return switch (state) {
      case FULL_STATE, DISK_FULL -> Kind.FULL;
      case TOO_MANY_CONNECTIONS -> Kind.BROKEN;
      // The server is a standby, or has become one.
      case READ_ONLY_TRANSACTION -> Kind.BROKEN;
      case IDLE_TOO_LONG -> Kind.BROKEN;
      case CANCELED, LOCK_TIMEOUT -> Kind.AGAIN;
      default ->
          switch (state.substring(0, 2)) {
            case "08", "57" -> Kind.BROKEN;
            case "40", "53" -> Kind.AGAIN;
            default -> Kind.REFUSED;
          };
    };
  }

  /** Tells whether our own function refused, which has found the guard before the batch. */
  static boolean isOfGuard(SQLException thrown) {
    return FULL_STATE.equals(thrown.getSQLState());
  }

  /** Returns the exception for an opening that met this error, in one sentence. */
  static StoreException atOpening(SQLException thrown, String shownLocation) {
    String state = thrown.getSQLState() == null ? "" : thrown.getSQLState();
    if (state.startsWith("28")) {
      return new StoreException(
          "database refuses the user or the password" + facts(thrown, shownLocation), thrown);
    }
    if (state.equals(NO_SUCH_DATABASE)) {
      return new StoreException(
          "there is no such database on the server" + facts(thrown, shownLocation), thrown);
    }
    if (state.equals(NO_RIGHT)) {
      return new StoreException(
          "database user lacks a right that the store needs, grant it or have a user who has it"
              + " open the store first"
              + facts(thrown, shownLocation),
          thrown);
    }
    return switch (kind(thrown)) {
      case BROKEN, AGAIN -> unavailable(thrown, shownLocation);
      case FULL ->
          new StoreFullException("database has no room" + facts(thrown, shownLocation), thrown);
      case REFUSED ->
          new StoreException(
              "database refuses to open the store" + facts(thrown, shownLocation), thrown);
    };
  }

  static StoreUnavailableException unavailable(SQLException thrown, String shownLocation) {
    return new StoreUnavailableException(
        "database cannot be reached or is not ready" + facts(thrown, shownLocation), thrown);
  }

  static StoreException full(SQLException thrown, String shownLocation) {
    return new StoreFullException(
        "store is full, nothing happened" + facts(thrown, shownLocation), thrown);
  }

  /** Returns the exception for a read that the server refused. */
  static StoreException unreadable(SQLException thrown, String shownLocation) {
    return new StoreException(
        "database refuses to read rows" + facts(thrown, shownLocation), thrown);
  }

  static StoreFailedException failed(SQLException thrown, String shownLocation) {
    return new StoreFailedException(
        "database call failed and what became of it is unknown, open the store again"
            + facts(thrown, shownLocation),
        thrown);
  }

  /** Returns the facts of a message: the place, and the first line of what the server says. */
  static String facts(SQLException thrown, String shownLocation) {
    String reason = String.valueOf(thrown.getMessage());
    int end = reason.indexOf('\n');
    return ": location="
        + shownLocation
        + ", reason="
        + (end < 0 ? reason : reason.substring(0, end))
        + ", state="
        + thrown.getSQLState();
  }
}
