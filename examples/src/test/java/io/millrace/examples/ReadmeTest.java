package io.millrace.examples;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineOptions;
import io.millrace.api.Limits;
import io.millrace.tables.ReservedTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java that the README and the docs show is what is compiled and run, and the limits that they
 * tell are the program's.
 */
class ReadmeTest {

  private static final Path README = Path.of("..", "README.md");
  private static final Path DOCS = Path.of("..", "docs");

  /** Programs of the examples, and those that only an application of a framework shows. */
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src"),
          Path.of("..", "spring-tests", "src"),
          Path.of("..", "micronaut-tests", "src"),
          Path.of("..", "quarkus-tests", "src"));

  private static final String COMMAND =
      "mvn -pl examples -am test -Dtest=ReadmeTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dmillrace.docs=write";
  private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)\\n```$");
  private static final Pattern REGION =
      Pattern.compile("(?ms)^ *// region ([^\\n]*)\\n(.*?)\\s*// endregion$");

  /** Puts what the regions say now in the place of snippets that are none of them any more. */
  @BeforeAll
  static void writeIfAsked() throws IOException {
    if (!"write".equals(System.getProperty("millrace.docs"))) {
      return;
    }
    List<String> regions = texts();
    List<Path> documents = documents().toList();
    List<String> unshown = new ArrayList<>(regions);
    documents.forEach(document -> unshown.removeAll(snippets(document)));
    for (Path document : documents) {
      String page = text(document);
      for (String snippet : snippets(document)) {
        if (!regions.contains(snippet) && !unshown.isEmpty()) {
          String now = Collections.max(unshown, comparingLong(each -> sharedLines(each, snippet)));
          unshown.remove(now);
          page = page.replace("```java\n" + snippet + "\n```", "```java\n" + now + "\n```");
        }
      }
      Files.writeString(document, page);
    }
  }

  private static long sharedLines(String one, String other) {
    return one.lines().filter(other.lines().toList()::contains).count();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void snippets_ofJava_areRegionsOfTheExamples(Path document) {
    assertThat(snippets(document))
        .as(
            "snippets of "
                + document
                + ", which this command makes those of the examples: "
                + COMMAND)
        .isNotEmpty()
        .isSubsetOf(texts());
  }

  @Test
  void regions_ofTheExamples_haveNamesOfTheirOwnAndAreEachShownOnce() throws IOException {
    List<String> shown = documents().flatMap(page -> snippets(page).stream()).toList();

    assertThat(regions().map(region -> region.group(1))).doesNotHaveDuplicates();
    assertThat(regions())
        .allSatisfy(
            region ->
                assertThat(shown)
                    .as(region.group(1))
                    .containsOnlyOnce(region.group(2).stripIndent()));
  }

  private static List<String> texts() {
    return regions().map(region -> region.group(2).stripIndent()).toList();
  }

  private static Stream<MatchResult> regions() {
    return SOURCES.stream().flatMap(ReadmeTest::regions);
  }

  private static Stream<MatchResult> regions(Path sources) {
    try (Stream<Path> files = walk(sources)) {
      return files
          .filter(each -> each.toString().endsWith(".java"))
          .flatMap(each -> REGION.matcher(text(each)).results())
          .toList()
          .stream();
    }
  }

  private static List<String> snippets(Path document) {
    return SNIPPET.matcher(text(document)).results().map(match -> match.group(1)).toList();
  }

  /** The README, and every page of the docs that shows Java. */
  static Stream<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(README));
    try (Stream<Path> pages = Files.list(DOCS)) {
      pages.filter(page -> page.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    return documents.stream().filter(page -> SNIPPET.matcher(text(page)).find());
  }

  @Test
  void limits_inTheTable_areThoseOfTheProgram() {
    assertThat(text(DOCS.resolve("limits.md")))
        .contains(
            row("| queue name | 1 to %d bytes of UTF-8, any characters |", Limits.NAME_BYTES_MAX),
            row("| tenant | 0 to %d bytes of UTF-8, any characters |", Limits.NAME_BYTES_MAX),
            row("| worker name | 1 to %d bytes of UTF-8 |", Limits.WORKER_BYTES_MAX),
            row("| payload | %d MiB |", Limits.PAYLOAD_BYTES_MAX >> 20),
            row(
                "| headers of a job | %d entries, %d KiB |",
                Limits.HEADER_COUNT_MAX, Limits.HEADER_BYTES_MAX >> 10),
            row(
                "| one call of many | %,d jobs, %d MiB |",
                Limits.CALL_JOB_COUNT_MAX, Limits.CALL_BYTES_MAX >> 20),
            row("| batches within each other | %d |", Limits.BATCH_DEPTH_MAX),
            row(
                "| lease | %d ms to %d days |",
                Limits.LEASE_LEAST.toMillis(), Limits.LEASE_MAX.toDays()),
            row(
                "| lease on a whole queue | %d ms to %d days, %,d at a time |",
                Limits.LEASE_LEAST.toMillis(),
                Limits.LEASE_MAX.toDays(),
                Limits.QUEUE_LEASE_COUNT_MAX),
            row("| delay | %,d days |", Limits.DELAY_MAX.toDays()),
            row("| attempts | %,d |", Limits.MAX_ATTEMPTS_MAX),
            row("| weight | 1 to %,d |", Limits.WEIGHT_MAX),
            row(
                "| unique key | 1 to %d bytes of UTF-8; `within` 1 ms to %,d days |",
                Limits.KEY_BYTES_MAX, Limits.DELAY_MAX.toDays()),
            row("| concurrency key, rate key | 1 to %d bytes of UTF-8 |", Limits.KEY_BYTES_MAX),
            row(
                "| jobs of a concurrency key at a time, in a queue or in the engine | 1 to %,d |",
                Limits.PER_KEY_MAX),
            row(
                "| rate limit of a queue, of each of its concurrency keys, or of a rate key | 1 to"
                    + " %,d starts per %d ms to %d days, burst 1 to %,d |",
                Limits.RATE_COUNT_MAX,
                Limits.RATE_PER_LEAST.toMillis(),
                Limits.RATE_PER_MAX.toDays(),
                Limits.RATE_BURST_MAX),
            row("| share of a tenant | 1 to %,d jobs in a turn |", Limits.SHARE_MAX),
            row("| error text that is kept | %d KiB, ", Limits.ERROR_BYTES_MAX >> 10),
            row(
                "| waits for ends of jobs | %,d (`awaitCountMax`)",
                EngineOptions.DEFAULT.awaitCountMax()),
            row(
                "| job listeners | %d; %,d events may wait for each",
                Limits.LISTENER_COUNT_MAX, Limits.LISTENER_EVENT_COUNT_MAX),
            row(
                "| name of a table | 1 to %d bytes of UTF-8, not beginning with `%s` |",
                Limits.NAME_BYTES_MAX, ReservedTables.PREFIX),
            row(
                "| row of a table | key 0 to %d bytes, value %d MiB |",
                Limits.KEY_BYTES_MAX, Limits.TABLE_VALUE_BYTES_MAX >> 20),
            row(
                "| rows of a table in one call of many | %,d, %d MiB |",
                Limits.CALL_ROW_COUNT_MAX, Limits.CALL_BYTES_MAX >> 20),
            row("| page of a listing | %,d entries |", Limits.PAGE_SIZE_MAX));
  }

  private static String row(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static Stream<Path> walk(Path sources) {
    try {
      return Files.walk(sources);
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
}
