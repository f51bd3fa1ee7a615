package io.millrace.console.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * The programs that the tests need: Debian's Chromium and its driver. Nothing is downloaded where
 * they are missing.
 */
record Tools(Path chromium, Path driver) {

  private static final String MISSING =
      "there is no Chromium with its driver here, so nobody looks at the console in a browser:"
          + " install them (Debian: apt-get install chromium chromium-driver); looked on the PATH"
          + " for ";

  /** Returns the programs. Skips the test where they are missing, or fails it on CI. */
  static Tools require() {
    Optional<Path> chromium = onPath("chromium");
    Optional<Path> driver = onPath("chromedriver");
    if (chromium.isPresent() && driver.isPresent()) {
      return new Tools(chromium.get(), driver.get());
    }
    String message = MISSING + List.of("chromium", "chromedriver");
    if ("true".equals(System.getenv("CI"))) {
      Assertions.fail(message);
    }
    System.err.println("TESTS SKIPPED: " + message);
    return Assumptions.abort(message);
  }

  private static Optional<Path> onPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
