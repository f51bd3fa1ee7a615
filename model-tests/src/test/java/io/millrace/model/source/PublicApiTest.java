package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the public API to {@code config/api}, where a change of it is read and reviewed. */
class PublicApiTest {

  private static final Path REPOSITORY = Path.of("..");
  private static final Path FOLDER = REPOSITORY.resolve("config/api");
  private static final String COMMAND =
      "mvn -pl model-tests -am test -Dtest=PublicApiTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.api=write";

  @Test
  void publicApi_ofToday_isThatOfTheTexts() throws IOException {
    Map<String, List<String>> today = today();
    if ("write".equals(System.getProperty("millrace.api"))) {
      write(today);
    }

    List<String> difference = difference(written(), today);

    assertThat(difference)
        .withFailMessage(
            "the public API is not that of config/api (- went, + came); if you mean it, run%n"
                + "  %s%nand tell in CHANGELOG.md what its users have to do:%n  %s",
            COMMAND, String.join("\n  ", difference))
        .isEmpty();
  }

  @Test
  void publicApi_ofEachArtifactOfTheBillOfMaterials_isHeldUnlessItHasNone() throws IOException {
    Set<String> held = new TreeSet<>(PublishedModules.WITHOUT_API);
    today()
        .forEach(
            (file, lines) -> {
              assertThat(lines).as(file).isNotEmpty();
              held.add(file.replace(".txt", ""));
            });

    assertThat(held).isEqualTo(PublishedModules.ofBom(REPOSITORY));
  }

  @Test
  void difference_methodIsGoneAndAnotherHasCome_namesBoth() {
    List<String> before = new ApiText(Set.of()).lines(Before.class);
    List<String> after =
        new ApiText(Set.of())
            .lines(After.class).stream().map(line -> line.replace("After", "Before")).toList();

    assertThat(difference(Map.of("a.txt", before), Map.of("a.txt", after)))
        .containsExactly(
            "a.txt - io.millrace.model.source.PublicApiTest.Before.gone(): public abstract void",
            "a.txt + io.millrace.model.source.PublicApiTest.Before.come(): public abstract void");
    assertThat(difference(Map.of("a.txt", before), Map.of("a.txt", before))).isEmpty();
  }

  @Test
  void difference_artifactIsGoneAndAnotherHasCome_namesBoth() {
    assertThat(difference(Map.of("a.txt", List.of("A")), Map.of("b.txt", List.of("B"))))
        .containsExactly("a.txt - A", "b.txt + B");
  }

  interface Before {
    void kept();

    void gone();
  }

  interface After {
    void kept();

    void come();
  }

  /** Lists the lines that went, and those that came, each behind the name of its file. */
  private static List<String> difference(
      Map<String, List<String>> before, Map<String, List<String>> after) {
    Set<String> files = new TreeSet<>(before.keySet());
    files.addAll(after.keySet());
    List<String> difference = new ArrayList<>();
    for (String file : files) {
      List<String> was = before.getOrDefault(file, List.of());
      List<String> is = after.getOrDefault(file, List.of());
      was.stream()
          .filter(line -> !is.contains(line))
          .forEach(x -> difference.add(file + " - " + x));
      is.stream()
          .filter(line -> !was.contains(line))
          .forEach(x -> difference.add(file + " + " + x));
    }
    return difference;
  }

  private static Map<String, List<String>> written() throws IOException {
    Map<String, List<String>> written = new TreeMap<>();
    for (Path file : PublishedModules.files(FOLDER)) {
      written.put(file.getFileName().toString(), Files.readAllLines(file));
    }
    return written;
  }

  private static void write(Map<String, List<String>> texts) throws IOException {
    for (Path file : PublishedModules.files(FOLDER)) {
      Files.delete(file);
    }
    for (Map.Entry<String, List<String>> text : texts.entrySet()) {
      Files.writeString(FOLDER.resolve(text.getKey()), String.join("\n", text.getValue()) + "\n");
    }
  }

  private static Map<String, List<String>> today() throws IOException {
    Map<String, Path> artifacts = PublishedModules.of(REPOSITORY);
    Map<String, Set<String>> packages = new TreeMap<>();
    for (Map.Entry<String, Path> artifact : artifacts.entrySet()) {
      packages.put(artifact.getKey(), PublishedModules.packages(artifact.getValue()));
    }
    ApiText text =
        new ApiText(packages.values().stream().flatMap(Set::stream).collect(Collectors.toSet()));
    Map<String, List<String>> today = new TreeMap<>();
    artifacts.forEach(
        (artifact, module) ->
            today.put(
                artifact + ".txt",
                packages.get(artifact).stream()
                    .flatMap(each -> types(PublishedModules.classes(module), each))
                    .filter(text::isSeen)
                    .flatMap(type -> text.lines(type).stream())
                    .toList()));
    return today;
  }

  private static Stream<Class<?>> types(Path classes, String packageName) {
    try {
      return PublishedModules.files(classes.resolve(packageName.replace('.', '/'))).stream()
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class"))
          .map(name -> packageName + "." + name.replaceFirst("\\.class$", ""))
          .sorted()
          .map(PublicApiTest::type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name, false, PublicApiTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError("a published class is not on the class path", e);
    }
  }
}
