package io.millrace.cli.demo;

import java.io.ByteArrayOutputStream;

/**
 * A file name on a line of text, as {@code sha256sum} writes it: backslash, line feed and carriage
 * return become {@code \\}, {@code \n} and {@code \r}.
 */
final class EscapedName {

  private EscapedName() {}

  static byte[] escape(byte[] name) {
    ByteArrayOutputStream escaped = new ByteArrayOutputStream(name.length + 8);
    for (byte b : name) {
      switch (b) {
        case '\\' -> escaped.writeBytes(new byte[] {'\\', '\\'});
        case '\n' -> escaped.writeBytes(new byte[] {'\\', 'n'});
        case '\r' -> escaped.writeBytes(new byte[] {'\\', 'r'});
        default -> escaped.write(b);
      }
    }
    return escaped.toByteArray();
  }

  /**
   * Reads what {@link #escape} wrote.
   *
   * @throws IllegalArgumentException it did not write this
   */
  static byte[] unescape(byte[] escaped) {
    ByteArrayOutputStream name = new ByteArrayOutputStream(escaped.length);
    for (int i = 0; i < escaped.length; i++) {
      if (escaped[i] != '\\') {
        name.write(escaped[i]);
        continue;
      }
      i++;
      name.write(
          switch (i < escaped.length ? escaped[i] : 0) {
            case '\\' -> '\\';
            case 'n' -> '\n';
            case 'r' -> '\r';
            default ->
                throw new IllegalArgumentException(
                    "a backslash escapes nothing: offset=" + (i - 1));
          });
    }
    return name.toByteArray();
  }
}
