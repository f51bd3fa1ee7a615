package io.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The compiler looks for null in all main code, as the parent's build file tells it to. */
class NullCheckTest {

  private static final Path ROOT = Path.of("..");

  /** Inside the tree, so that Maven starts with the flags in {@code .mvn}. */
  private static final Path WRONG = Path.of("target", "null-check");

  private static final String WRONG_POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <parent>
          <groupId>io.millrace</groupId>
          <artifactId>millrace-parent</artifactId>
          <version>%s</version>
          <relativePath>../../../pom.xml</relativePath>
        </parent>
        <artifactId>wrong</artifactId>
      </project>
      """;

  @Test
  @Timeout(300)
  void compile_nullReturnedWhereNoneMayBe_isRefused() throws IOException, InterruptedException {
    Machine.require("mvn");
    write("pom.xml", WRONG_POM.formatted(version()));
    write("src/main/java/p/package-info.java", "@org.jspecify.annotations.NullMarked package p;");
    write("src/main/java/p/Wrong.java", "package p; class Wrong { Object no() { return null; } }");

    Process maven = compile();
    String output = new String(maven.getInputStream().readAllBytes());

    assertThat(maven.waitFor()).as(output).isNotZero();
    assertThat(output).contains("Wrong.java:[1,", "[NullAway] returning @Nullable expression");
  }

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

  private static Process compile() throws IOException {
    ProcessBuilder maven =
        new ProcessBuilder("mvn", "-o", "-q", "-Denforcer.skip", "compile")
            .directory(WRONG.toFile())
            .redirectErrorStream(true);
    // What this build needed is there, wherever it came from.
    maven.command().add("-Daether.enhancedLocalRepository.trackingFilename=none");
    String repository = System.getProperty("localRepository");
    if (repository != null) {
      maven.command().add("-Dmaven.repo.local=" + repository);
    }
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return maven.start();
  }

  private static void write(String name, String text) throws IOException {
    Path file = WRONG.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String version() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    return pom.replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
  }

  private static List<Path> mainSources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().matches("\\.\\./[^/]+/src/main/.*\\.java"))
          .toList();
    }
  }
}
