package io.millrace.model.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What documents may name of Millrace: its public types, their members, and its commands. */
final class PublicNames {

  private static final List<String> PACKAGES =
      List.of(
          "io.millrace",
          "io.millrace.api",
          "io.millrace.engine",
          "io.millrace.management",
          "io.millrace.spi",
          "io.millrace.worker");

  private static final Pattern COMMAND = Pattern.compile("@Command\\(\\s*name = \"([a-z-]+)\"");
  private static final String PROGRAM = "./millrace ";

  private final Set<String> commands;

  private PublicNames(Set<String> commands) {
    this.commands = commands;
  }

  static PublicNames of(Path repository) {
    try (Stream<Path> files = Files.walk(repository.resolve("cli/src/main/java"))) {
      return new PublicNames(
          files
              .filter(Files::isRegularFile)
              .flatMap(file -> COMMAND.matcher(text(file)).results())
              .map(match -> match.group(1))
              .collect(Collectors.toSet()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether there is such a type, member of a type ({@code Lease.extend}, {@code
   * EnqueueResult.QueueFull}) or command ({@code ./millrace dead redrive}).
   */
  boolean has(String name) {
    if (name.startsWith(PROGRAM)) {
      return Stream.of(name.substring(PROGRAM.length()).split(" ")).allMatch(commands::contains);
    }
    List<String> parts = List.of(name.split("\\.", -1));
    return type(parts.get(0)).filter(found -> has(found, parts, 1)).isPresent();
  }

  private static Optional<Class<?>> type(String simpleName) {
    return PACKAGES.stream()
        .flatMap(each -> find(each + "." + simpleName).stream())
        .filter(each -> Modifier.isPublic(each.getModifiers()))
        .findFirst();
  }

  private static Optional<Class<?>> find(String className) {
    try {
      return Optional.of(Class.forName(className, false, PublicNames.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }

  private static boolean has(Class<?> type, List<String> parts, int at) {
    if (at == parts.size()) {
      return true;
    }
    String name = parts.get(at);
    for (Class<?> nested : type.getClasses()) {
      if (nested.getSimpleName().equals(name)) {
        return has(nested, parts, at + 1);
      }
    }
    return at == parts.size() - 1
        && Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getFields()))
            .anyMatch(member -> member.getName().equals(name));
  }
}
