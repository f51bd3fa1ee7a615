package io.millrace.outbox.jdbc;

import java.util.Objects;
import java.util.regex.Pattern;

/** The check of the names of SQL tables, which become parts of statements. */
final class SqlNames {

  private static final Pattern TABLE =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,47}\\.){0,2}[A-Za-z_][A-Za-z0-9_]{0,47}");

  private SqlNames() {}

  /** Returns the name if it can be written into a statement as it is. */
  static String table(String name) {
    Objects.requireNonNull(name, "table");
    if (!TABLE.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "table has a name that cannot be used: value=\""
              + name
              + "\"; take letters, digits and underlines of ASCII, at most 48, the first no digit,"
              + " and the name of a schema with a dot before it if need be");
    }
    return name;
  }
}
