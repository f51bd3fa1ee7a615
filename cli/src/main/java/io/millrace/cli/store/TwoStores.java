package io.millrace.cli.store;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.LostCommitsOption;
import io.millrace.cli.option.PathConverter;
import io.millrace.cli.option.StoreLocation;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.ReadableStore;
import io.millrace.console.text.Printable;
import io.millrace.engine.StorePlace;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The store that a command reads, and the one that it makes of it. */
final class TwoStores {

  private static final String MEMORY_SCHEME = "memory";

  @Parameters(
      index = "0",
      paramLabel = "STORE",
      converter = FilledConverter.class,
      description =
          "A store's folder, such as millrace-demo/store or lmdb:millrace-demo/store, or"
              + " postgresql://HOST/DATABASE?schema=NAME.")
  private String argument = "";

  @Parameters(
      index = "1",
      paramLabel = "TO",
      converter = FilledConverter.class,
      description =
          "An empty or absent folder for the new store, such as jobs2 or lmdb:jobs2, or an absent"
              + " schema, postgresql://HOST/DATABASE?schema=NAME.")
  private String target = "";

  @Option(
      names = "--store",
      paramLabel = "KIND",
      description = "What kind of store to make; without it the kind of the first.")
  private @Nullable String kind;

  @Mixin private LostCommitsOption lost = new LostCommitsOption();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /**
   * Returns the location of the store.
   *
   * @throws CannotException it is not there
   */
  String from() {
    return StoreLocation.of(argument).location();
  }

  /** Opens the store's folder for reading only. */
  ReadableStore origin(String from) {
    CommandLine command = Optional.ofNullable(spec).orElseThrow().commandLine();
    return ReadableStore.of(from, lost.lostCommits(), note -> TargetOptions.tell(command, note));
  }

  /** Returns the place that one of the two locations stands for. */
  StorePlace place(String location) {
    return ReadableStore.place(location, lost.lostCommits());
  }

  /**
   * Returns the location of the new store.
   *
   * @param from location of the store that it is made of
   * @throws CannotException there is no such kind of store, or it keeps nothing, or the place is in
   *     the store that it is made of
   */
  String to(String from) {
    TreeSet<String> kinds = StoreLocation.schemes();
    int colon = target.indexOf(':');
    String prefix = colon < 0 ? "" : target.substring(0, colon);
    boolean hasPrefix = kinds.contains(prefix);
    String asked = kind != null ? kind : from.substring(0, from.indexOf(':'));
    String scheme = hasPrefix ? prefix : asked;
    if (hasPrefix && kind != null && !kind.equals(prefix)) {
      throw new CannotException(
          "--store and TO name two kinds: %s and %s; leave one of them out"
              .formatted(Printable.text(kind), Printable.text(target)));
    }
    if (scheme.equals(MEMORY_SCHEME)) {
      throw new CannotException(
          "a memory store lives only inside its process: nothing would be left of it");
    }
    if (!kinds.contains(scheme)) {
      throw new CannotException(
          "unknown kind of store: %s; known are %s"
              .formatted(Printable.text(scheme), StoreLocation.kept()));
    }
    if (!ReadableStore.isInFolder(scheme + ":")) {
      return database(scheme, hasPrefix);
    }
    Path path = path(hasPrefix ? target.substring(colon + 1) : target);
    if (ReadableStore.isInFolder(from)) {
      OtherFolder.require(StoreLocation.folder(from), StoreLocation.folder(path.toString()), "TO");
    }
    return scheme + ":" + path;
  }

  private String database(String scheme, boolean isNamed) {
    if (!isNamed) {
      throw new CannotException(
          "TO names no database: %s; say %s://HOST/DATABASE?schema=NAME, or --store for a folder"
              .formatted(Printable.text(target), scheme));
    }
    return target;
  }

  /** Returns the path that the text names, as it is given. */
  private static Path path(String text) {
    if (text.isEmpty()) {
      throw new CannotException("TO names no folder: " + FilledConverter.EMPTY);
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new CannotException("TO is " + PathConverter.reason(), e);
    }
  }
}
