package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JournalLineTest {

  private static final String SUM = "0123456789abcdef".repeat(4);

  @Test
  void encode_file_isOneLineOfText() {
    HashedFile file = new HashedFile(SUM, 12, 34, Names.of("a b\\c\nd"));

    byte[] line = JournalLine.encode(file);

    assertThat(new String(line, StandardCharsets.UTF_8)).isEqualTo(SUM + " 12 34 a b\\\\c\\nd\n");
  }

  @Test
  void decode_whatWasEncoded_isTheSame() {
    for (FileName name : Names.ODD) {
      HashedFile file = new HashedFile(SUM, Integer.MAX_VALUE * 5L, -1, name);
      byte[] line = JournalLine.encode(file);

      assertThat(JournalLine.decode(Arrays.copyOf(line, line.length - 1))).contains(file);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "0123 1 2 name",
        "  1 2 name",
        "SUM 1 2 ",
        "SUM 1 2",
        "SUM 1 name",
        "SUM -1 2 name",
        "SUM 9999999999999999999 2 name",
        "SUM 1 9999999999999999999 name",
        "SUM 1 2 name\\",
        "SUM 1 2 na\\me",
        "\u0000\u0000"
      })
  void decode_anythingElse_isEmpty(String line) {
    byte[] bytes = line.replace("SUM", SUM).getBytes(StandardCharsets.UTF_8);

    assertThat(JournalLine.decode(bytes)).isEmpty();
  }
}
