package io.millrace.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.postgresql.PGProperty;

/**
 * The location of a store in a PostgreSQL database, taken apart: {@code
 * //user:password@host1:5432,host2/database?schema=millrace&amp;sslmode=require}. It is shown by
 * the options that it came in alone, which hide passwords: it has no text of its own.
 */
final class PgLocation {

  static final String SCHEMA = "schema";
  static final String READERS = "readers";
  static final String RECONNECT_SECONDS = "reconnectSeconds";

  /** The schema of a store whose location names none. */
  static final String SCHEMA_DEFAULT = "millrace";

  /** The number of views that others than the writer may open, unless the location says another. */
  static final int READERS_DEFAULT = 8;

  static final int READERS_MOST = 1_000;

  /** Two fail-overs of a database that takes half a minute for each. */
  static final Duration PATIENCE_DEFAULT = Duration.ofMinutes(1);

  static final Duration PATIENCE_MOST = Duration.ofHours(1);

  /** The longest name that PostgreSQL does not cut off. */
  static final int NAME_BYTES_MAX = 63;

  private final List<String> hosts;
  private final String database;
  private final Map<String, String> parameters;
  private final Map<String, String> driver;

  /**
   * Creates a location of parts that were checked.
   *
   * @param hosts each with its port if it has one
   * @param database the name as the user wrote it, decoded; empty if a data source knows it
   * @param parameters those of the store by their names, decoded
   * @param driver those of the driver by their names, decoded, with user and password
   */
  PgLocation(
      List<String> hosts,
      String database,
      Map<String, String> parameters,
      Map<String, String> driver) {
    this.hosts = List.copyOf(hosts);
    this.database = database;
    this.parameters = Map.copyOf(parameters);
    this.driver = Map.copyOf(driver);
  }

  /** Returns the schema that the store has for itself. */
  String schema() {
    return parameters.getOrDefault(SCHEMA, SCHEMA_DEFAULT);
  }

  /** Returns how many views others than the writer may have open. */
  int readers() {
    return number(READERS, READERS_DEFAULT);
  }

  /** Returns for how long the database is looked for anew when its connection broke. */
  Duration patience() {
    return Duration.ofSeconds(number(RECONNECT_SECONDS, (int) PATIENCE_DEFAULT.toSeconds()));
  }

  private int number(String name, int otherwise) {
    String text = parameters.get(name);
    return text == null ? otherwise : Integer.parseInt(text);
  }

  /** Tells whether there are several servers, one of which is the primary. */
  boolean hasSeveralHosts() {
    return hosts.size() > 1;
  }

  /** Returns the hosts and the database as the driver wants them; holds no user and no password. */
  String url() {
    return "jdbc:postgresql://" + String.join(",", hosts) + "/" + encoded(database);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** Returns what the location says to the driver. It may hold a password: show it to no one. */
  Properties driverProperties() {
    Properties properties = new Properties();
    driver.forEach(properties::setProperty);
    if (hasSeveralHosts()) {
      PGProperty.TARGET_SERVER_TYPE.set(properties, "primary");
    }
    return properties;
  }
}
