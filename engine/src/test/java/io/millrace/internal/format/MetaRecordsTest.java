package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MetaRecordsTest {

  private static final Map<String, Function<byte[], Object>> DECODERS =
      Map.of(
          "format", MetaRecords.Format::decode,
          "clean-stop", MetaRecords.CleanStop::decode,
          "time", MetaRecords.Time::decode,
          "queue-numbers", MetaRecords.QueueNumbers::decode,
          "copying", MetaRecords.Copying::decode);

  @Test
  void format_goldenBytes_areTheRecord() {
    String stored = "01e5fa6c4d010101020101";

    assertThat(Bytes.hex(MetaRecords.Format.NEW.encode())).isEqualTo(stored);
    assertThat(MetaRecords.Format.decode(Samples.hex(stored)))
        .isEqualTo(new MetaRecords.Format(1, 1));
  }

  @Test
  void cleanStop_goldenBytes_areTheRecord() {
    String clean = "016f763ccb010101";
    String unclean = "01e66804d1";

    assertThat(Bytes.hex(new MetaRecords.CleanStop(true, 0, false).encode())).isEqualTo(clean);
    assertThat(Bytes.hex(new MetaRecords.CleanStop(false, 0, false).encode())).isEqualTo(unclean);
    assertThat(MetaRecords.CleanStop.decode(Samples.hex(clean)).isClean()).isTrue();
    assertThat(MetaRecords.CleanStop.decode(Samples.hex(unclean)).isClean()).isFalse();
  }

  @Test
  void cleanStop_afterAnUncleanOne_goldenBytesAreTheRecord() {
    String stored = "01123f6c0c01010102020102";
    MetaRecords.CleanStop stop = new MetaRecords.CleanStop(true, 258, false);

    assertThat(Bytes.hex(stop.encode())).isEqualTo(stored);
    assertThat(MetaRecords.CleanStop.decode(Samples.hex(stored))).isEqualTo(stop);
  }

  @Test
  void cleanStop_ofAStoreWithoutLogsOfSlots_goldenBytesAreTheRecord() {
    String stored = "01c7789647030101";
    MetaRecords.CleanStop stop = new MetaRecords.CleanStop(false, 0, true);

    assertThat(Bytes.hex(stop.encode())).isEqualTo(stored);
    assertThat(MetaRecords.CleanStop.decode(Samples.hex(stored))).isEqualTo(stop);
  }

  @Test
  void time_goldenBytes_areTheRecord() {
    String stored = "01eb25bd3d0106018bcfe56800";

    MetaRecords.Time time = new MetaRecords.Time(1_700_000_000_000L, 1_700_000_000_000L);

    assertThat(Bytes.hex(time.encode())).isEqualTo(stored);
    assertThat(MetaRecords.Time.decode(Samples.hex(stored))).isEqualTo(time);
    assertThat(time.steadyLeadMs()).isZero();
  }

  @Test
  void time_steadyTimeIsApart_goldenBytesAreTheRecord() {
    String stored = "011815d2ce0106018bcfe568000206018bcfe540f0";
    MetaRecords.Time time = new MetaRecords.Time(1_700_000_000_000L, 1_699_999_990_000L);

    assertThat(Bytes.hex(time.encode())).isEqualTo(stored);
    assertThat(MetaRecords.Time.decode(Samples.hex(stored))).isEqualTo(time);
    assertThat(time.steadyLeadMs()).isEqualTo(-10_000);
  }

  @Test
  void queueNumbers_goldenBytes_areTheRecord() {
    String stored = "0194cc8be901020102";

    assertThat(Bytes.hex(new MetaRecords.QueueNumbers(258).encode())).isEqualTo(stored);
    assertThat(MetaRecords.QueueNumbers.decode(Samples.hex(stored)).next()).isEqualTo(258);
  }

  @Test
  void copying_goldenBytes_areTheRecord() {
    String stored = "01b3a9178801026162";

    assertThat(Bytes.hex(new MetaRecords.Copying("ab").encode())).isEqualTo(stored);
    assertThat(MetaRecords.Copying.decode(Samples.hex(stored)).origin()).isEqualTo("ab");
  }

  @Test
  void decode_anyValues_areTheRecords() {
    Samples samples = new Samples(3);
    for (int i = 0; i < 300; i++) {
      MetaRecords.Format format = new MetaRecords.Format(samples.integer(), samples.integer());
      MetaRecords.Time time = new MetaRecords.Time(samples.number(), samples.number());
      MetaRecords.QueueNumbers numbers = new MetaRecords.QueueNumbers(samples.integer());

      assertThat(MetaRecords.Format.decode(format.encode())).isEqualTo(format);
      assertThat(MetaRecords.Time.decode(time.encode())).isEqualTo(time);
      assertThat(MetaRecords.QueueNumbers.decode(numbers.encode())).isEqualTo(numbers);
    }
  }

  @Test
  void decode_anyBitFlippedOrCut_isCorrupt() {
    for (byte[] value : values()) {
      for (int bit = 0; bit < 8 * value.length; bit++) {
        byte[] flipped = value.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        assertCorruptForAll(flipped);
      }
      for (int length = 0; length < value.length; length++) {
        assertCorruptForAll(Arrays.copyOf(value, length));
      }
    }
  }

  @Test
  void decode_recordOfAnotherKey_isCorrupt() {
    byte[] numbers = new MetaRecords.QueueNumbers(1).encode();

    assertThatThrownBy(() -> MetaRecords.Time.decode(numbers))
        .isInstanceOf(CorruptDataException.class)
        .hasMessage(
            "stored row is corrupt: keyspace=META, key=0174696d65,"
                + " reason=checksum does not match");
  }

  @Test
  void decode_byKey_isTheRecordOrTheValueOfANewerEngine() {
    MetaRecords.Copying copying = new MetaRecords.Copying("ab");
    byte[] newer = {9};

    assertThat(MetaRecords.decode(MetaKeys.COPYING, copying.encode())).isEqualTo(copying);
    assertThat(RowCheck.flaw(MetaKeys.COPYING, newer)).isNotNull();
    assertThat(MetaRecords.decode(new byte[] {Keyspace.META.code(), 'x'}, newer)).isSameAs(newer);
  }

  private static List<byte[]> values() {
    return List.of(
        MetaRecords.Format.NEW.encode(),
        new MetaRecords.CleanStop(true, 258, true).encode(),
        new MetaRecords.Time(1_700_000_000_000L, 1_700_000_000_001L).encode(),
        new MetaRecords.QueueNumbers(1).encode(),
        new MetaRecords.Copying("ab").encode());
  }

  private static void assertCorruptForAll(byte[] value) {
    DECODERS.forEach(
        (name, decoder) ->
            assertThatThrownBy(() -> decoder.apply(value))
                .describedAs(name)
                .isInstanceOf(CorruptDataException.class));
  }
}
