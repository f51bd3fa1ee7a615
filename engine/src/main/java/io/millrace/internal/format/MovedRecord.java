package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Objects;

/**
 * The current place of a job's record that is not where it was born. On disk, never change.
 *
 * <pre>
 *  tag 1  bytes  full key of the record; empty by default
 * </pre>
 *
 * @param key the full key where the record is now; shared, nobody may change it
 */
public record MovedRecord(byte[] key) {

  private static final int KEY = 1;
  private static final byte[] NONE = {};

  public MovedRecord {
    Objects.requireNonNull(key, "key");
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    return writer.bytes(KEY, this.key.length == 0 ? null : this.key).seal(key);
  }

  public static MovedRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.MOVED, key, value, MovedRecord::read);
  }

  private static MovedRecord read(RecordReader reader) {
    byte[] key = NONE;
    while (reader.next()) {
      if (reader.tag() == KEY) {
        key = reader.bytes();
      }
    }
    return new MovedRecord(key);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MovedRecord that && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key);
  }
}
