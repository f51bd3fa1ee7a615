package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class RecordReaderTest {

  private static final byte[] KEY = SlotKeys.key(1, new byte[] {'c'});

  @Test
  void number_anyValue_isWhatWasWritten() {
    for (int bits = 0; bits <= 63; bits++) {
      long power = bits == 63 ? Long.MAX_VALUE : 1L << bits;
      for (long value : new long[] {power - 1, power}) {
        byte[] stored = RecordWriter.ofThread().number(1, value, -1).seal(KEY);

        assertThat(field(stored, RecordReader::number)).isEqualTo(value);
      }
    }
  }

  @Test
  void varint_anyValue_isWhatWasAdded() {
    for (int bits = 0; bits <= 63; bits++) {
      long power = bits == 63 ? Long.MAX_VALUE : 1L << bits;
      for (long value : new long[] {power - 1, power}) {
        RecordWriter writer = RecordWriter.ofThread();
        int start = writer.begin(1);
        writer.addVarint(value);
        byte[] stored = writer.end(start).seal(KEY);

        assertThat(field(stored, RecordReader::takeVarint)).isEqualTo(value);
      }
    }
  }

  @Test
  void end_fieldOfAnyLength_isReadBack() {
    for (int length : new int[] {0, 1, 126, 127, 128, 129, 16_383, 16_384, 16_385, 100_000}) {
      RecordWriter writer = RecordWriter.ofThread();
      int start = writer.begin(1);
      for (int i = 0; i < length; i++) {
        writer.addByte(i);
      }
      byte[] stored = writer.end(start).number(2, 7, 0).seal(KEY);

      byte[] content = field(stored, RecordReader::bytes);
      assertThat(content).hasSize(length);
      for (int i = 0; i < length; i++) {
        assertThat(content[i]).isEqualTo((byte) i);
      }
      assertThat(tags(stored)).containsExactly(1, 2);
    }
  }

  @Test
  void next_tagsFrom1To255_areRead() {
    assertThat(tags(sealed("01 00 7f 00 80 00 ff 00"))).containsExactly(1, 127, 128, 255);
  }

  @Test
  void next_tagsThatDoNotRise_isCorrupt() {
    assertReason("00 00", RecordReader::bytes, "fields are out of order: tag=0, after=0");
    assertReason("02 00 01 00", RecordReader::bytes, "fields are out of order: tag=1, after=2");
    assertReason("01 00 01 00", RecordReader::bytes, "fields are out of order: tag=1, after=1");
  }

  @Test
  void next_lengthBeyondTheEnd_isCorruptBeforeAnythingIsAllocated() {
    assertReason("01 01", RecordReader::bytes, "length is out of bounds: tag=1, length=1");
    assertReason(
        "01 ffffffff07", RecordReader::bytes, "length is out of bounds: tag=1, length=2147483647");
    assertReason(
        "01 ffffffffffffffff7f",
        RecordReader::bytes,
        "length is out of bounds: tag=1, length=9223372036854775807");
    assertReason("01", RecordReader::bytes, "field is too short: tag=1");
    assertReason("01 80", RecordReader::bytes, "field is too short: tag=1");
    assertReason("01 ffffffffffffffffff01", RecordReader::bytes, "varint is too long: tag=1");
  }

  @Test
  void content_ofWrongShape_isCorrupt() {
    assertReason(
        "01 09 000000000000000001", RecordReader::number, "number is too long: tag=1, bytes=9");
    assertReason("01 08 8000000000000000", RecordReader::number, "number is negative: tag=1");
    assertReason(
        "01 04 80000000", RecordReader::intNumber, "number is too large: tag=1, value=2147483648");
    assertReason("01 01 02", RecordReader::flag, "flag is neither 0 nor 1: tag=1");
    assertReason("01 00", RecordReader::signedByte, "field is not one byte: tag=1");
    assertReason("01 02 0000", RecordReader::signedByte, "field is not one byte: tag=1");
    assertReason("01 01 ff", RecordReader::text, "text is not UTF-8");
    assertReason("01 02 c080", RecordReader::text, "text is not UTF-8");
    assertReason("01 03 eda080", RecordReader::text, "text is not UTF-8");
    assertReason("01 02 0261", RecordReader::takeText, "length is out of bounds: tag=1, length=2");
    assertReason("01 07 00000000000000", RecordReader::takeLong, "field is too short: tag=1");
    assertReason("01 00 0201ff", RecordReader::takeByte, "field is too short: tag=1");
  }

  @Test
  void text_withTheReplacementCharacterItself_isRead() {
    assertThat(field(sealed("01 04 61efbfbd"), RecordReader::text)).isEqualTo("a\uFFFD");
  }

  @Test
  void decode_unknownKeyspace_saysSo() {
    byte[] key = {0x55};

    assertThatThrownBy(() -> SlotRecord.decode(key, new byte[5]))
        .isInstanceOf(CorruptDataException.class)
        .hasMessage("stored row is corrupt: keyspace=unknown, key=55, reason=not a key of SLOT");
  }

  @Test
  void decode_shorterThanHeader_saysSo() {
    assertThatThrownBy(() -> SlotRecord.decode(KEY, new byte[4]))
        .hasMessage(
            "stored row is corrupt: keyspace=SLOT, key=09000000010163,"
                + " reason=shorter than its header");
  }

  private static byte[] sealed(String fields) {
    return RecordContractTest.sealed(KEY, Samples.hex(fields));
  }

  /** What the function reads of the first field; the others are only passed. */
  private static <T> T field(byte[] stored, Function<RecordReader, T> read) {
    return RecordReader.decode(
        Keyspace.SLOT,
        KEY,
        stored,
        reader -> {
          assertThat(reader.next()).isTrue();
          T value = read.apply(reader);
          while (reader.next()) {
            assertThat(reader.tag()).isPositive();
          }
          return value;
        });
  }

  private static List<Integer> tags(byte[] stored) {
    return RecordReader.decode(
        Keyspace.SLOT,
        KEY,
        stored,
        reader -> {
          List<Integer> tags = new ArrayList<>();
          while (reader.next()) {
            tags.add(reader.tag());
          }
          return tags;
        });
  }

  private static void assertReason(
      String fields, Function<RecordReader, Object> read, String reason) {
    assertThatThrownBy(() -> field(sealed(fields), read))
        .isInstanceOf(CorruptDataException.class)
        .hasMessage("stored row is corrupt: keyspace=SLOT, key=09000000010163, reason=" + reason);
  }
}
