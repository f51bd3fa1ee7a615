package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Objects;

/**
 * A corrupt row as it was found; its key is in the row's own key. On disk, never change.
 *
 * <pre>
 *  tag 1  bytes  value as it was found; none by default
 *      2  text   what is wrong with it; empty by default
 * </pre>
 *
 * @param value the value as it was found; shared, nobody may change it
 * @param reason the flaw of the row
 */
public record QuarantineRecord(byte[] value, String reason) {

  private static final int VALUE = 1;
  private static final int REASON = 2;
  private static final byte[] NONE = {};

  public QuarantineRecord {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(reason, "reason");
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.bytes(VALUE, value.length == 0 ? null : value);
    return writer.text(REASON, reason.isEmpty() ? null : reason).seal(key);
  }

  public static QuarantineRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.QUARANTINE, key, value, QuarantineRecord::read);
  }

  private static QuarantineRecord read(RecordReader reader) {
    byte[] value = NONE;
    String reason = "";
    while (reader.next()) {
      switch (reader.tag()) {
        case VALUE -> value = reader.bytes();
        case REASON -> reason = reader.text();
        default -> {}
      }
    }
    return new QuarantineRecord(value, reason);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QuarantineRecord that
        && Arrays.equals(value, that.value)
        && reason.equals(that.reason);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(value) + reason.hashCode();
  }
}
