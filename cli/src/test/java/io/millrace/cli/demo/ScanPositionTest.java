package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ScanPositionTest {

  @Test
  void decode_whatWasEncoded_isTheSame() {
    for (FileName name : Names.ODD) {
      ScanPosition position = ScanPosition.START.after(Names.of("x")).after(name);

      assertThat(ScanPosition.decode(position.encode())).isEqualTo(position);
    }
    assertThat(ScanPosition.decode(ScanPosition.START.encode())).isEqualTo(ScanPosition.START);
  }

  @Test
  void encode_position_isReadable() {
    ScanPosition position = ScanPosition.START.after(Names.of("a")).after(Names.of("b/c"));

    assertThat(new String(position.encode(), StandardCharsets.UTF_8)).isEqualTo("2\nb/c");
  }
}
