package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dependencies of the packages of the command line, by jdeps. */
@Tag("slow")
final class PackagesTest {

  private static final Pattern ARROW =
      Pattern.compile("io\\.millrace\\.(cli\\b[.\\w]*) +-> io\\.millrace\\.(cli\\b[.\\w]*) ");

  private static final Set<String> SHARED =
      Set.of("cli.command", "cli.option", "cli.pages", "cli.place", "cli.text");

  @Test
  void packages_thatCommandsShare_knowNoCommands() {
    Map<String, Set<String>> arrows = arrows();

    assertThat(arrows.get("cli.queue")).contains("cli.option");
    SHARED.forEach(
        shared -> assertThat(SHARED).as(shared).containsAll(arrows.getOrDefault(shared, Set.of())));
  }

  @Test
  void packages_all_formNoRing() {
    assertThat(leadingRound(arrows())).isEmpty();
  }

  @Test
  void packages_thatUseEachOther_areFound() {
    Map<String, Set<String>> arrows =
        Map.of("main", Set.of("ping"), "ping", Set.of("pong"), "pong", Set.of("ping", "end"));

    assertThat(leadingRound(arrows)).containsExactly("main", "ping", "pong");
  }

  /** Takes away, again and again, the packages that lead to none which is left. */
  private static Set<String> leadingRound(Map<String, Set<String>> arrows) {
    Set<String> left = new TreeSet<>(arrows.keySet());
    while (left.removeIf(name -> arrows.get(name).stream().noneMatch(left::contains))) {
      continue;
    }
    return left;
  }

  private static Map<String, Set<String>> arrows() {
    StringWriter report = new StringWriter();
    PrintWriter out = new PrintWriter(report);
    String classes = Path.of("target", "classes").toString();
    ToolProvider.findFirst("jdeps").orElseThrow().run(out, out, "-verbose:package", classes);

    Map<String, Set<String>> arrows = new TreeMap<>();
    for (MatchResult arrow : ARROW.matcher(report.toString()).results().toList()) {
      arrows.computeIfAbsent(arrow.group(1), name -> new TreeSet<>()).add(arrow.group(2));
    }
    return arrows;
  }
}
