package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The compiler looks for null in packages that are marked for it: all of the main code is. */
class NullMarkedTest {

  private static final Path ROOT = Path.of("..");

  @Test
  void mainPackages_ofAllModules_areNullMarked() throws IOException {
    Set<Path> packages = new TreeSet<>();
    Set<Path> marked = new TreeSet<>();

    for (Path file : mainSources()) {
      boolean isModule = file.endsWith("module-info.java");
      if (!isModule) {
        packages.add(file.getParent());
      }
      if (file.endsWith("package-info.java") && Files.readString(file).contains("\n@NullMarked")) {
        marked.add(file.getParent());
      }
    }

    assertThat(packages).hasSizeGreaterThan(20);
    assertThat(marked).isEqualTo(packages);
  }

  private static List<Path> mainSources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().matches("\\.\\./[^/]+/src/main/.*\\.java"))
          .toList();
    }
  }
}
