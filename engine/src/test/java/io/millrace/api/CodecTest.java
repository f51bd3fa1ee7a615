package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodecTest {

  @Test
  void longs_asBytes_areInTheirOwnOrder() {
    List<Long> rising = List.of(Long.MIN_VALUE, -256L, -2L, -1L, 0L, 1L, 255L, Long.MAX_VALUE);
    for (int i = 0; i < rising.size(); i++) {
      byte[] bytes = Codec.LONG.encode(rising.get(i));
      assertThat(bytes).hasSize(8);
      assertThat(Codec.LONG.decode(bytes)).isEqualTo(rising.get(i));
      for (int j = 0; j < i; j++) {
        assertThat(Arrays.compareUnsigned(Codec.LONG.encode(rising.get(j)), bytes)).isNegative();
      }
    }
    assertThat(Codec.LONG.encode(1L)).isEqualTo(new byte[] {(byte) 0x80, 0, 0, 0, 0, 0, 0, 1});
    assertThatThrownBy(() -> Codec.LONG.decode(new byte[7]))
        .isInstanceOf(CodecException.class)
        .hasMessage("bytes are no number: length=7, expected=8");
  }

  @Test
  void texts_thatUtf8CannotHold_areRefusedBothWays() {
    assertThat(Codec.TEXT.encode("ünï€𝄞")).isEqualTo("ünï€𝄞".getBytes(UTF_8));
    assertThat(Codec.TEXT.decode("ünï€𝄞".getBytes(UTF_8))).isEqualTo("ünï€𝄞");
    assertThat(Codec.TEXT.decode(new byte[0])).isEmpty();
    assertThat(Codec.TEXT.contentType()).contains("text/plain; charset=utf-8");
    assertThatThrownBy(() -> Codec.TEXT.encode("a\ud800"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unpaired surrogate at index 1");
    assertThatThrownBy(() -> Codec.TEXT.decode(new byte[] {(byte) 0xff}))
        .isInstanceOf(CodecException.class)
        .hasMessage("bytes are no text in UTF-8: length=1");
  }

  @Test
  void bytes_encoded_areACopy() {
    byte[] value = {1, 2};
    byte[] encoded = Codec.BYTES.encode(value);

    assertThat(encoded).isEqualTo(value).isNotSameAs(value);
    assertThat(Codec.BYTES.decode(encoded)).isSameAs(encoded);
    assertThat(Codec.BYTES.contentType()).isEmpty();
  }
}
