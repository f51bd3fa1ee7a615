package io.millrace.client;

import io.millrace.options.Checks;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The servers that a location names.
 *
 * @param addresses {@code HOST:PORT} each
 */
record ServerLocation(List<String> addresses) {

  private static final String SCHEME = "millrace://";
  private static final int PORT_DEFAULT = 7_171;
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^\\[\\]:/?#@\\s,]+)(?::(\\d{1,5}))?");

  /**
   * Reads a location.
   *
   * @throws IllegalArgumentException it is none
   */
  static ServerLocation parse(String location) {
    Checks.text("location", location, 1, 10_000);
    if (!location.startsWith(SCHEME)) {
      throw wrong(location);
    }
    List<String> addresses = new ArrayList<>();
    for (String address : location.substring(SCHEME.length()).split(",", -1)) {
      Matcher matcher = ADDRESS.matcher(address);
      if (!matcher.matches()) {
        throw wrong(location);
      }
      int port = matcher.group(2) == null ? PORT_DEFAULT : Integer.parseInt(matcher.group(2));
      if (port < 1 || port > 65_535) {
        throw wrong(location);
      }
      addresses.add(matcher.group(1) + ":" + port);
    }
    return new ServerLocation(List.copyOf(addresses));
  }

  private static IllegalArgumentException wrong(String location) {
    return new IllegalArgumentException(
        "location is of no server: value=\""
            + location
            + "\", expected millrace://HOST:PORT, or several with commas between");
  }

  /** Tells whether what is sent there stays on this machine. */
  boolean isLoopback() {
    return addresses.stream().allMatch(ServerLocation::isLoopback);
  }

  private static boolean isLoopback(String address) {
    try {
      return InetAddress.getByName(address.substring(0, address.lastIndexOf(':')))
          .isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
