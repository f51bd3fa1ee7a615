package io.millrace.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The names of a client. */
final class Identity {

  private static final int SECRET_BYTES = 16;

  private Identity() {}

  /** Returns a name that nobody else can guess: whoever knows it can go on with the session. */
  static String byChance() {
    byte[] bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns the host and the process, for people. */
  static String described() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "unknown host";
    }
    return host + ", pid " + ProcessHandle.current().pid();
  }
}
