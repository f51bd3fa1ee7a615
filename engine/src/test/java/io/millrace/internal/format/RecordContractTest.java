package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * What every record's codec must keep.
 *
 * @param <R> the record
 */
abstract class RecordContractTest<R> {

  private static final int SAMPLE_COUNT = Trials.cases(300);
  private static final int FOREIGN_COUNT = Trials.cases(20_000);

  /** Of those that are damaged in every way there is. */
  private static final int DAMAGED_COUNT = Trials.cases(20);

  /** A row as hexadecimal digits, and its record. */
  record Golden<R>(String key, String value, R record) {}

  /** A record and the key that it is to be stored at. */
  record Row<R>(byte[] key, R record) {}

  abstract List<Golden<R>> golden();

  abstract Row<R> sample(Samples samples);

  abstract byte[] encode(byte[] key, R record);

  abstract R decode(byte[] key, byte[] value);

  /**
   * A value with a right checksum, made by the layout's own rules and not by the code under test.
   */
  static byte[] sealed(byte[] key, byte[] fields) {
    CRC32C checksum = new CRC32C();
    checksum.update(fields);
    checksum.update(key);
    return ByteBuffer.allocate(5 + fields.length)
        .put((byte) 1)
        .putInt((int) checksum.getValue())
        .put(fields)
        .array();
  }

  @Test
  void encode_goldenRecords_isTheseBytes() {
    for (Golden<R> golden : golden()) {
      byte[] value = encode(Samples.hex(golden.key()), golden.record());

      assertThat(Bytes.hex(value)).isEqualTo(golden.value().replace(" ", ""));
    }
  }

  @Test
  void decode_goldenBytes_isTheseRecords() {
    for (Golden<R> golden : golden()) {
      R record = decode(Samples.hex(golden.key()), Samples.hex(golden.value()));

      assertThat(record).isEqualTo(golden.record()).hasSameHashCodeAs(golden.record());
    }
  }

  @Test
  void decode_anyEncodedRecord_isTheRecord() {
    for (Row<R> row : samples(SAMPLE_COUNT)) {
      R decoded = decode(row.key(), encode(row.key(), row.record()));

      assertThat(decoded).isEqualTo(row.record()).hasSameHashCodeAs(row.record());
    }
  }

  @Test
  void decode_truncatedAtAnyLength_isCorrupt() {
    for (Row<R> row : samples(DAMAGED_COUNT)) {
      byte[] value = encode(row.key(), row.record());
      for (int length = 0; length < value.length; length++) {
        assertCorrupt(row.key(), Arrays.copyOf(value, length));
      }
      assertCorrupt(row.key(), Bytes.successor(value));
    }
  }

  @Test
  void decode_anyBitOfValueFlipped_isCorrupt() {
    for (Row<R> row : samples(DAMAGED_COUNT)) {
      byte[] value = encode(row.key(), row.record());
      for (int bit = 0; bit < 8 * value.length; bit++) {
        value[bit / 8] ^= (byte) (1 << bit % 8);
        assertCorrupt(row.key(), value);
        value[bit / 8] ^= (byte) (1 << bit % 8);
      }
    }
  }

  @Test
  void decode_anyBitOfKeyFlipped_isCorrupt() {
    for (Row<R> row : samples(DAMAGED_COUNT)) {
      byte[] value = encode(row.key(), row.record());
      byte[] key = row.key().clone();
      for (int bit = 0; bit < 8 * key.length; bit++) {
        key[bit / 8] ^= (byte) (1 << bit % 8);
        assertCorrupt(key, value);
        key[bit / 8] ^= (byte) (1 << bit % 8);
      }
    }
  }

  @Test
  void decode_foreignBytes_isCorrupt() {
    Samples samples = new Samples(11);
    byte[] key = samples(1).get(0).key();
    for (int i = 0; i < FOREIGN_COUNT; i++) {
      assertCorrupt(key, samples.bytes(64));
    }
  }

  @Test
  void decode_foreignFieldsUnderRightChecksum_isCorruptOrSomeRecord() {
    Samples samples = new Samples(12);
    List<Row<R>> rows = samples(50);
    for (int i = 0; i < FOREIGN_COUNT; i++) {
      Row<R> row = rows.get(samples.below(rows.size()));
      byte[] value = encode(row.key(), row.record());
      byte[] fields = Arrays.copyOfRange(value, 5, value.length);
      byte[] foreign = samples.flag() ? samples.mutate(fields) : samples.bytes(40);

      isRead(row.key(), sealed(row.key(), foreign));
    }
  }

  @Test
  void decode_unknownFields_areSkipped() {
    for (Row<R> row : samples(DAMAGED_COUNT)) {
      byte[] value = encode(row.key(), row.record());
      byte[] unknown = Samples.hex("c8 00 c9 02 ffff ff 8100 07");
      byte[] fields = Arrays.copyOfRange(value, 5, value.length + unknown.length);
      System.arraycopy(unknown, 0, fields, value.length - 5, unknown.length);

      R decoded = decode(row.key(), sealed(row.key(), fields));

      assertThat(decoded).isEqualTo(row.record());
    }
  }

  @Test
  void decode_newerFormat_isCorruptAndSaysSo() {
    Row<R> row = samples(1).get(0);
    byte[] value = encode(row.key(), row.record());
    value[0] = 2;

    assertThatThrownBy(() -> decode(row.key(), value))
        .isInstanceOf(CorruptDataException.class)
        .hasMessage(
            "stored row is corrupt: keyspace=%s, key=%s, reason=format is not known: format=2",
            Keyspace.ofKey(row.key()), Bytes.hex(row.key()));
  }

  @Test
  void decode_keyNotOfTheKeyspace_isCorrupt() {
    Row<R> row = samples(1).get(0);
    byte[] value = encode(row.key(), row.record());
    byte[] foreign = row.key().clone();
    foreign[0] = Keyspace.AGENDA.code();

    assertCorrupt(foreign, value);
    assertCorrupt(new byte[0], value);
    assertCorrupt(new byte[] {0}, value);
    assertCorrupt(new byte[] {(byte) 0xff}, value);
  }

  private void assertCorrupt(byte[] key, byte[] value) {
    if (isRead(key, value)) {
      throw new AssertionError("was read: key=" + Bytes.hex(key) + ", value=" + Bytes.hex(value));
    }
  }

  /** Whether there is a record; anything but that or a well-formed refusal fails the test. */
  private boolean isRead(byte[] key, byte[] value) {
    try {
      decode(key, value);
      return true;
    } catch (CorruptDataException e) {
      if (!e.getMessage().startsWith("stored row is corrupt: keyspace=")) {
        throw new AssertionError("message is not well-formed", e);
      }
      return false;
    }
  }

  private List<Row<R>> samples(int count) {
    Samples samples = new Samples(5);
    List<Row<R>> rows = new ArrayList<>();
    for (Golden<R> golden : golden()) {
      rows.add(new Row<>(Samples.hex(golden.key()), golden.record()));
    }
    while (rows.size() < count) {
      rows.add(sample(samples));
    }
    return rows;
  }
}
