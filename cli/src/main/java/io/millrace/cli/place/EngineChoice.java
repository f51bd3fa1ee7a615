package io.millrace.cli.place;

import io.millrace.management.JobEngineMBean;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which engine of a process is meant: the only one, or the one that meets every condition given.
 *
 * @param name what it is called
 * @param folder where its store is
 */
public record EngineChoice(Optional<String> name, Optional<Path> folder) {

  boolean isMet(JobEngineMBean engine) {
    return (name.isEmpty() || name.get().equals(engine.getName()))
        && (folder.isEmpty() || isIn(folder.get(), engine.getStoreFolder()));
  }

  /** What a store that lives in no folder says of its place need not be the name of one. */
  private static boolean isIn(Path folder, String place) {
    try {
      return real(folder).equals(real(Path.of(place)));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** As far as it leads somewhere; a store in memory has no folder. */
  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      return folder.toAbsolutePath().normalize();
    }
  }
}
