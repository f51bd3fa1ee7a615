package io.millrace.cli;

import io.millrace.cli.text.Printable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The store that a command makes: a folder, and of which kind it is to be. */
final class NewStoreOption {

  private static final String MEMORY_SCHEME = "memory";

  @Parameters(
      index = "1",
      paramLabel = "TO",
      description = "An empty or absent folder for the new store, such as jobs2 or lmdb:jobs2.")
  private String argument = "";

  @Option(
      names = "--store",
      paramLabel = "KIND",
      description = "What kind of store to make; without it the kind of the first.")
  private @Nullable String kind;

  /**
   * Where the new store is to be.
   *
   * @param origin location of the store that it is made of
   * @throws CannotException there is no such kind of store, or it keeps nothing
   */
  String location(String origin) {
    TreeSet<String> kinds = StoreLocation.schemes();
    int colon = argument.indexOf(':');
    String prefix = colon < 0 ? "" : argument.substring(0, colon);
    boolean hasPrefix = kinds.contains(prefix);
    String asked = kind != null ? kind : origin.substring(0, origin.indexOf(':'));
    String scheme = hasPrefix ? prefix : asked;
    if (hasPrefix && kind != null && !kind.equals(prefix)) {
      throw new CannotException("--store and TO name two kinds: " + Printable.text(argument));
    }
    if (scheme.equals(MEMORY_SCHEME)) {
      throw new CannotException(
          "a memory store lives only inside its process: nothing would be left of it");
    }
    if (!kinds.contains(scheme)) {
      kinds.remove(MEMORY_SCHEME);
      throw new CannotException(
          "unknown kind of store: %s; known are %s"
              .formatted(Printable.text(scheme), String.join(", ", kinds)));
    }
    return scheme + ":" + folder(hasPrefix ? argument.substring(colon + 1) : argument);
  }

  private static String folder(String text) {
    if (text.isEmpty()) {
      throw new CannotException("TO names no folder");
    }
    try {
      return Path.of(text).toString();
    } catch (InvalidPathException e) {
      throw new CannotException("TO is " + PathConverter.reason(), e);
    }
  }
}
