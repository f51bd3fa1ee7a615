package io.millrace.cli.demo;

import io.millrace.cli.text.Reason;
import io.millrace.console.text.Printable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder whose files the demo hashes, and the names of the files below it.
 *
 * <p>A name is the end of the file's URI, with {@code %} before the bytes that are no plain text.
 * It holds every byte of the name, where {@code Path.toString} decodes them by the locale and loses
 * those that do not fit.
 */
final class SourceFolder {

  private final Path path;
  private final String uri;

  private SourceFolder(Path path) {
    this.path = path;
    this.uri = withoutSlash(path.toUri().toASCIIString()) + "/";
  }

  /**
   * Returns the folder at this path, with symbolic links on the way to it resolved.
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

  /** Returns the folder as a text that holds every byte of its path. */
  String uri() {
    return uri;
  }

  /** Returns the name of a path below this folder; empty for the folder itself. */
  String nameOf(Path below) {
    String name = below.toUri().toASCIIString().substring(uri.length());
    return withoutSlash(name);
  }

  /** Returns the path that the name stands for. */
  Path pathOf(String name) {
    return Path.of(URI.create(uri + name));
  }

  /** Returns the bytes of a name, as the file system keeps them. */
  static byte[] bytes(String name) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(name.length());
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) == '%') {
        bytes.write(Integer.parseInt(name, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.write(name.charAt(i));
      }
    }
    return bytes.toByteArray();
  }

  /** Returns a name, or the folder's URI, for people. */
  static String shown(String name) {
    String plain = withoutSlash(name).replaceFirst("^file://", "");
    return plain.isEmpty() ? "." : Printable.name(bytes(plain));
  }

  @Override
  public String toString() {
    return shown(uri);
  }

  /** Removes the slash at the end, which a URI has if its path is a folder at that moment. */
  private static String withoutSlash(String uri) {
    return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
  }
}
