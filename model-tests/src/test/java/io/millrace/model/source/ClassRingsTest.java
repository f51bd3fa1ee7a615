package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The arrows between the classes of a package lead one way, never round in a ring, so that each
 * class can be read after those that it uses. A nested class is part of its outer one.
 *
 * <p>The arrows are those of jdeps. ArchUnit would miss the commonest cause of a ring: a constant
 * of another class, whose value the compiler copies.
 */
@Tag("slow")
class ClassRingsTest {

  private static final Pattern ARROW = Pattern.compile(" ([\\w.$]+) +-> ([\\w.$]+)");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.millrace.describe",
        "io.millrace.engine",
        "io.millrace.internal.commit",
        "io.millrace.internal.copy",
        "io.millrace.internal.explain",
        "io.millrace.internal.read",
        "io.millrace.internal.state",
        "io.millrace.internal.timer",
        "io.millrace.internal.transition",
        "io.millrace.internal.transition.due",
        "io.millrace.internal.transition.job",
        "io.millrace.internal.transition.lease",
        "io.millrace.internal.transition.move",
        "io.millrace.internal.transition.queue",
        "io.millrace.internal.transition.table",
        "io.millrace.internal.transition.transact",
        "io.millrace.internal.transition.upkeep",
        "io.millrace.options",
        "io.millrace.store.lmdb",
        "io.millrace.store.postgresql",
        "io.millrace.store.rocksdb"
      })
  void classes_ofThePackage_formNoRing(String packageName) throws IOException {
    assertThat(rings(arrows("classes", packageName))).isEmpty();
  }

  @Test
  void classes_thatUseEachOther_areFoundAndNamed() throws IOException {
    String packageName = "io.millrace.model.source.ring";

    assertThat(rings(arrows("test-classes", packageName))).containsExactly(Set.of("Ping", "Pong"));
  }

  /** Which classes of the package each one of them uses. */
  private static Map<String, Set<String>> arrows(String output, String packageName)
      throws IOException {
    StringWriter report = new StringWriter();
    PrintWriter out = new PrintWriter(report);
    String folder = folder(output, packageName).toString();
    ToolProvider.findFirst("jdeps").orElseThrow().run(out, out, "-v", folder);

    Map<String, Set<String>> arrows = new TreeMap<>();
    for (MatchResult arrow : ARROW.matcher(report.toString()).results().toList()) {
      String user = simpleName(packageName, arrow.group(1));
      String used = simpleName(packageName, arrow.group(2));
      if (!user.isEmpty() && !used.isEmpty() && !user.equals(used)) {
        arrows.computeIfAbsent(user, name -> new TreeSet<>()).add(used);
      }
    }
    assertThat(arrows).as("arrows that jdeps found: %s", report).isNotEmpty();
    return arrows;
  }

  private static Path folder(String output, String packageName) throws IOException {
    String inside = "target/" + output + "/" + packageName.replace('.', '/');
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      return modules
          .map(module -> module.resolve(inside))
          .filter(Files::isDirectory)
          .findFirst()
          .orElseThrow();
    }
  }

  /** The name of the outermost class; empty if it is not of this very package. */
  private static String simpleName(String packageName, String className) {
    String topLevel = className.replaceFirst("\\$.*", "");
    int dot = topLevel.lastIndexOf('.');
    return topLevel.substring(0, Math.max(dot, 0)).equals(packageName)
        ? topLevel.substring(dot + 1)
        : "";
  }

  /** The classes of each ring: those that a class leads to and that lead back to it. */
  private static Set<Set<String>> rings(Map<String, Set<String>> arrows) {
    Map<String, Set<String>> ahead = new TreeMap<>();
    arrows.keySet().forEach(name -> ahead.put(name, reached(arrows, name)));
    Set<Set<String>> rings = new HashSet<>();
    for (String name : ahead.keySet()) {
      Set<String> ring = reached(arrows, name);
      ring.removeIf(other -> !ahead.getOrDefault(other, Set.of()).contains(name));
      if (!ring.isEmpty()) {
        rings.add(ring);
      }
    }
    return rings;
  }

  private static Set<String> reached(Map<String, Set<String>> arrows, String from) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      for (String next : arrows.getOrDefault(open.pop(), Set.of())) {
        if (reached.add(next)) {
          open.push(next);
        }
      }
    }
    return reached;
  }
}
