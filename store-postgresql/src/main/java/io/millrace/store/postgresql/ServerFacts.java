package io.millrace.store.postgresql;

import io.millrace.spi.StoreException;
import io.millrace.spi.StoreUnavailableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server as it was found: which losses its commits survive, and which history of commits it is
 * on.
 *
 * @param isStandby true while it only repeats the commits of another
 * @param unsafe the settings by which it would lose or damage what it said is there
 * @param version as the server numbers its versions, such as 170005
 * @param survives what an acknowledged job survives
 * @param timeline the history that it is on; empty if the user may not ask for it
 */
record ServerFacts(
    boolean isStandby, List<String> unsafe, int version, Survives survives, String timeline) {

  /** The oldest version, as the server numbers it. */
  private static final int VERSION_LEAST = 130_000;

  private static final int VERSION_STEP = 10_000;

  /** Loss that an acknowledged job survives. */
  enum Survives {
    /** Loss of power of the server's machine; not the loss of that machine. */
    POWER_LOSS("a power loss of the server's machine, not the loss of that machine"),
    /** Loss of the server's machine: another has the commit, too. */
    LOSS_OF_SERVER("the loss of the server's machine, for a synchronous standby has it, too");

    private final String text;

    Survives(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  static ServerFacts read(Connection connection) throws SQLException {
    try (PreparedStatement statement = Statements.prepare(connection, Sql.SERVER);
        ResultSet row = statement.executeQuery()) {
      row.next();
      boolean isStandby = row.getBoolean(1);
      List<String> unsafe =
          Stream.of(
                  row.getString(2).equals("off") ? "fsync=off" : "",
                  row.getString(3).equals("off") ? "full_page_writes=off" : "")
              .filter(setting -> !setting.isEmpty())
              .toList();
      boolean isReplicated = !row.getString(6).isBlank() && !row.getString(5).equals("local");
      return new ServerFacts(
          isStandby,
          unsafe,
          row.getInt(4),
          isReplicated ? Survives.LOSS_OF_SERVER : Survives.POWER_LOSS,
          isStandby ? "" : timeline(connection));
    }
  }

  private static String timeline(Connection connection) throws SQLException {
    try (PreparedStatement statement = Statements.prepare(connection, Sql.TIMELINE);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      if (SqlErrors.kind(e) == SqlErrors.Kind.REFUSED) {
        // Some services let nobody ask.
        return "";
      }
      throw e;
    }
  }

  /**
   * Refuses a server that cannot keep what it acknowledges, or that is none to write to.
   *
   * @throws StoreException the server is to be set otherwise; the message says how
   */
  void requireUsable(PgLocation location, String shownLocation) {
    if (version < VERSION_LEAST) {
      throw new StoreException(
          "database server is too old: location="
              + shownLocation
              + ", version="
              + version / VERSION_STEP
              + ", least="
              + VERSION_LEAST / VERSION_STEP);
    }
    if (!unsafe.isEmpty()) {
      throw new StoreException(
          "database server may lose or damage what it has acknowledged, turn that on: location="
              + shownLocation
              + ", settings="
              + unsafe);
    }
    if (isStandby && location.hasSeveralHosts()) {
      throw new StoreUnavailableException(
          "database server became a standby while it was asked: location=" + shownLocation);
    }
    if (isStandby) {
      throw new StoreException(
          "database server is a standby, which cannot be written to; name the primary, or all"
              + " servers: location="
              + shownLocation);
    }
  }

  boolean isReplicated() {
    return survives == Survives.LOSS_OF_SERVER;
  }

  /** Tells whether the server is known to be on another history than the given one. */
  boolean isElsewhere(String knownTimeline) {
    return !timeline.isEmpty() && !knownTimeline.isEmpty() && !timeline.equals(knownTimeline);
  }
}
