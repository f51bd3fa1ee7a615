package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command with every input that a careless user may give it: each is answered in a sentence,
 * with the exit code that the help promises, and none with an internal error.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WrongInputsTest {

  private static final String TABLE = "wrong-inputs.txt";
  private static final int ROW_COUNT_LEAST = 150;
  private static final Pattern ROW = Pattern.compile("([0-3]) (.*?) *\\| (.+)");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern NAME = Pattern.compile("\\{([a-z.]+)}");

  private Optional<WrongInputs> inputs = Optional.empty();

  /**
   * A line of the table.
   *
   * @param command as typed, with names in braces
   * @param exitCode that is expected
   * @param fragment of what is said
   */
  record Row(String command, int exitCode, String fragment) {

    @Override
    public String toString() {
      return command;
    }
  }

  @BeforeAll
  void prepare(@TempDir Path temp) throws IOException {
    inputs = Optional.of(new WrongInputs(temp));
  }

  @AfterAll
  void remove() throws IOException {
    inputs.orElseThrow().close();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void execute_wrongInput_isToldInASentenceWithItsExitCode(Row row) {
    CommandRun run = CommandRun.of(words(row.command()).toArray(String[]::new));

    assertThat(run.err()).contains(filled(row.fragment()));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(row.exitCode());
    assertThat(run.err())
        .startsWith("millrace: ")
        .doesNotContain("internal error", "\tat ", "Exception", "null");
    boolean isUsage = row.exitCode() == ExitCode.USAGE;
    assertThat(run.err().lines().filter(line -> line.startsWith("Try 'millrace")))
        .hasSize(isUsage ? 1 : 0);
    assertThat(run.err().lines().filter(line -> !line.startsWith("millrace: ")))
        .as("lines that say something else")
        .hasSizeLessThanOrEqualTo(isUsage ? 2 : 0);
  }

  @Test
  void rows_ofTheTable_areManyAndOfEveryCommand() throws IOException {
    List<Row> all = rows().toList();

    assertThat(all).hasSizeGreaterThanOrEqualTo(ROW_COUNT_LEAST).doesNotHaveDuplicates();
    assertThat(all.stream().map(row -> row.command().split(" ")[0]).distinct())
        .contains(
            "demo", "inspect", "top", "workers", "queue", "job", "dead", "verify", "backup",
            "reopen", "restore", "copy", "repair");
  }

  static Stream<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    try (InputStream in = WrongInputsTest.class.getResourceAsStream(TABLE)) {
      String text =
          new String(Objects.requireNonNull(in, TABLE).readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          rows.add(row(line));
        }
      }
    }
    return rows.stream();
  }

  private static Row row(String line) {
    Matcher row = ROW.matcher(line);
    if (!row.matches()) {
      throw new IllegalArgumentException("not a row: " + line);
    }
    return new Row(row.group(2), Integer.parseInt(row.group(1)), row.group(3));
  }

  /** As a shell would split it. */
  private List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      words.add(filled(word.group(1) != null ? word.group(1) : word.group(2)));
    }
    return words;
  }

  private String filled(String text) {
    Map<String, String> names = inputs.orElseThrow().names();
    return NAME.matcher(text)
        .replaceAll(
            name ->
                Matcher.quoteReplacement(
                    Objects.requireNonNull(names.get(name.group(1)), name.group())));
  }
}
