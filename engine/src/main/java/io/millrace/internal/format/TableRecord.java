package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Objects;

/**
 * The value of a row of a table. On disk, never change.
 *
 * <pre>
 *  tag 1  bytes  the user's bytes; empty by default
 * </pre>
 *
 * @param bytes the bytes that the user, or the engine in a table of its own, stored; shared, nobody
 *     may change them
 */
public record TableRecord(byte[] bytes) {

  private static final int BYTES = 1;
  private static final byte[] NONE = {};

  public TableRecord {
    Objects.requireNonNull(bytes, "bytes");
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    return writer.bytes(BYTES, bytes.length == 0 ? null : bytes).seal(key);
  }

  public static TableRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.TABLE, key, value, TableRecord::read);
  }

  private static TableRecord read(RecordReader reader) {
    byte[] bytes = NONE;
    while (reader.next()) {
      if (reader.tag() == BYTES) {
        bytes = reader.bytes();
      }
    }
    return new TableRecord(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableRecord that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
