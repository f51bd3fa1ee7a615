package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the index of docs/adr to the records that there are. */
class DecisionIndexTest {

  private static final Path FOLDER = Path.of("..", "docs", "adr");
  private static final Pattern LINK = Pattern.compile("\\((\\d{4}-[^)]*\\.md)\\)");

  @Test
  void index_ofDecisions_namesEachRecordOnce() throws IOException {
    List<String> listed =
        LINK.matcher(Files.readString(FOLDER.resolve("README.md")))
            .results()
            .map(link -> link.group(1))
            .sorted()
            .toList();

    assertThat(listed).isEqualTo(records());
  }

  private static List<String> records() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("\\d{4}-.*\\.md"))
          .sorted()
          .toList();
    }
  }
}
