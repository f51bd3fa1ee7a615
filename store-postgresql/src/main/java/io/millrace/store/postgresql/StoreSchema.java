package io.millrace.store.postgresql;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The schema of a store: a store's tables, or nothing yet. A schema that holds anything else is
 * refused, and left alone.
 */
final class StoreSchema {

  /** The number of names that a message lists. */
  private static final int SHOWN_NAMES = 3;

  private final Sql sql;
  private final String schema;
  private final StoreOptions options;

  StoreSchema(Sql sql, String schema, StoreOptions options) {
    this.sql = sql;
    this.schema = schema;
    this.options = options;
  }

  /**
   * Finds the store in the schema, or makes one if it is to be written. Returns its id.
   *
   * @throws FormatVersionException the schema holds something else, or a store of another format
   * @throws StoreException there is no store, and none may be made
   */
  String open(Connection connection) throws SQLException {
    List<String> found = tables(connection);
    if (!found.containsAll(Sql.TABLES)) {
      requireNothingElse(found);
      if (options.access() == StoreOptions.Access.READ_ONLY) {
        throw new StoreException(
            "there is no store to read: location=" + shown() + ", schema=" + schema);
      }
      make(connection);
    }
    return storeId(connection);
  }

  private List<String> tables(Connection connection) throws SQLException {
    List<String> found = new ArrayList<>();
    try (PreparedStatement statement = Statements.prepare(connection, Sql.SCHEMA)) {
      statement.setString(1, schema);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          String name = rows.getString(1);
          // A schema without tables has one row, which says that it is there.
          found.add(name == null ? "" : name);
        }
      }
    }
    return found;
  }

  private void requireNothingElse(List<String> found) {
    List<String> others = found.stream().filter(name -> !name.isEmpty()).toList();
    if (!others.isEmpty()) {
      throw new FormatVersionException(
          "schema holds something else than a store, name another one or one that is empty:"
              + " location="
              + shown()
              + ", schema="
              + schema
              + ", tables="
              + others.size()
              + ", such as "
              + others.subList(0, Math.min(SHOWN_NAMES, others.size())));
    }
  }

  /**
   * Makes the store in one transaction. Of several who try, one makes it and the others find it.
   */
  private void make(Connection connection) throws SQLException {
    Statements.execute(connection, "begin");
    try {
      try (PreparedStatement lock = Statements.prepare(connection, Sql.MAKING_LOCK)) {
        lock.setString(1, schema);
        lock.execute();
      }
      List<String> found = tables(connection);
      if (!found.containsAll(Sql.TABLES)) {
        requireNothingElse(found);
        make(connection, found.isEmpty());
      }
      Statements.execute(connection, "commit");
    } catch (SQLException | RuntimeException e) {
      Statements.execute(connection, Sql.ROLLBACK);
      throw e;
    }
  }

  private void make(Connection connection, boolean isSchemaMissing) throws SQLException {
    List<String> statements = sql.makeStore();
    try (Statement statement = Statements.create(connection)) {
      if (isSchemaMissing) {
        statement.execute(sql.makeSchema());
      }
      for (String text : statements.subList(0, statements.size() - 1)) {
        statement.execute(text);
      }
    }
    try (PreparedStatement row =
        Statements.prepare(connection, statements.get(statements.size() - 1))) {
      row.setInt(1, Sql.FORMAT);
      row.setString(2, UUID.randomUUID().toString());
      row.execute();
    }
  }

  private String storeId(Connection connection) throws SQLException {
    try (PreparedStatement statement = Statements.prepare(connection, sql.store());
        ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw somethingElse("its table of the store is empty");
      }
      int format = row.getInt(1);
      if (format != Sql.FORMAT) {
        throw new FormatVersionException(
            "store has a format that this version does not read: location="
                + shown()
                + ", schema="
                + schema
                + ", format="
                + format
                + ", known="
                + Sql.FORMAT);
      }
      return row.getString(2);
    } catch (SQLException e) {
      if (SqlErrors.NO_SUCH_COLUMN.equals(e.getSQLState())) {
        throw somethingElse("its tables have other columns");
      }
      throw e;
    }
  }

  private FormatVersionException somethingElse(String why) {
    return new FormatVersionException(
        "schema holds something else than a store, name another one: location="
            + shown()
            + ", schema="
            + schema
            + ", reason="
            + why);
  }

  private String shown() {
    return options.shownLocation();
  }
}
