package io.millrace.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;

/** The version of Millrace that this is. */
public final class MillraceVersion {

  private static final String TEXT = read();

  private MillraceVersion() {}

  /** Returns the version as Maven has it, such as {@code 1.2.0}. */
  public static String text() {
    return TEXT;
  }

  /**
   * Returns what a caller is told who asks for something that this version does not have.
   *
   * @param what the kind of thing, such as a call
   */
  public static String lacks(String what, Object name) {
    String text =
        "no such %1$s is known here: %1$s=%2$s; the caller may be of a newer version:"
            + " update the server first, version=%3$s";
    return text.formatted(what, name, TEXT);
  }

  private static String read() {
    Properties properties = new Properties();
    try (InputStream in = MillraceVersion.class.getResourceAsStream("version.properties")) {
      properties.load(Objects.requireNonNull(in, "version.properties"));
    } catch (IOException e) {
      throw new IllegalStateException("version cannot be read", e);
    }
    return properties.getProperty("version");
  }
}
