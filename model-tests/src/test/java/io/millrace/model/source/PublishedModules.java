package io.millrace.model.source;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The modules that are published and have an API, and the packages that everybody sees of them. */
final class PublishedModules {

  private static final Pattern ARTIFACT =
      Pattern.compile("</parent>\\s*<artifactId>([\\w-]+)</artifactId>");
  private static final Pattern OF_BOM =
      Pattern.compile("<groupId>io.millrace</groupId><artifactId>([\\w-]+)</artifactId>");

  /**
   * Artifacts without an API: a program, the inside of two stores, what a server and its clients
   * share, whose API is the protocol, and starters, whose classes Spring Boot alone uses.
   */
  static final Set<String> WITHOUT_API =
      Set.of(
          "millrace-cli",
          "millrace-memtable",
          "millrace-protocol",
          "millrace-spring-boot-3-starter",
          "millrace-spring-boot-4-starter");

  private PublishedModules() {}

  /** Answers the folders of the modules, by their artifacts. */
  static Map<String, Path> of(Path repository) throws IOException {
    Map<String, Path> modules = new TreeMap<>();
    for (Path module : files(repository)) {
      Path pom = module.resolve("pom.xml");
      String text = Files.exists(pom) ? Files.readString(pom) : "";
      Matcher artifact = ARTIFACT.matcher(text);
      if (artifact.find() && !text.contains("<maven.deploy.skip>true<")) {
        modules.put(artifact.group(1), module);
      }
    }
    modules.keySet().removeAll(WITHOUT_API);
    return modules;
  }

  /** Answers the artifacts whose versions the bill of materials tells to those who import it. */
  static Set<String> ofBom(Path repository) throws IOException {
    return OF_BOM
        .matcher(Files.readString(repository.resolve("bom/pom.xml")))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Answers the folder of a module's classes. */
  static Path classes(Path module) {
    return module.resolve("target/classes");
  }

  /** Answers the packages that a module exports to everybody: all, if it has no descriptor. */
  static Set<String> packages(Path module) throws IOException {
    Path classes = classes(module);
    Path descriptor = classes.resolve("module-info.class");
    if (Files.exists(descriptor)) {
      try (InputStream in = Files.newInputStream(descriptor)) {
        return ModuleDescriptor.read(in).exports().stream()
            .filter(export -> !export.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toCollection(TreeSet::new));
      }
    }
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(file -> classes.relativize(file.getParent()).toString())
          .map(folder -> folder.replace('/', '.').replace('\\', '.'))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Lists what is in a folder, in the order of the names. */
  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
