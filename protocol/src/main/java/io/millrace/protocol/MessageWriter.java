package io.millrace.protocol;

import com.google.protobuf.WireFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message that is being written, with those within it, into one array that grows: unlike the
 * streams of protobuf it needs neither sizes told before nor an array for each message within
 * another. One thread at a time.
 */
final class MessageWriter {

  private static final int VARINT_BITS = 7;
  private static final int VARINT_MORE = 0x80;
  private static final int VARINT_BYTES_MAX = 10;

  private byte[] bytes;
  private int length;

  /**
   * Creates an empty message.
   *
   * @param firstBytes how many bytes there is room for at first
   */
  MessageWriter(int firstBytes) {
    bytes = new byte[firstBytes];
  }

  /** Returns what was written. */
  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  int length() {
    return length;
  }

  void writeNumber(int field, long value) {
    tag(field, WireFormat.WIRETYPE_VARINT);
    varint(value);
  }

  void writeBytes(int field, byte[] value) {
    tag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    varint(value.length);
    room(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
  }

  void writeText(int field, String value) {
    writeBytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Begins a message within this one, whose fields follow.
   *
   * @return where it begins, for {@link #end}
   */
  int begin(int field) {
    tag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    room(1);
    length++; // for its length, which most often needs no more
    return length;
  }

  /** Ends the message that begins there. */
  void end(int begin) {
    int inner = length - begin;
    int extra = varintBytes(inner) - 1;
    if (extra > 0) {
      room(extra);
      System.arraycopy(bytes, begin, bytes, begin + extra, inner);
    }
    length = begin - 1;
    varint(inner);
    length += inner;
  }

  private void tag(int field, int type) {
    varint((long) field << 3 | type);
  }

  private void varint(long value) {
    room(VARINT_BYTES_MAX);
    long rest = value;
    while (rest >>> VARINT_BITS != 0) {
      bytes[length++] = (byte) (rest | VARINT_MORE);
      rest >>>= VARINT_BITS;
    }
    bytes[length++] = (byte) rest;
  }

  private static int varintBytes(int value) {
    return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + VARINT_BITS - 1) / VARINT_BITS;
  }

  private void room(int count) {
    if (bytes.length - length < count) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, count)));
    }
  }
}
