package io.millrace.store.rocksdb;

import io.millrace.spi.WriteBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A batch in RocksDB's own format, so that it crosses into native code in one piece. On disk, never
 * change.
 *
 * <pre>
 *  offset 0  8 bytes  sequence, little-endian: 0, filled in by RocksDB
 *         8  4 bytes  count of operations, little-endian
 *        12  operations:
 *            put       0x01, length of the key (varint), key, length of the value (varint), value
 *            deletion  0x00, length of the key (varint), key
 * </pre>
 *
 * The last operation puts the commit record: under the empty key, which is no key of ours, the
 * epoch and the batch's number, 8 bytes each, big-endian.
 */
final class BatchBytes {

  /** The key of the commit record, which sorts before all keys of rows, for these are not empty. */
  static final byte[] COMMIT_KEY = {};

  static final int COMMIT_RECORD_BYTES = 2 * Long.BYTES;

  private static final byte DELETION = 0;
  private static final byte PUT = 1;
  private static final int COUNT_OFFSET = 8;
  private static final int OPERATIONS_OFFSET = 12;
  private static final int COMMIT_OPERATION_BYTES = 3 + COMMIT_RECORD_BYTES;
  private static final int VARINT_BITS = 7;
  private static final int VARINT_MORE = 0x80;
  private static final VarHandle INT_LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private int at = OPERATIONS_OFFSET;

  private BatchBytes(int lengthBytes) {
    this.bytes = new byte[lengthBytes];
  }

  /**
   * Returns the batch's operations and the commit record in RocksDB's format; the caller has
   * checked the batch's limits.
   */
  static byte[] of(WriteBatch batch, long epoch) {
    BatchBytes target = new BatchBytes(lengthOf(batch));
    for (int i = 0, count = batch.size(); i < count; i++) {
      byte[] value = batch.value(i);
      target.bytes[target.at++] = value == null ? DELETION : PUT;
      target.add(batch.key(i));
      if (value != null) {
        target.add(value);
      }
    }
    target.addCommit(epoch, batch.number());
    INT_LITTLE_ENDIAN.set(target.bytes, COUNT_OFFSET, batch.size() + 1);
    assert target.at == target.bytes.length;
    return target.bytes;
  }

  private static int lengthOf(WriteBatch batch) {
    int length = OPERATIONS_OFFSET + COMMIT_OPERATION_BYTES + batch.size();
    for (int i = 0, count = batch.size(); i < count; i++) {
      byte[] value = batch.value(i);
      length += lengthWithPrefix(batch.key(i)) + (value == null ? 0 : lengthWithPrefix(value));
    }
    return length;
  }

  private static int lengthWithPrefix(byte[] string) {
    int significantBits = Integer.SIZE - Integer.numberOfLeadingZeros(string.length | 1);
    return (significantBits + VARINT_BITS - 1) / VARINT_BITS + string.length;
  }

  private void add(byte[] string) {
    int rest = string.length;
    while (rest >= VARINT_MORE) {
      bytes[at++] = (byte) (rest | VARINT_MORE);
      rest >>>= VARINT_BITS;
    }
    bytes[at++] = (byte) rest;
    System.arraycopy(string, 0, bytes, at, string.length);
    at += string.length;
  }

  private void addCommit(long epoch, long commit) {
    bytes[at++] = PUT;
    bytes[at++] = (byte) COMMIT_KEY.length;
    bytes[at++] = COMMIT_RECORD_BYTES;
    LONG_BIG_ENDIAN.set(bytes, at, epoch);
    LONG_BIG_ENDIAN.set(bytes, at + Long.BYTES, commit);
    at += COMMIT_RECORD_BYTES;
  }
}
