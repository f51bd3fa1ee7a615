package io.millrace.memtable.log;

import io.millrace.spi.WriteBatch;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Layout of a record: one batch. On disk, never change.
 *
 * <pre>
 *  offset  0  4 bytes  tag of the round
 *          4  4 bytes  length of the record, a multiple of 8
 *          8  8 bytes  number of the batch
 *         16  8 bytes  number of the newest batch that was durable when this was written
 *         24  8 bytes  number of the batch before: one less, unless the batch is a sum
 *         32  4 bytes  CRC32C of the record before; of the header for the first
 *         36  4 bytes  count of operations
 *         40           operations: length of the key (2 bytes), length of the value or -1 for a
 *                      delete (4 bytes), key, value
 *                      zeros
 *  length - 4  4 bytes CRC32C of the round (8 bytes), then of all before this
 * </pre>
 *
 * <p>A record is whole by itself if tag and CRC are right, and in its place if it follows the one
 * before by number and CRC.
 */
final class LogRecord {

  static final int TAG_OFFSET = 0;
  static final int LENGTH_OFFSET = 4;
  static final int NUMBER_OFFSET = 8;
  static final int DURABLE_OFFSET = 16;
  static final int BEFORE_OFFSET = 24;
  static final int PREVIOUS_OFFSET = 32;
  static final int COUNT_OFFSET = 36;
  static final int OPERATIONS_OFFSET = 40;

  static final int CRC_BYTES = 4;
  static final int OPERATION_BYTES = Short.BYTES + Integer.BYTES;
  static final int DELETE = -1;
  static final int ALIGNMENT_BYTES = 8;
  static final int LENGTH_LEAST_BYTES = OPERATIONS_OFFSET + ALIGNMENT_BYTES;

  /** The longest record: a batch that is longer is refused. */
  static final int LENGTH_MOST_BYTES = 256 << 20;

  static final int KEY_BYTES_MAX = 0xFFFF;

  private LogRecord() {}

  /**
   * Returns the length of the batch's record, in bytes.
   *
   * @throws IllegalArgumentException the batch or a key of it is too long for a record
   */
  static int lengthOf(WriteBatch batch) {
    for (int i = 0, count = batch.size(); i < count; i++) {
      if (batch.key(i).length > KEY_BYTES_MAX) {
        throw tooLong("key is too long for the log", batch.key(i).length, KEY_BYTES_MAX);
      }
    }
    long operations = (long) OPERATION_BYTES * batch.size() + batch.bytes();
    long length = aligned(OPERATIONS_OFFSET + operations + CRC_BYTES);
    if (length > LENGTH_MOST_BYTES) {
      throw tooLong("batch is too long for the log", length, LENGTH_MOST_BYTES);
    }
    return (int) length;
  }

  private static IllegalArgumentException tooLong(String what, long bytes, long most) {
    return new IllegalArgumentException(what + ": bytes=" + bytes + ", most=" + most);
  }

  /** Returns the operations of a record that is whole; null if they are not as described. */
  static @Nullable WriteBatch decode(ByteBuffer record) {
    WriteBatch batch = new WriteBatch(record.getLong(NUMBER_OFFSET));
    if (record.getLong(BEFORE_OFFSET) >= batch.number()) {
      return null;
    }
    batch.follow(record.getLong(BEFORE_OFFSET));
    ByteBuffer rest =
        record.slice(OPERATIONS_OFFSET, record.limit() - OPERATIONS_OFFSET - CRC_BYTES);
    for (int left = record.getInt(COUNT_OFFSET); left > 0; left--) {
      if (rest.remaining() < OPERATION_BYTES) {
        return null;
      }
      int keyBytes = Short.toUnsignedInt(rest.getShort());
      int valueBytes = rest.getInt();
      if (valueBytes < DELETE || keyBytes + (long) Math.max(0, valueBytes) > rest.remaining()) {
        return null;
      }
      byte[] key = new byte[keyBytes];
      rest.get(key);
      if (valueBytes == DELETE) {
        batch.delete(key);
      } else {
        byte[] value = new byte[valueBytes];
        rest.get(value);
        batch.put(key, value);
      }
    }
    return rest.remaining() < ALIGNMENT_BYTES ? batch : null;
  }

  /** Begins a checksum with the round, as those of all its records begin. */
  static void begin(CRC32C crc, long round) {
    crc.reset();
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      crc.update((int) (round >>> shift) & 0xFF);
    }
  }

  static long aligned(long bytes) {
    return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
  }
}
