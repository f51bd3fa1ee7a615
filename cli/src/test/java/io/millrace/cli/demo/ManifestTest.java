package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManifestTest {

  private static final String SUM = "0123456789abcdef".repeat(4);

  @TempDir private Path temp;

  @Test
  void line_plainName_isAsSha256sumWritesIt() {
    assertThat(line("a b")).isEqualTo(SUM + "  a b\n");
    assertThat(line("*star")).isEqualTo(SUM + "  *star\n");
  }

  @Test
  void line_nameWithBackslashOrLineEnd_isEscapedAndSaysSo() {
    assertThat(line("a\\b")).isEqualTo("\\" + SUM + "  a\\\\b\n");
    assertThat(line("a\nb\r")).isEqualTo("\\" + SUM + "  a\\nb\\r\n");
  }

  @Test
  void line_dashAlone_doesNotMeanStandardInput() {
    assertThat(line("-")).isEqualTo(SUM + "  ./-\n");
    assertThat(line("-x")).isEqualTo(SUM + "  -x\n");
  }

  @Test
  void parse_row_isTheFile() {
    HashedFile file = new HashedFile("a%20b", 7, 1_234_567_890_123_456_789L, SUM);

    assertThat(HashedFile.parse(file.row())).isEqualTo(file);
  }

  @Test
  void write_overAnEarlierOne_replacesItAndLeavesNothingElse() throws IOException {
    Path target = temp.resolve("manifest.sha256");
    Files.writeString(target, "earlier");
    Files.writeString(
        temp.resolve("manifest.sha256.tmp"), "torn by a crash, and longer than the new");

    Manifest.write(target, List.of(new HashedFile("a", 1, 2, SUM)));

    assertThat(target).hasContent(SUM + "  a\n");
    assertThat(temp.toFile().list()).containsExactly("manifest.sha256");
  }

  private static String line(String name) {
    byte[] line = new HashedFile(Names.escaped(Names.of(name)), 1, 2, SUM).manifestLine();
    return new String(line, StandardCharsets.UTF_8);
  }
}
