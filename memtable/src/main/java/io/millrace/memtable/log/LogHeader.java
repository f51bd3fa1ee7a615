package io.millrace.memtable.log;

import io.millrace.spi.FormatVersionException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a file of a log. On disk, never change.
 *
 * <pre>
 *  offset 0  8 bytes  magic
 *         8  8 bytes  sequence
 *        16  8 bytes  epoch
 *        24  8 bytes  number of the batch before the first
 *        32  8 bytes  round
 *        40  4 bytes  format: 1
 *        44  4 bytes  CRC32C of bytes 0 to 43
 * </pre>
 *
 * <p>It is durable before the first record is written, and lies in one sector, which a disk writes
 * whole or not at all.
 *
 * @param sequence the file's place in the order of files, from 1 on
 * @param epoch the epoch of the store's opening in which its batches are written
 * @param before number of the batch before its first; that one and all before it were durable when
 *     the file began
 * @param round a random number, which tells its records from those that were there before
 */
record LogHeader(long sequence, long epoch, long before, long round) {

  static final int LENGTH_BYTES = 48;

  private static final byte[] MAGIC = "MILLRLOG".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT = 1;
  private static final int CRC_OFFSET = LENGTH_BYTES - Integer.BYTES;

  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH_BYTES);
    bytes.put(MAGIC).putLong(sequence).putLong(epoch).putLong(before).putLong(round).putInt(FORMAT);
    return bytes.putInt(crc(bytes.array())).array();
  }

  /**
   * Reads the header that the bytes of a file begin with; null if there is no whole one.
   *
   * @throws FormatVersionException it is of a newer format
   */
  static @Nullable LogHeader decode(byte[] bytes, Path file) {
    if (bytes.length < LENGTH_BYTES) {
      return null;
    }
    ByteBuffer fields = ByteBuffer.wrap(bytes, MAGIC.length, LENGTH_BYTES - MAGIC.length);
    if (!ByteBuffer.wrap(bytes, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))
        || fields.getInt(CRC_OFFSET) != crc(bytes)) {
      return null;
    }
    LogHeader header =
        new LogHeader(fields.getLong(), fields.getLong(), fields.getLong(), fields.getLong());
    int format = fields.getInt();
    if (format != FORMAT) {
      throw new FormatVersionException(
          "log is of a newer format, open it with a newer version: file="
              + file
              + ", format="
              + format
              + ", known="
              + FORMAT);
    }
    return header;
  }

  /** Returns the checksum that the first record follows on from. */
  int crc() {
    return crc(encode());
  }

  /**
   * Returns the mark that each record of this round begins with; never zero, as the rest of a new
   * file is.
   */
  int tag() {
    return (int) round | 1;
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CRC_OFFSET);
    return (int) crc.getValue();
  }
}
