package io.millrace.cli.store;

import io.millrace.cli.command.CannotException;
import io.millrace.console.text.Printable;
import java.io.IOException;
import java.nio.file.Path;

/** Makes sure that a store made of another does not go into the other's folder. */
final class OtherFolder {

  private OtherFolder() {}

  /**
   * Checks that the target is neither the origin nor inside it, whatever links lead there.
   *
   * @param target the name of the target in the command
   * @throws CannotException it is
   */
  static void require(Path from, Path to, String target) {
    Path origin = real(from.toAbsolutePath().normalize());
    Path place = real(to.toAbsolutePath().normalize());
    if (place.equals(origin)) {
      throw new CannotException(
          "STORE and %s are the same folder: %s; name an empty or absent folder as %s"
              .formatted(target, Printable.text(to.toString()), target));
    }
    if (place.startsWith(origin)) {
      throw new CannotException(
          "%s is inside the folder of STORE: %s; name an empty or absent folder elsewhere"
              .formatted(target, Printable.text(to.toString())));
    }
  }

  /** Returns the path with links resolved, as far as it leads to something. */
  private static Path real(Path absolute) {
    try {
      return absolute.toRealPath();
    } catch (IOException e) {
      Path parent = absolute.getParent();
      Path name = absolute.getFileName();
      return parent == null || name == null ? absolute : real(parent).resolve(name);
    }
  }
}
