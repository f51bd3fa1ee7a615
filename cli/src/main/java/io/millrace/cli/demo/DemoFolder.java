package io.millrace.cli.demo;

import io.millrace.cli.demo.DemoOptions.Start;
import io.millrace.cli.demo.DemoOptions.StoreKind;
import io.millrace.cli.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where the demo keeps its things: the store, the journal, the manifest, and which folder they are
 * about. Used under the {@link DemoLock}.
 */
final class DemoFolder {

  private static final String STORE = "store";
  private static final String JOURNAL = "results.journal";
  private static final String MANIFEST = "manifest.sha256";
  private static final String SETTINGS = "demo.properties";
  private static final Set<String> HARMLESS =
      Set.of(DemoLock.FILE_NAME, SETTINGS + AtomicFile.UNFINISHED_SUFFIX);

  /** How far the demo in the folder has come. */
  private enum Phase {
    /** An earlier demo is being removed. */
    CLEARING,
    RUNNING,
    COMPLETE
  }

  private record Settings(String sourceUri, StoreKind store, Phase phase) {}

  private final Path path;

  DemoFolder(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** Where the store is, as the engine and the other commands take it. */
  String location(StoreKind store) {
    return store + ":" + path.resolve(STORE);
  }

  Path journal() {
    return path.resolve(JOURNAL);
  }

  Path manifest() {
    return path.resolve(MANIFEST);
  }

  /**
   * Makes the folder ready for a run: goes on with the demo in it if that is about the same folder
   * and store, or removes whatever there is if the start is to be fresh. A demo of the same folder
   * in memory, which forgets its jobs, starts over.
   *
   * @return whether an earlier demo goes on
   * @throws DemoException the folder holds a demo of something else, finished or not, or other
   *     people's files
   */
  boolean prepare(SourceFolder source, StoreKind store, Start start) throws IOException {
    Optional<Settings> found = readSettings();
    if (found.isEmpty()) {
      checkNothingElse();
      begin(source, store);
      return false;
    }
    Settings earlier = found.get();
    boolean isSame = earlier.sourceUri.equals(source.uri()) && earlier.store == store;
    boolean hasForgotten = earlier.store == StoreKind.MEMORY;
    boolean isKept = start == Start.GO_ON && earlier.phase != Phase.CLEARING && !hasForgotten;
    boolean hasResult = start == Start.GO_ON && earlier.phase == Phase.COMPLETE;
    if (!isSame && (isKept || hasResult)) {
      throw new DemoException(
          ("%s holds %s demo of another folder or store: there FOLDER is %s and --store is %s, here"
                  + " %s and %s; %sgive another --dir, or replace it with --fresh")
              .formatted(
                  this,
                  hasResult ? "the result of a" : "an unfinished",
                  SourceFolder.shown(earlier.sourceUri),
                  earlier.store,
                  source,
                  store,
                  hasResult ? "" : "finish that one, "));
    }
    if (isKept && isSame) {
      writeSettings(new Settings(source.uri(), store, Phase.RUNNING));
      return true;
    }
    clear(earlier);
    begin(source, store);
    return false;
  }

  /** Remembers that the manifest is written and no job is left. */
  void markComplete(SourceFolder source, StoreKind store) throws IOException {
    writeSettings(new Settings(source.uri(), store, Phase.COMPLETE));
  }

  @Override
  public String toString() {
    return Printable.text(path.toString());
  }

  private void begin(SourceFolder source, StoreKind store) throws IOException {
    writeSettings(new Settings(source.uri(), store, Phase.RUNNING));
  }

  private void clear(Settings earlier) throws IOException {
    // First the note: killed in between, the next start clears the rest.
    writeSettings(new Settings(earlier.sourceUri, earlier.store, Phase.CLEARING));
    Files.deleteIfExists(manifest());
    Files.deleteIfExists(path.resolve(MANIFEST + AtomicFile.UNFINISHED_SUFFIX));
    Files.deleteIfExists(journal());
    deleteAll(path.resolve(STORE));
  }

  private static void deleteAll(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }

  private void checkNothingElse() throws IOException {
    List<String> others = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (!HARMLESS.contains(name)) {
          others.add(name);
        }
      }
    }
    if (!others.isEmpty()) {
      throw new DemoException(
          "%s was not made by the demo and is not empty: it holds %s; give another --dir"
              .formatted(this, Printable.text(others.get(0))));
    }
  }

  private Optional<Settings> readSettings() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(path.resolve(SETTINGS))) {
      properties.load(in);
      return Optional.of(
          new Settings(
              properties.getProperty("folder", ""),
              StoreKind.valueOf(properties.getProperty("store", "")),
              Phase.valueOf(properties.getProperty("phase", ""))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      throw new DemoException(
          "%s is damaged: remove the folder, or give another --dir"
              .formatted(Printable.text(path.resolve(SETTINGS).toString())),
          e);
    }
  }

  private void writeSettings(Settings settings) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("folder", settings.sourceUri);
    properties.setProperty("store", settings.store.name());
    properties.setProperty("phase", settings.phase.name());
    AtomicFile.write(
        path.resolve(SETTINGS), out -> properties.store(out, "What ./millrace demo is about here"));
  }
}
