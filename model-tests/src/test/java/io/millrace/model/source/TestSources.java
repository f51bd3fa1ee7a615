package io.millrace.model.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tests of all modules, as their sources tell of them: whether these are compiled by now, and
 * by whom, does not matter. The sources are as the formatter leaves them, so that lines tell what
 * is a class, a method, an annotation.
 */
final class TestSources {

  private static final Pattern OF_TESTS =
      Pattern.compile("(?m)^  @(\\w*Test|TestFactory|TestTemplate|Property|Example)\\b");

  private static final Pattern ABSTRACT = Pattern.compile("(?m)^(public )?abstract class ");
  private static final Pattern PARENT =
      Pattern.compile("(?m)^[a-z ]*class \\w+(?:<.*>)?\\s+extends (\\w+)");

  private static final String AT_NIGHT = "@Tag(\"nightly\")";

  private final Map<String, List<Path>> files;

  private TestSources(Map<String, List<Path>> files) {
    this.files = files;
  }

  /** Those of the modules of a repository, with the contract suites of its testkit. */
  static TestSources of(Path repository) {
    try (Stream<Path> modules = Files.list(repository)) {
      return new TestSources(
          modules
              .flatMap(module -> Stream.of("src/test/java", "src/main/java").map(module::resolve))
              .filter(Files::isDirectory)
              .flatMap(TestSources::sourcesIn)
              .collect(Collectors.groupingBy(TestSources::className)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> sourcesIn(Path folder) {
    try (Stream<Path> walk = Files.walk(folder)) {
      return walk.filter(file -> file.toString().endsWith("Test.java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String className(Path file) {
    return file.getFileName().toString().replaceFirst("\\.java$", "");
  }

  /**
   * Tells what is wrong with the name of a test, written {@code Class#method}; empty if continuous
   * integration runs it.
   */
  Optional<String> flaw(String test) {
    String[] parts = test.split("#", -1);
    if (parts.length != 2) {
      return Optional.of("is not written Class#method");
    }
    List<Path> ofTheName = files.getOrDefault(parts[0], List.of());
    if (ofTheName.isEmpty()) {
      return Optional.of("there is no such test class");
    }
    List<Path> withTheMethod =
        ofTheName.stream().filter(file -> annotations(file, parts[1]).isPresent()).toList();
    if (withTheMethod.isEmpty()) {
      return Optional.of("the class has no such method");
    }
    if (withTheMethod.size() > 1) {
      return Optional.of("several classes have such a test");
    }
    return flaw(withTheMethod.get(0), parts[1]);
  }

  private Optional<String> flaw(Path file, String method) {
    String source = text(file);
    String annotations = annotations(file, method).orElseThrow();
    if (ABSTRACT.matcher(source).find()) {
      return Optional.of("the class is abstract: name one that is run");
    }
    if (!OF_TESTS.matcher(annotations).find()) {
      return Optional.of("the method is no test");
    }
    boolean isAtNight = annotations.contains(AT_NIGHT) || source.contains("\n" + AT_NIGHT);
    return isAtNight ? Optional.of("it is run at night alone") : Optional.empty();
  }

  /** What stands above a method that the class declares, or inherits of another test class. */
  private Optional<String> annotations(Path file, String method) {
    String source = text(file);
    Matcher declared =
        Pattern.compile("(?m)^  [\\w<>\\[\\], .?]+ " + Pattern.quote(method) + "\\(")
            .matcher(source);
    if (declared.find()) {
      return Optional.of(
          source.substring(source.lastIndexOf("\n\n", declared.start()), declared.start()));
    }
    Matcher parent = PARENT.matcher(source);
    if (!parent.find()) {
      return Optional.empty();
    }
    return files.getOrDefault(parent.group(1), List.of()).stream()
        .flatMap(each -> annotations(each, method).stream())
        .findFirst();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
