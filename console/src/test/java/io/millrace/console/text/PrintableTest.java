package io.millrace.console.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PrintableTest {

  @Test
  void text_withControlAndFormatCharacters_escapesThem() {
    String shown = Printable.text("a\u001b[31m\n\t\r\u0007\u202e\u2028b\\é漢😀");

    assertThat(shown).isEqualTo("a\\u001b[31m\\n\\t\\r\\u0007\\u202e\\u2028b\\é漢😀");
  }

  @Test
  void text_withLoneSurrogateAndUnassigned_escapesThem() {
    String shown = Printable.text("\ud800x" + Character.toString(0xE0001));

    assertThat(shown).isEqualTo("\\ud800x\\U000e0001");
  }

  @Test
  void text_longerThanTheLimit_isCutWithAMark() {
    assertThat(Printable.text("0123456789", 10)).isEqualTo("0123456789");
    assertThat(Printable.text("0123456789a", 10)).isEqualTo("0123456...");
    assertThat(Printable.text("\n".repeat(100), 10)).isEqualTo("\\n\\n\\n\\...");
  }

  @Test
  void text_cutInsideASurrogatePair_leavesNoHalf() {
    assertThat(Printable.text("12😀45678", 6)).isEqualTo("12...");
  }

  @Test
  void name_notUtf8_showsItsBytes() {
    byte[] name = {'a', (byte) 0xff, '\n', (byte) 0xc3, 'b'};

    assertThat(Printable.name(name)).isEqualTo("a\\xff\\n\\xc3b");
  }

  @Test
  void payload_printableText_isShownAsText() {
    byte[] payload = "grüße\nan alle".getBytes(StandardCharsets.UTF_8);

    assertThat(Printable.payload(payload, 40)).isEqualTo("grüße\\nan alle");
  }

  @Test
  void payload_binary_isShownInHex() {
    assertThat(Printable.payload(new byte[] {0, 1, (byte) 0xfe}, 40)).isEqualTo("0x0001fe");
    assertThat(Printable.payload(new byte[100], 12)).isEqualTo("0x0000000...");
  }

  @Test
  void payload_empty_isEmpty() {
    assertThat(Printable.payload(new byte[0], 40)).isEmpty();
  }
}
