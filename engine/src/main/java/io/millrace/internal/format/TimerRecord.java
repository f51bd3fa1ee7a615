package io.millrace.internal.format;

import java.util.Arrays;
import java.util.Objects;

/**
 * The owner of a timer. On disk, never change.
 *
 * <pre>
 *  tag 1  bytes  full key of the owner; empty by default
 * </pre>
 *
 * @param owner the full key of the row whose time it is, shared, nobody may change it; a timer
 *     means nothing when that row is gone or names another time
 */
public record TimerRecord(byte[] owner) {

  private static final int OWNER = 1;
  private static final byte[] NONE = {};

  public TimerRecord {
    Objects.requireNonNull(owner, "owner");
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    return writer.bytes(OWNER, owner.length == 0 ? null : owner).seal(key);
  }

  public static TimerRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.TIMER, key, value, TimerRecord::read);
  }

  private static TimerRecord read(RecordReader reader) {
    byte[] owner = NONE;
    while (reader.next()) {
      if (reader.tag() == OWNER) {
        owner = reader.bytes();
      }
    }
    return new TimerRecord(owner);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TimerRecord that && Arrays.equals(owner, that.owner);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(owner);
  }
}
