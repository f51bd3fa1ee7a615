package io.millrace.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The text of locations, and how it is read. Messages show names of parameters, and no values of
 * users, hosts or parameters: what is misread may be a piece of a password.
 */
final class LocationText {

  private static final String FORM =
      "expected //user@host1:5432,host2/database?schema=millrace, with special characters as in"
          + " addresses of pages";

  private static final Set<String> OF_STORE =
      Set.of(PgLocation.SCHEMA, PgLocation.READERS, PgLocation.RECONNECT_SECONDS);

  /** Parameters of the driver that change nothing that the store relies on. */
  private static final Set<String> OF_DRIVER =
      Set.of(
          "user",
          "password",
          "ApplicationName",
          "channelBinding",
          "connectTimeout",
          "gssEncMode",
          "kerberosServerName",
          "loadBalanceHosts",
          "requireAuth",
          "ssl",
          "sslcert",
          "sslfactory",
          "sslfactoryarg",
          "sslhostnameverifier",
          "sslkey",
          "sslmode",
          "sslNegotiation",
          "sslpassword",
          "sslpasswordcallback",
          "sslrootcert");

  /** Name or address, and a port; an address of version 6 is in brackets. */
  private static final Pattern HOST =
      Pattern.compile("(?:\\[[0-9A-Fa-f:.%]+]|[^\\[\\]:@/?#%\\s]+)(?::([0-9]{1,5}))?");

  private static final int PORT_MOST = 65_535;

  private LocationText() {}

  /**
   * Reads the location of a database.
   *
   * @param location the part behind {@code postgresql:}
   * @throws IllegalArgumentException it has no such form; the message holds no password
   */
  static PgLocation ofDatabase(String location) {
    if (!location.startsWith("//")) {
      throw bad("location names no host of a database");
    }
    int question = location.indexOf('?');
    String path = location.substring(2, question < 0 ? location.length() : question);
    Map<String, String> all = parameters(question < 0 ? "" : location.substring(question + 1));
    Map<String, String> driver = some(all, OF_DRIVER);
    int at = path.lastIndexOf('@');
    if (at >= 0) {
      readUser(path.substring(0, at), driver);
    }
    String rest = path.substring(at + 1);
    int slash = rest.indexOf('/');
    String database = slash < 0 ? "" : decoded(rest.substring(slash + 1));
    if (database.isEmpty() || database.indexOf('/') >= 0) {
      throw bad("location names no database");
    }
    return new PgLocation(hosts(rest.substring(0, slash)), database, some(all, OF_STORE), driver);
  }

  /**
   * Reads the location of a store whose connections come from a data source: its parameters, which
   * may follow anything that is to be shown.
   *
   * @throws IllegalArgumentException a parameter is unknown, or is one of the data source's own
   */
  static PgLocation ofSource(String location) {
    int question = location.indexOf('?');
    Map<String, String> all = parameters(question < 0 ? "" : location.substring(question + 1));
    Map<String, String> driver = some(all, OF_DRIVER);
    if (!driver.isEmpty()) {
      throw new IllegalArgumentException(
          "location has parameters that belong to its data source: names="
              + new TreeSet<>(driver.keySet()));
    }
    return new PgLocation(List.of(), "", some(all, OF_STORE), driver);
  }

  private static Map<String, String> some(Map<String, String> all, Set<String> names) {
    Map<String, String> found = new HashMap<>(all);
    found.keySet().retainAll(names);
    return found;
  }

  private static void readUser(String text, Map<String, String> driver) {
    int colon = text.indexOf(':');
    String user = decoded(colon < 0 ? text : text.substring(0, colon));
    if (user.isEmpty() || text.indexOf('/') >= 0) {
      throw bad("location has an empty user, or one with a special character");
    }
    if (driver.put("user", user) != null) {
      throw bad("location names its user twice");
    }
    if (colon >= 0 && driver.put("password", decoded(text.substring(colon + 1))) != null) {
      throw bad("location has two passwords");
    }
  }

  private static List<String> hosts(String text) {
    List<String> hosts = new ArrayList<>();
    for (String host : text.split(",", -1)) {
      var match = HOST.matcher(host);
      if (!match.matches() || !isPort(match.group(1))) {
        throw bad("location names a host or a port that cannot be read");
      }
      hosts.add(host);
    }
    return hosts;
  }

  private static boolean isPort(String text) {
    int port = text == null ? 1 : Integer.parseInt(text);
    return port >= 1 && port <= PORT_MOST;
  }

  private static Map<String, String> parameters(String text) {
    Map<String, String> found = new HashMap<>();
    for (String part : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      if (!OF_STORE.contains(name) && !OF_DRIVER.contains(name)) {
        throw unknown(name);
      }
      String value = equals < 0 ? "" : decoded(part.substring(equals + 1));
      if (value.isEmpty()) {
        throw new IllegalArgumentException("location has a parameter without value: name=" + name);
      }
      if (found.put(name, value) != null) {
        throw new IllegalArgumentException("location has a parameter twice: name=" + name);
      }
    }
    check(found);
    return found;
  }

  private static IllegalArgumentException unknown(String name) {
    Set<String> known = new TreeSet<>(OF_STORE);
    known.addAll(OF_DRIVER);
    // What is no plain word may be a piece of a password.
    String shown = name.matches("[A-Za-z_]{1,40}") ? name : "***";
    return new IllegalArgumentException(
        "location has an unknown parameter: name=" + shown + ", known=" + known);
  }

  private static void check(Map<String, String> found) {
    requireNumber(found, PgLocation.READERS, PgLocation.READERS_MOST);
    requireNumber(found, PgLocation.RECONNECT_SECONDS, (int) PgLocation.PATIENCE_MOST.toSeconds());
    String schema = found.get(PgLocation.SCHEMA);
    if (schema != null
        && (schema.getBytes(UTF_8).length > PgLocation.NAME_BYTES_MAX
            || schema.indexOf('$') >= 0
            || schema.chars().anyMatch(Character::isISOControl)
            || schema.startsWith("pg_")
            || schema.equals("information_schema"))) {
      throw new IllegalArgumentException(
          "schema has a bad name: value=\""
              + schema
              + "\"; it has 1 to "
              + PgLocation.NAME_BYTES_MAX
              + " bytes, no $, and is none of the database's own");
    }
  }

  private static void requireNumber(Map<String, String> found, String name, int most) {
    String text = found.get(name);
    if (text == null) {
      return;
    }
    boolean isNumber = text.matches("[0-9]{1,9}");
    if (!isNumber || Integer.parseInt(text) < 1 || Integer.parseInt(text) > most) {
      throw new IllegalArgumentException(
          name + " is out of range: value=\"" + text + "\", least=1, most=" + most);
    }
  }

  private static IllegalArgumentException bad(String what) {
    return new IllegalArgumentException(what + "; " + FORM);
  }

  private static String decoded(String text) {
    try {
      // A plus is a plus: it is a blank in forms alone.
      return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      // Without the cause: it shows what it could not read.
      throw bad("location has a % that two hexadecimal digits do not follow");
    }
  }
}
