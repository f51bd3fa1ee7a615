package io.millrace.console.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadTextTest {

  @ParameterizedTest
  @CsvSource({
    "text/plain; charset=ISO-8859-1,  ISO-8859-1",
    "text/plain;CHARSET=\"utf-16be\", UTF-16BE",
    "text/plain; charset=utf-8,       UTF-8",
    "text/plain; charset=none-such,   UTF-8",
    "application/json,                UTF-8"
  })
  void of_contentType_isReadInItsCharacterSet(String contentType, String charset) {
    byte[] bytes = "Grüße".getBytes(Charset.forName(charset));

    assertThat(PayloadText.of(bytes, Optional.of(contentType))).isEqualTo("Grüße");
  }

  @Test
  void of_json_isIndented() {
    byte[] json = "{\"a\":[1,2.50]}".getBytes(StandardCharsets.UTF_8);

    assertThat(PayloadText.of(json, Optional.of("application/json")))
        .contains("\"a\" : [ 1, 2.50 ]");
  }

  @Test
  void of_bytesThatAreNoText_areInHexadecimal() {
    assertThat(PayloadText.of(new byte[] {(byte) 0xFF, 0, 1}, Optional.of("text/plain")))
        .isEqualTo("ff 00 01\n");
  }
}
