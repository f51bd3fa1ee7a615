package io.millrace.internal.format;

import java.util.zip.CRC32C;

/**
 * A record that waits for its key: encoded, and its checksum computed but for the key's share, so
 * that the thread which knows the key has next to nothing left to do. Not thread-safe; to be handed
 * over safely.
 */
public final class PreparedRecord {

  private final byte[] value;
  private final CRC32C checksum;
  private boolean isSealed;

  PreparedRecord(byte[] value, CRC32C checksum) {
    this.value = value;
    this.checksum = checksum;
  }

  /** How long the record is, in bytes. */
  public int lengthBytes() {
    return value.length;
  }

  /**
   * The record as it is stored at the key; the bytes are the caller's.
   *
   * @throws IllegalStateException it was sealed before
   */
  public byte[] seal(byte[] key) {
    if (isSealed) {
      throw new IllegalStateException("record is sealed already");
    }
    isSealed = true;
    checksum.update(key, 0, key.length);
    Bytes.putInt(value, RecordWriter.CHECKSUM, (int) checksum.getValue());
    return value;
  }
}
