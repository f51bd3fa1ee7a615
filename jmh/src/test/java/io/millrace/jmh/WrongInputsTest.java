package io.millrace.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The benchmarks with every input that a careless user may give them: each is answered in a
 * sentence, before anything is measured, and none with an internal error.
 */
@Tag("slow")
final class WrongInputsTest {

  private static final Pattern ROW = Pattern.compile("([0-3]) (.*?) *\\| (.+)");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir private Path temp;

  /** A line of the table: what is typed, how it ends, and a part of what is said. */
  record Row(String command, int exitCode, String fragment) {

    @Override
    public String toString() {
      return command;
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void execute_wrongInput_isToldInASentenceWithItsExitCode(Row row) throws IOException {
    Files.writeString(temp.resolve("file"), "text");
    StringWriter err = new StringWriter();

    int exitCode =
        Main.commandLine(new BenchCommand())
            .setErr(new PrintWriter(err))
            .execute(words(row.command()).toArray(String[]::new));

    assertThat(err.toString()).startsWith("millrace: ").contains(filled(row.fragment()));
    assertThat(err.toString()).doesNotContain("internal error", "\tat ", "Exception", "null");
    assertThat(exitCode).as(err.toString()).isEqualTo(row.exitCode());
    assertThat(err.toString().lines().filter(line -> !line.startsWith("millrace: ")))
        .hasSizeLessThanOrEqualTo(row.exitCode() == 2 ? 2 : 0);
  }

  static Stream<Row> rows() throws IOException {
    try (InputStream in = WrongInputsTest.class.getResourceAsStream("wrong-inputs.txt")) {
      byte[] text = Objects.requireNonNull(in, "wrong-inputs.txt").readAllBytes();
      return new String(text, StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(WrongInputsTest::row)
              .toList()
              .stream();
    }
  }

  private static Row row(String line) {
    Matcher row = ROW.matcher(line);
    if (!row.matches()) {
      throw new IllegalArgumentException("not a row: " + line);
    }
    return new Row(row.group(2), Integer.parseInt(row.group(1)), row.group(3));
  }

  private List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      words.add(filled(word.group(1) != null ? word.group(1) : word.group(2)));
    }
    return words;
  }

  private String filled(String text) {
    return text.replace("{temp}", temp.toString());
  }
}
