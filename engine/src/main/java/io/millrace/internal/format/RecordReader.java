package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A reader of what {@link RecordWriter} wrote. It trusts none of it: every length is checked before
 * anything is allocated, and whatever is wrong is a {@link CorruptDataException}.
 *
 * <p>Steps: {@link #decode} checks format and checksum. {@link #next} goes to the next field, over
 * what is left of the one before, so that unknown fields and unknown ends of fields are skipped.
 * The other methods read the field's content. Not thread-safe; serves one record.
 */
final class RecordReader {

  private final byte[] key;
  private final byte[] value;
  private int at = RecordWriter.FIELDS;
  private int fieldEnd = RecordWriter.FIELDS;
  private int tag;

  private RecordReader(byte[] key, byte[] value) {
    this.key = key;
    this.value = value;
  }

  /**
   * Returns the record at the key.
   *
   * @param keyspace the keyspace where the key must be
   * @param fields reads all fields; its IllegalArgumentExceptions mean that a value is out of range
   */
  static <T> T decode(
      Keyspace keyspace, byte[] key, byte[] value, Function<RecordReader, T> fields) {
    RecordReader reader = new RecordReader(key, value);
    if (key.length == 0 || key[0] != keyspace.code()) {
      throw reader.corrupt("not a key of " + keyspace);
    }
    return decode(reader, fields);
  }

  /** Returns the job record at the key, in whichever keyspace of job records it is. */
  static <T> T decodeJob(byte[] key, byte[] value, Function<RecordReader, T> fields) {
    RecordReader reader = new RecordReader(key, value);
    Keyspace keyspace = reader.keyspace();
    if (keyspace == null || !keyspace.isOfJobs()) {
      throw reader.corrupt("not a key of a job's record");
    }
    return decode(reader, fields);
  }

  private static <T> T decode(RecordReader reader, Function<RecordReader, T> fields) {
    reader.checkHeader();
    try {
      return fields.apply(reader);
    } catch (IllegalArgumentException e) {
      throw reader.corrupt(String.valueOf(e.getMessage()));
    }
  }

  /** Returns a reader of a record that is known to be damaged; checks no format and no checksum. */
  static RecordReader unchecked(byte[] key, byte[] value) {
    RecordReader reader = new RecordReader(key, value);
    if (value.length < RecordWriter.FIELDS) {
      throw reader.corrupt("shorter than its header");
    }
    return reader;
  }

  private void checkHeader() {
    if (value.length < RecordWriter.FIELDS) {
      throw corrupt("shorter than its header");
    }
    if (value[0] != RecordWriter.FORMAT) {
      throw corrupt("format is not known: format=" + (value[0] & 0xff));
    }
    CRC32C checksum = new CRC32C();
    checksum.update(value, RecordWriter.FIELDS, value.length - RecordWriter.FIELDS);
    checksum.update(key, 0, key.length);
    if ((int) checksum.getValue() != Bytes.getInt(value, RecordWriter.CHECKSUM)) {
      throw corrupt("checksum does not match");
    }
  }

  byte[] key() {
    return key;
  }

  /** Goes to the next field; returns false after the last. */
  boolean next() {
    at = fieldEnd;
    if (at == value.length) {
      return false;
    }
    int last = tag;
    tag = value[at++] & 0xff;
    if (tag <= last) {
      throw corrupt("fields are out of order: tag=" + tag + ", after=" + last);
    }
    fieldEnd = value.length;
    int length = length();
    fieldEnd = at + length;
    return true;
  }

  int tag() {
    return tag;
  }

  /** Reads the field's content as a number that is not negative. */
  long number() {
    int length = fieldEnd - at;
    if (length > 8) {
      throw corrupt("number is too long: tag=" + tag + ", bytes=" + length);
    }
    long number = 0;
    while (at < fieldEnd) {
      number = number << 8 | value[at++] & 0xff;
    }
    if (number < 0) {
      throw corrupt("number is negative: tag=" + tag);
    }
    return number;
  }

  /** Reads the field's content as a number from 0 to the largest int. */
  int intNumber() {
    return toInt(number());
  }

  boolean flag() {
    long number = number();
    if (number > 1) {
      throw corrupt("flag is neither 0 nor 1: tag=" + tag);
    }
    return number == 1;
  }

  /** Reads the field's content as one signed byte. */
  byte signedByte() {
    if (fieldEnd - at != 1) {
      throw corrupt("field is not one byte: tag=" + tag);
    }
    return value[at++];
  }

  /** Reads the field's content; returns a copy. */
  byte[] bytes() {
    byte[] bytes = Arrays.copyOfRange(value, at, fieldEnd);
    at = fieldEnd;
    return bytes;
  }

  String text() {
    String text = StrictUtf8.decode(value, at, fieldEnd);
    at = fieldEnd;
    return text;
  }

  /** Tells whether content of the field is left to be read. */
  boolean hasMore() {
    return at < fieldEnd;
  }

  int takeByte() {
    need(1);
    return value[at++];
  }

  /** Reads four bytes, big-endian. */
  int takeFourBytes() {
    need(4);
    int taken = Bytes.getInt(value, at);
    at += 4;
    return taken;
  }

  long takeLong() {
    need(8);
    long taken = Bytes.getLong(value, at);
    at += 8;
    return taken;
  }

  /** Reads a varint, never negative and of at most nine bytes. */
  long takeVarint() {
    long number = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      need(1);
      byte b = value[at++];
      number |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return number;
      }
    }
    throw corrupt("varint is too long: tag=" + tag);
  }

  int takeInt() {
    return toInt(takeVarint());
  }

  /** Reads bytes that follow their number, a varint; returns a copy. */
  byte[] takeBytes() {
    int length = length();
    byte[] bytes = Arrays.copyOfRange(value, at, at + length);
    at += length;
    return bytes;
  }

  /** Reads a text that follows its length in bytes, a varint. */
  String takeText() {
    int length = length();
    int end = at + length;
    String text = StrictUtf8.decode(value, at, end);
    at = end;
    return text;
  }

  CorruptDataException corrupt(String reason) {
    Keyspace keyspace = keyspace();
    return new CorruptDataException(
        "stored row is corrupt: keyspace="
            + (keyspace == null ? "unknown" : keyspace.name())
            + ", key="
            + Bytes.hex(key)
            + ", reason="
            + reason);
  }

  /** Reads a length, of content that must end no later than the field does. */
  private int length() {
    long length = takeVarint();
    if (length > fieldEnd - at) {
      throw corrupt("length is out of bounds: tag=" + tag + ", length=" + length);
    }
    return (int) length;
  }

  private int toInt(long number) {
    if (number > Integer.MAX_VALUE) {
      throw corrupt("number is too large: tag=" + tag + ", value=" + number);
    }
    return (int) number;
  }

  private void need(int bytes) {
    if (fieldEnd - at < bytes) {
      throw corrupt("field is too short: tag=" + tag);
    }
  }

  private @Nullable Keyspace keyspace() {
    try {
      return Keyspace.ofKey(key);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
