package io.millrace.cli;

import io.millrace.cli.text.Printable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The store that a command is about, and the one that it makes of it. */
final class TwoStores {

  private static final String MEMORY_SCHEME = "memory";

  @Parameters(
      index = "0",
      paramLabel = "STORE",
      description = "A store's folder, such as millrace-demo/store or lmdb:millrace-demo/store.")
  private String origin = "";

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
   * Where the store is.
   *
   * @throws CannotException it is not there
   */
  String from() {
    return StoreLocation.of(origin).location();
  }

  /**
   * Where the new store is to be.
   *
   * @param from location of the store that it is made of
   * @throws CannotException there is no such kind of store, or it keeps nothing
   */
  String to(String from) {
    TreeSet<String> kinds = StoreLocation.schemes();
    int colon = argument.indexOf(':');
    String prefix = colon < 0 ? "" : argument.substring(0, colon);
    boolean hasPrefix = kinds.contains(prefix);
    String asked = kind != null ? kind : from.substring(0, from.indexOf(':'));
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
