package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TallyKeysTest {

  @Test
  void key_ofATally_isAsTheDiagramSays() {
    byte[] key = TallyKeys.key(0x0102);

    assertThat(Bytes.hex(key)).isEqualTo("14106d696c6c726163652e74616c6c6965730000000000000102");
    assertThat(TallyKeys.isKey(key)).isTrue();
    assertThat(TallyKeys.isDueKey(key)).isFalse();
    assertThat(TallyKeys.number(key)).isEqualTo(0x0102);
    assertThat(TableKeys.isOwn(key)).isTrue();
    assertThat(TableCatalog.isKey(key)).isFalse();
    assertInside(TallyKeys.start(), key, TallyKeys.end());
  }

  @Test
  void dueKey_ofATally_isAsTheDiagramSaysAndInTheOrderOfTime() {
    byte[] key = TallyKeys.dueKey(0x0506, 0x0102);

    assertThat(Bytes.hex(key))
        .isEqualTo("14146d696c6c726163652e74616c6c6965732d64756500000000000005060000000000000102");
    assertThat(TallyKeys.isDueKey(key)).isTrue();
    assertThat(TallyKeys.isDueKey(TallyKeys.dueKey(0, 0))).isTrue();
    assertThat(TallyKeys.isKey(key)).isFalse();
    assertThat(TallyKeys.dueMs(key)).isEqualTo(0x0506);
    assertThat(TallyKeys.dueNumber(key)).isEqualTo(0x0102);
    assertThat(RowCheck.flaw(key, TallyKeys.encodeDue(key))).isNull();
    assertInside(TallyKeys.dueStart(), key, TallyKeys.dueEnd());
    assertInside(TallyKeys.dueKey(0, 0), TallyKeys.dueKey(0x0505, Long.MAX_VALUE), key);
  }

  @Test
  void signal_ofATally_isNoNameAndIsReadBack() {
    byte[] signal = TallyKeys.signal(0x0102);

    assertThat(Bytes.hex(signal)).isEqualTo("ff0000000000000102");
    assertThat(TallyKeys.isSignal(signal)).isTrue();
    assertThat(TallyKeys.ofSignal(signal)).isEqualTo(0x0102);
    assertThatThrownBy(() -> StrictUtf8.decode(signal, 0, signal.length))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(TallyKeys.isSignal("a signal.".getBytes(UTF_8))).isFalse();
  }

  @Test
  void keys_thatAreCutOrOfNoNumber_areNotTaken() {
    byte[] key = TallyKeys.key(1);
    byte[] negative = key.clone();
    negative[negative.length - 8] = (byte) 0x80;

    assertThat(TallyKeys.isKey(Arrays.copyOf(key, key.length - 1))).isFalse();
    assertThat(TallyKeys.isKey(Arrays.copyOf(key, key.length + 1))).isFalse();
    assertThat(TallyKeys.isKey(negative)).isFalse();
    assertThat(TallyKeys.isKey(TallyKeys.key(0))).isFalse();
    assertThatThrownBy(() -> TallyKeys.key(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertInside(byte[] start, byte[] key, byte[] end) {
    assertThat(Arrays.compareUnsigned(start, key)).isNotPositive();
    assertThat(Arrays.compareUnsigned(key, end)).isNotPositive();
  }
}
