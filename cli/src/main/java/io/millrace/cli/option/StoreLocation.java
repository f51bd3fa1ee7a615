package io.millrace.cli.option;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.NeedsStoreException;
import io.millrace.cli.place.ReadableStore;
import io.millrace.cli.text.Reason;
import io.millrace.cli.text.ShellWord;
import io.millrace.console.text.Printable;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.TreeSet;

/**
 * The location of an existing store, as given on the command line: {@code scheme:folder}, or the
 * folder alone, whose header file says which kind of store it holds, or that of a database.
 *
 * @param location the location as {@link io.millrace.engine.JobEngine#open} takes it
 */
public record StoreLocation(String location) {

  /** The name of the file in a store's folder that says which kind of store it is. */
  private static final String HEADER_FILE = "MILLRACE";

  private static final int HEADER_BYTES_MAX = 4 << 10;
  private static final String MEMORY_SCHEME = "memory";

  /**
   * Reads the argument, and checks that a store is there.
   *
   * @throws CannotException there is none, and what is there instead
   */
  public static StoreLocation of(String argument) {
    requireNoServer(argument);
    if (!ReadableStore.isInFolder(argument)) {
      if (argument.endsWith(":")) {
        throw new CannotException("STORE names no database: " + argument);
      }
      return new StoreLocation(argument);
    }
    int colon = argument.indexOf(':');
    String scheme = colon < 0 ? "" : argument.substring(0, colon);
    TreeSet<String> schemes = schemes();
    if (schemes.contains(scheme)) {
      return ofScheme(scheme, argument.substring(colon + 1));
    }
    Path folder = path(argument);
    if (!Files.exists(folder) && scheme.matches("[a-z][a-z0-9-]+")) {
      throw new CannotException(
          "unknown kind of store: %s; known are %s".formatted(scheme, kept()));
    }
    String found = schemeOf(folder);
    if (!schemes.contains(found) || found.equals(MEMORY_SCHEME)) {
      throw new CannotException(
          "%s holds a store of an unknown kind: %s; known are %s; take the version of millrace that"
                  .formatted(Printable.text(argument), Printable.text(found), kept())
              + " wrote it");
    }
    return new StoreLocation(found + ":" + argument);
  }

  /**
   * Returns the folder that the argument names, whatever is there.
   *
   * @throws CannotException it names none, as it is a server or a database
   */
  public static Path folder(String argument) {
    requireNoServer(argument);
    if (!ReadableStore.isInFolder(argument)) {
      throw new CannotException(
          "a folder is needed here, and this is a store in a database, which is backed up as"
              + " others are, by pg_dump say; 'millrace copy' copies it into a folder: "
              + Printable.text(ReadableStore.withoutPassword(argument)));
    }
    int colon = argument.indexOf(':');
    boolean hasScheme = colon >= 0 && schemes().contains(argument.substring(0, colon));
    return path(hasScheme ? argument.substring(colon + 1) : argument);
  }

  private static void requireNoServer(String argument) {
    if (ServerOptions.isServer(argument)) {
      throw new NeedsStoreException(argument);
    }
  }

  private static StoreLocation ofScheme(String scheme, String folder) {
    if (scheme.equals(MEMORY_SCHEME)) {
      throw new CannotException(
          "a memory store lives only inside its process: there is nothing to look into");
    }
    if (folder.isEmpty()) {
      throw new CannotException("STORE names no folder: %s:".formatted(scheme));
    }
    String found = schemeOf(path(folder));
    if (!found.equals(scheme)) {
      throw new CannotException(
          "%s holds another kind of store: asked for %s, found %s"
              .formatted(Printable.text(folder), scheme, Printable.text(found)));
    }
    return new StoreLocation(scheme + ":" + folder);
  }

  /** Returns the kinds of stores that there are. */
  public static TreeSet<String> schemes() {
    TreeSet<String> schemes = new TreeSet<>();
    ServiceLoader.load(StoreFactory.class).forEach(factory -> schemes.add(factory.scheme()));
    return schemes;
  }

  /** Returns the kinds of stores that keep their contents, in words. */
  public static String kept() {
    TreeSet<String> kept = schemes();
    kept.remove(MEMORY_SCHEME);
    return String.join(", ", kept);
  }

  private static Path path(String text) {
    if (text.isEmpty()) {
      throw new CannotException("STORE names no folder: " + FilledConverter.EMPTY);
    }
    try {
      return StoreOptions.of(text).folder();
    } catch (IllegalArgumentException e) {
      String reason =
          e.getCause() instanceof InvalidPathException
              ? "is " + PathConverter.reason()
              : "names no folder: " + Printable.text(String.valueOf(e.getMessage()));
      throw new CannotException("STORE " + reason, e);
    }
  }

  /**
   * Returns a hint at the part of a path that is a file, so that nothing can be below it; empty if
   * none is. JDKs differ in what they report of such a path: that it is not there, or that it is
   * not a directory.
   */
  private static String belowFile(Path folder) {
    Path above = folder.toAbsolutePath().getParent();
    while (above != null && !Files.exists(above)) {
      above = above.getParent();
    }
    return above == null || Files.isDirectory(above)
        ? ""
        : "; %s is a file".formatted(Printable.text(above.toString()));
  }

  private static String schemeOf(Path folder) {
    String shown = Printable.text(folder.toString());
    try {
      if (!Files.readAttributes(folder, BasicFileAttributes.class).isDirectory()) {
        throw new CannotException("not a folder: " + shown);
      }
    } catch (NoSuchFileException e) {
      throw new CannotException("there is no such folder: " + shown + belowFile(folder), e);
    } catch (IOException e) {
      if (!belowFile(folder).isEmpty()) {
        throw new CannotException("there is no such folder: " + shown + belowFile(folder), e);
      }
      throw new CannotException("cannot look at %s: %s".formatted(shown, Reason.of(e)), e);
    }
    try (InputStream in = Files.newInputStream(folder.resolve(HEADER_FILE))) {
      Properties properties = new Properties();
      String text = new String(in.readNBytes(HEADER_BYTES_MAX), StandardCharsets.UTF_8);
      properties.load(new StringReader(text));
      String scheme = properties.getProperty("store");
      if (scheme == null) {
        throw damaged(shown);
      }
      return scheme;
    } catch (NoSuchFileException e) {
      throw new CannotException(
          "%s holds no store: it has no file %s%s".formatted(shown, HEADER_FILE, hint(folder)), e);
    } catch (IOException e) {
      throw new CannotException(
          "cannot read the store's header: %s: %s".formatted(shown, Reason.of(e)), e);
    } catch (IllegalArgumentException e) {
      throw damaged(shown);
    }
  }

  private static CannotException damaged(String shown) {
    return new CannotException(
        "the store's header is damaged: %s; restore the file %s from a backup"
            .formatted(shown, HEADER_FILE));
  }

  /**
   * Returns a hint at a store inside the folder: the demo's folder is easily taken for its store.
   */
  private static String hint(Path folder) {
    Path inside = folder.resolve("store");
    return Files.exists(inside.resolve(HEADER_FILE))
        ? "; did you mean %s?".formatted(ShellWord.quote(inside.toString()))
        : "";
  }
}
