package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A writer of one record: a header, then fields in rising order of their tags. On disk, never
 * change.
 *
 * <pre>
 *  offset 0  1 byte   format
 *         1  4 bytes  CRC32C of everything from offset 5, then the key; big-endian
 *         5  fields   each: 1 byte tag, 1 to 255
 *                           1 to 5 bytes n, length of the content, varint
 *                           n bytes content
 * </pre>
 *
 * <p>A field whose value is its default is not written.
 */
final class RecordWriter {

  /** The format of all records that are written. */
  static final byte FORMAT = 1;

  static final int CHECKSUM = 1;
  static final int FIELDS = 5;

  /** The most bytes of room that a thread's writer keeps for the next record. */
  private static final int KEPT_BYTES_MAX = 1 << 16;

  private static final int KEPT_BYTES_FIRST = 512;

  /**
   * The writer of each thread. Records are many and short-lived, so each thread writes all of its
   * own in one place.
   */
  private static final ThreadLocal<RecordWriter> OF_THREAD =
      ThreadLocal.withInitial(RecordWriter::new);

  private byte[] buffer = new byte[KEPT_BYTES_FIRST];
  private int length;

  private RecordWriter() {}

  /**
   * Returns the thread's writer, for one record, which must be sealed before the next one begins.
   */
  static RecordWriter ofThread() {
    RecordWriter writer = OF_THREAD.get();
    writer.length = FIELDS;
    return writer;
  }

  /** Writes a number that is not negative: its significant bytes, big-endian; none for zero. */
  RecordWriter number(int tag, long value, long defaultValue) {
    if (value == defaultValue) {
      return this;
    }
    int bytes = numberBytes(tag, value);
    header(tag, bytes);
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
      buffer[length++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** Writes a number from -128 to 127 in one byte, two's complement. */
  RecordWriter signedByte(int tag, int value, int defaultValue) {
    if (value != defaultValue) {
      header(tag, 1);
      buffer[length++] = (byte) value;
    }
    return this;
  }

  /** Writes a flag: true as the number 1; false is the default. */
  RecordWriter flag(int tag, boolean value) {
    return number(tag, value ? 1 : 0, 0);
  }

  /** Writes bytes; null is the default, and not the same as none. */
  RecordWriter bytes(int tag, byte @Nullable [] value) {
    if (value != null) {
      header(tag, value.length);
      System.arraycopy(value, 0, buffer, length, value.length);
      length += value.length;
    }
    return this;
  }

  /** Writes a text in UTF-8; null is the default, and not the same as an empty one. */
  RecordWriter text(int tag, @Nullable String value) {
    return bytes(tag, value == null ? null : value.getBytes(UTF_8));
  }

  /**
   * Begins a field whose content is put together by the {@code add} methods; returns where the
   * content starts.
   */
  int begin(int tag) {
    ensure(2);
    buffer[length++] = (byte) tag;
    buffer[length++] = 0;
    return length;
  }

  /**
   * Ends a field that began at the given start. Most fields are short, so only a long one is moved
   * to make room for its length.
   */
  RecordWriter end(int start) {
    int content = length - start;
    int extra = varintBytes(content) - 1;
    if (extra > 0) {
      ensure(extra);
      System.arraycopy(buffer, start, buffer, start + extra, content);
    }
    length = start - 1;
    putVarint(content);
    length += content;
    return this;
  }

  void addByte(int value) {
    ensure(1);
    buffer[length++] = (byte) value;
  }

  void addVarint(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("number is negative: value=" + value);
    }
    ensure(9);
    putVarint(value);
  }

  void addInt(int value) {
    ensure(4);
    Bytes.putInt(buffer, length, value);
    length += 4;
  }

  void addLong(long value) {
    ensure(8);
    Bytes.putLong(buffer, length, value);
    length += 8;
  }

  /** Adds a text after its length in bytes, a varint. */
  void addText(String value) {
    addBytes(value.getBytes(UTF_8));
  }

  /** Adds bytes after their number, a varint. */
  void addBytes(byte[] bytes) {
    addVarint(bytes.length);
    ensure(bytes.length);
    System.arraycopy(bytes, 0, buffer, length, bytes.length);
    length += bytes.length;
  }

  /** Returns the record as it is stored at the key. */
  byte[] seal(byte[] key) {
    byte[] value = Arrays.copyOf(buffer, length);
    if (buffer.length > KEPT_BYTES_MAX) {
      buffer = new byte[KEPT_BYTES_FIRST];
    }
    CRC32C checksum = new CRC32C();
    checksum.update(value, FIELDS, value.length - FIELDS);
    checksum.update(key, 0, key.length);
    value[0] = FORMAT;
    Bytes.putInt(value, CHECKSUM, (int) checksum.getValue());
    return value;
  }

  private void header(int tag, int contentBytes) {
    ensure(6 + contentBytes);
    buffer[length++] = (byte) tag;
    putVarint(contentBytes);
  }

  /** Writes seven bits a byte, lowest first; all but the last byte have the highest bit set. */
  private void putVarint(long value) {
    long rest = value;
    while (rest > 0x7f) {
      buffer[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[length++] = (byte) rest;
  }

  private static int varintBytes(long value) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
  }

  private static int numberBytes(int tag, long value) {
    if (value < 0) {
      throw new IllegalArgumentException("field is negative: tag=" + tag + ", value=" + value);
    }
    return (71 - Long.numberOfLeadingZeros(value)) / 8;
  }

  private void ensure(int bytes) {
    if (buffer.length - length < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + bytes));
    }
  }
}
