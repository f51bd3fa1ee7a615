package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BytesTest {

  @Test
  void numbers_atAnyOffset_areBigEndian() {
    byte[] bytes = new byte[14];

    Bytes.putInt(bytes, 1, 0x03040506);
    Bytes.putLong(bytes, 5, 0x0708090a0b0c0d0eL);

    assertThat(Bytes.hex(bytes)).isEqualTo("00030405060708090a0b0c0d0e00");
    assertThat(Bytes.getInt(bytes, 1)).isEqualTo(0x03040506);
    assertThat(Bytes.getLong(bytes, 5)).isEqualTo(0x0708090a0b0c0d0eL);
  }

  @Test
  void successor_ofAnyKey_isTheNextOneThereCanBe() {
    byte[] key = {1, (byte) 0xff};

    byte[] successor = Bytes.successor(key);

    assertThat(successor).containsExactly(1, 0xff, 0);
    assertThat(Arrays.compareUnsigned(key, successor)).isNegative();
  }

  @Test
  void prefixEnd_ofPrefix_isAfterAllThatBeginWithIt() {
    assertThat(Bytes.prefixEnd(new byte[] {1, 2})).containsExactly(1, 3);
    assertThat(Bytes.prefixEnd(new byte[] {1, 0x7f})).containsExactly(1, 0x80);
    assertThat(Bytes.prefixEnd(new byte[] {1, (byte) 0xff, (byte) 0xff})).containsExactly(2);
  }

  @Test
  void prefixEnd_ofHighestBytesOnly_isRefused() {
    assertThatThrownBy(() -> Bytes.prefixEnd(new byte[] {(byte) 0xff}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("prefix has no end: prefix=ff");
  }
}
