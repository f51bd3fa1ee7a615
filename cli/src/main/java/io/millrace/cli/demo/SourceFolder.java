package io.millrace.cli.demo;

import io.millrace.cli.text.Printable;
import io.millrace.cli.text.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder whose files the demo hashes, and the way between {@link Path}s and {@link FileName}s
 * in it.
 *
 * <p>That way goes over URIs, which hold a name's bytes as they are: {@code Path.toString} decodes
 * them by the locale and loses what does not fit.
 */
final class SourceFolder {

  private static final String UNRESERVED = "-._~/";

  private final Path path;
  private final String uriPrefix;

  private SourceFolder(Path path) {
    this.path = path;
    String uri = withoutSlash(uriText(path));
    this.uriPrefix = uri + "/";
  }

  /**
   * The folder at this path, with symbolic links on the way to it resolved.
   *
   * @throws DemoException it is not there, or not a folder
   */
  static SourceFolder of(Path path) {
    String shown = Printable.text(path.toString());
    try {
      Path real = path.toRealPath();
      if (!Files.isDirectory(real)) {
        throw new DemoException("FOLDER is not a folder: " + shown);
      }
      return new SourceFolder(real);
    } catch (IOException e) {
      throw new DemoException("cannot read FOLDER: " + shown + ": " + Reason.of(e), e);
    }
  }

  Path path() {
    return path;
  }

  /** The folder as a text that holds every byte of its path. */
  String uri() {
    return uriPrefix;
  }

  /** The name of something below this folder. */
  FileName nameOf(Path below) {
    String uri = withoutSlash(uriText(below));
    if (!uri.startsWith(uriPrefix)) {
      throw new IllegalArgumentException("path is not below " + uriPrefix + ": " + uri);
    }
    return FileName.of(decode(uri.substring(uriPrefix.length())));
  }

  /** Where the name leads. */
  Path pathOf(FileName name) {
    return Path.of(URI.create(uriPrefix + encode(name.bytes())));
  }

  /** A folder's URI, written by {@link #uri()}, for people. */
  static String shown(String uri) {
    return Printable.name(decode(withoutSlash(uri).replaceFirst("^file://", "")));
  }

  @Override
  public String toString() {
    return shown(uriPrefix);
  }

  private static String uriText(Path path) {
    return path.toUri().toASCIIString();
  }

  /** A URI has a slash at its end if its path is a folder at that moment. */
  private static String withoutSlash(String uri) {
    return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
  }

  private static byte[] decode(String escaped) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      if (escaped.charAt(i) == '%') {
        bytes.write(Integer.parseInt(escaped, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.write(escaped.charAt(i));
      }
    }
    return bytes.toByteArray();
  }

  private static String encode(byte[] name) {
    StringBuilder escaped = new StringBuilder(name.length);
    for (byte b : name) {
      char c = (char) Byte.toUnsignedInt(b);
      boolean isPlain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || UNRESERVED.indexOf(c) >= 0;
      if (isPlain) {
        escaped.append(c);
      } else {
        escaped.append('%');
        escaped.append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
      }
    }
    return escaped.toString();
  }
}
