package io.millrace.spi;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

/**
 * Name of an owner that holds a store, or wants to hold it. Others are told the name when they find
 * the store held. Immutable; change what differs.
 *
 * <p>Two owners are the same if host, process and node are. The node is random: in containers every
 * host may have one name and every process the number 1.
 */
public final class OwnerName {

  /** The longest host, node or address, in characters: a name is stored where others see it. */
  public static final int TEXT_LENGTH_MAX = 255;

  private static final int NODE_BYTES = 8;
  private static final String UNKNOWN_HOST = "unknown";

  private final String host;
  private final long pid;
  private final String node;
  private final String address;

  private OwnerName(String host, long pid, String node, String address) {
    this.host = host;
    this.pid = pid;
    this.node = node;
    this.address = address;
  }

  /**
   * Holder of this process's name, made at first use: class initialization must not wait for random
   * numbers.
   */
  private static final class This {
    private static final OwnerName PROCESS = newNode();
  }

  /**
   * Returns a name without an address.
   *
   * @param host the name of the machine or container
   * @param pid the process, as that host numbers it
   * @param node random, so that no two owners have the same
   * @throws IllegalArgumentException the pid is negative, or a text has not 1 to {@value
   *     #TEXT_LENGTH_MAX} characters
   */
  public static OwnerName of(String host, long pid, String node) {
    if (pid < 0) {
      throw new IllegalArgumentException("pid is negative: value=" + pid + ", least=0");
    }
    return new OwnerName(text("host", host, 1), pid, text("node", node, 1), "");
  }

  /** Returns the name of this process, the same at each call. */
  public static OwnerName ofThisProcess() {
    return This.PROCESS;
  }

  /** Returns a new name for this process, which no other owner has. */
  public static OwnerName newNode() {
    byte[] random = new byte[NODE_BYTES];
    new SecureRandom().nextBytes(random);
    return of(hostName(System.getenv()), ProcessHandle.current().pid(), hex(random));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * Finds the name of this host in the environment alone: asking the network for it may take
   * seconds.
   */
  static String hostName(Map<String, String> environment) {
    String unix = environment.get("HOSTNAME");
    String host = unix == null ? environment.get("COMPUTERNAME") : unix;
    if (host == null || host.isBlank() || host.length() > TEXT_LENGTH_MAX) {
      return UNKNOWN_HOST;
    }
    return host;
  }

  /**
   * Sets the address at which others reach the owner, such as {@code 10.0.0.5:7171}; empty if there
   * is none.
   *
   * @throws IllegalArgumentException the text has more than {@value #TEXT_LENGTH_MAX} characters
   */
  public OwnerName address(String value) {
    return new OwnerName(host, pid, node, text("address", value, 0));
  }

  public String host() {
    return host;
  }

  public long pid() {
    return pid;
  }

  public String node() {
    return node;
  }

  /** Returns the address at which others reach the owner; empty if there is none. */
  public String address() {
    return address;
  }

  private static String text(String what, String value, int least) {
    int length = Objects.requireNonNull(value, what).length();
    if (length < least || length > TEXT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          what
              + " has a bad length: value="
              + length
              + ", least="
              + least
              + ", most="
              + TEXT_LENGTH_MAX);
    }
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OwnerName that
        && host.equals(that.host)
        && pid == that.pid
        && node.equals(that.node);
  }

  @Override
  public int hashCode() {
    return Objects.hash(host, pid, node);
  }

  /** Returns the text for messages: host, process, node, and the address if there is one. */
  @Override
  public String toString() {
    String where = address.isEmpty() ? "" : ", address=" + address;
    return "host=" + host + ", pid=" + pid + ", node=" + node + where;
  }
}
