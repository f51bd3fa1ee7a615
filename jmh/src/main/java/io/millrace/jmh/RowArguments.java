package io.millrace.jmh;

import io.millrace.cli.option.PathConverter;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a table of measurements, as given on the command line. */
final class RowArguments {

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      converter = PathConverter.class,
      defaultValue = "millrace-bench",
      description = "Where files are written and removed again (default: ${DEFAULT-VALUE}).")
  Path dir = Path.of("millrace-bench");

  @Option(names = "--json", description = "Write one JSON object for each row.")
  boolean isJson;

  @Option(
      names = "--rows",
      paramLabel = "REGEX",
      converter = RegexConverter.class,
      defaultValue = ".*",
      description = "Only the rows whose name matches.")
  private Pattern rows = Pattern.compile(".*");

  /** Tells whether the row is to be measured. */
  boolean isWanted(String name) {
    return rows.matcher(name).find();
  }

  /** Refuses a table without rows, which is nobody's wish. */
  void requireRow(CommandSpec command, List<String> names) {
    if (names.stream().noneMatch(this::isWanted)) {
      throw new ParameterException(
          command.commandLine(),
          "--rows matches none: '%s'; there are %s".formatted(rows, String.join(", ", names)));
    }
  }
}
