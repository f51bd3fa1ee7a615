package io.millrace.cli.place;

import io.millrace.management.JobEngineMBean;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The choice of an engine in a process: the only one, or the one that meets every condition given.
 *
 * @param name the name of the engine
 * @param folder the folder of its store
 */
public record EngineChoice(Optional<String> name, Optional<Path> folder) {

  boolean isMet(JobEngineMBean engine) {
    return (name.isEmpty() || name.get().equals(engine.getName()))
        && (folder.isEmpty() || isIn(folder.get(), engine.getStoreFolder()));
  }

  /**
   * Tells whether the place is this folder. The place of a store that lives in no folder need not
   * be a path.
   */
  private static boolean isIn(Path folder, String place) {
    try {
      return real(folder).equals(real(Path.of(place)));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Returns the folder with links resolved if it exists; a store in memory has no folder. */
  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      return folder.toAbsolutePath().normalize();
    }
  }
}
