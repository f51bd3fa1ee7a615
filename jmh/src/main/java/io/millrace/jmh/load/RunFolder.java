package io.millrace.jmh.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A new folder below the one that the user named, which is removed with all that is in it. */
public final class RunFolder implements AutoCloseable {

  /** The file that a store keeps for a full disk, as docs/FORMAT.md has it. */
  private static final String RESERVE = "RESERVE";

  private final Path path;

  private RunFolder(Path path) {
    this.path = path;
  }

  /** Makes a new folder, and the user's if it is absent. */
  public static RunFolder create(Path parent) {
    try {
      Files.createDirectories(parent);
      return new RunFolder(Files.createTempDirectory(parent, "run-"));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no folder can be made there, name another with --dir: path=" + parent, e);
    }
  }

  public Path path() {
    return path;
  }

  /**
   * Returns the length of all files below a store's folder, without the file that it keeps for a
   * full disk: that does not grow with the jobs. Files that vanish meanwhile count nothing.
   */
  static long bytes(Path folder) {
    if (!Files.exists(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.endsWith(RESERVE))
          .mapToLong(RunFolder::length)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException("folder cannot be read: path=" + folder, e);
    }
  }

  private static long length(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException("file cannot be looked at: path=" + file, e);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(path)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("folder cannot be removed: path=" + path, e);
    }
  }
}
