package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CorruptDataException;
import io.millrace.api.QueueSettings;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameSettingsTest {

  private static final QueueSettings SETTINGS =
      QueueSettings.DEFAULT
          .depthMax(7)
          .leaseDuration(Duration.ofSeconds(30))
          .retry(5, Backoff.fixed(Duration.ofSeconds(9)))
          .noDeadRetention();

  @ParameterizedTest
  @ValueSource(strings = {"mail", "m", "ünïcödé", "with\0nul"})
  void encode_anySettings_areReadAgainWithWhatWasSaid(String name) {
    byte[] key = NameSettings.key(name);

    assertThat(NameSettings.decode(key, NameSettings.encode(key, SETTINGS))).isEqualTo(SETTINGS);
    assertThat(NameSettings.decode(key, NameSettings.encode(key, QueueSettings.DEFAULT)))
        .isEqualTo(QueueSettings.DEFAULT);
  }

  @Test
  void key_ofAName_isOfATableAndOfNoOtherName() {
    assertThat(Keyspace.ofKey(NameSettings.key("mail"))).isEqualTo(Keyspace.TABLE);
    assertThat(NameSettings.isKey(NameSettings.key("mail"))).isTrue();
    assertThat(NameSettings.queueName(NameSettings.key("ünïcödé"))).isEqualTo("ünïcödé");
    assertThat(NameSettings.isKey(TableKeys.key("millrace.name-setting", new byte[] {'s', 'm'})))
        .isFalse();
    assertThat(NameSettings.key("mail")).isNotEqualTo(NameSettings.key("mails"));
  }

  @Test
  void decode_everyFlippedBitEveryCutAndForeignKeys_isCorrupt() {
    byte[] key = NameSettings.key("mail");
    byte[] value = NameSettings.encode(key, SETTINGS);
    for (int bit = 0; bit < value.length * Byte.SIZE; bit++) {
      byte[] flipped = value.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      assertCorrupt(key, flipped);
    }
    for (int length = 0; length < value.length; length++) {
      assertCorrupt(key, Arrays.copyOf(value, length));
    }
    assertCorrupt(NameSettings.key("other"), value);
  }

  private static void assertCorrupt(byte[] key, byte[] value) {
    assertThatThrownBy(() -> NameSettings.decode(key, value))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("TABLE")
        .hasMessageContaining(Bytes.hex(key));
  }
}
