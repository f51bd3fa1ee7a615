package io.millrace.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/**
 * The dialects of SQL for which Millrace has the definitions of its tables. All other statements
 * are the same in each of them.
 */
public enum Dialect {
  /** PostgreSQL, and what speaks its dialect. */
  POSTGRESQL("BYTEA", "BYTEA", " COLLATE \"C\"", ""),
  /** MySQL 8 and MariaDB, with InnoDB. */
  MYSQL(
      "BLOB",
      "LONGBLOB",
      "",
      " ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin"),
  /** H2 from 2.2 on. */
  H2("VARBINARY(65535)", "BLOB", "", "");

  private final String shortBytes;
  private final String longBytes;
  private final String byBytes;
  private final String tableOptions;

  Dialect(String shortBytes, String longBytes, String byBytes, String tableOptions) {
    this.shortBytes = shortBytes;
    this.longBytes = longBytes;
    this.byBytes = byBytes;
    this.tableOptions = tableOptions;
  }

  /**
   * Returns the dialect of the database that the connection leads to.
   *
   * @throws IllegalArgumentException it is none of these
   * @throws SQLException the database does not tell its name
   */
  public static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product.toLowerCase(Locale.ROOT)) {
      case "postgresql" -> POSTGRESQL;
      case "mysql", "mariadb" -> MYSQL;
      case "h2" -> H2;
      default ->
          throw new IllegalArgumentException(
              "dialect of the database is unknown: product=\""
                  + product
                  + "\", known="
                  + List.of(values())
                  + "; name the one that it understands, or create the table by hand");
    };
  }

  /** Returns the statements that create the tables of an outbox, if they are not there. */
  List<String> outboxTables(String table) {
    return List.of(
        """
        CREATE TABLE IF NOT EXISTS %s (
          outbox VARCHAR(%d) NOT NULL,
          id VARCHAR(36)%s NOT NULL,
          queue VARCHAR(200) NOT NULL,
          tenant VARCHAR(200) NOT NULL,
          options %s NOT NULL,
          payload %s NOT NULL,
          payload_bytes INTEGER NOT NULL,
          created_ms BIGINT NOT NULL,
          failure VARCHAR(%d),
          PRIMARY KEY (outbox, id)
        )%s\
        """
            .formatted(
                table,
                JdbcOutbox.NAME_LENGTH_MAX,
                byBytes,
                shortBytes,
                longBytes,
                OutboxSql.FAILURE_LENGTH_MAX,
                tableOptions),
        """
        CREATE TABLE IF NOT EXISTS %s (
          outbox VARCHAR(%d) NOT NULL PRIMARY KEY,
          engine VARCHAR(36) NOT NULL
        )%s\
        """
            .formatted(Ownership.table(table), JdbcOutbox.NAME_LENGTH_MAX, tableOptions));
  }

  /** Returns the statement that creates the table of finished jobs, if it is not there. */
  String processedTable(String table) {
    return """
    CREATE TABLE IF NOT EXISTS %s (
      engine VARCHAR(36)%s NOT NULL,
      job_id VARCHAR(32)%s NOT NULL,
      done_ms BIGINT NOT NULL,
      PRIMARY KEY (engine, job_id)
    )%s\
    """
        .formatted(table, byBytes, byBytes, tableOptions);
  }

  /** Returns the statements as one text, each with a semicolon behind it. */
  static String script(List<String> statements) {
    return String.join(";\n\n", statements) + ";\n";
  }
}
