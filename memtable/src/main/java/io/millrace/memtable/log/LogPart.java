package io.millrace.memtable.log;

import io.millrace.spi.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A file that batches are written to, from its beginning. */
final class LogPart implements AutoCloseable {

  /**
   * The length of the pieces that batches are written in, so that long ones need no copy of their
   * own.
   */
  private static final int PIECE_BYTES = 64 << 10;

  private final LogFile file;
  private final LogHeader header;
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);

  /** The offset of the next record. */
  private long end = LogHeader.LENGTH_BYTES;

  /** The offset of the next piece of a record. */
  private long written;

  private int previousCrc;

  private LogPart(LogFile file, LogHeader header) {
    this.file = file;
    this.header = header;
    this.previousCrc = header.crc();
  }

  /** Begins the file anew, with a header that is durable on return, before there is any record. */
  static LogPart begin(LogFile file, LogHeader header) throws IOException {
    file.write(0, header.encode(), LogHeader.LENGTH_BYTES);
    file.flush();
    return new LogPart(file, header);
  }

  LogFile file() {
    return file;
  }

  LogHeader header() {
    return header;
  }

  /** Returns the offset at which the last record ends. */
  long end() {
    return end;
  }

  /** Returns the length of all records, in bytes. */
  long bytes() {
    return end - LogHeader.LENGTH_BYTES;
  }

  /**
   * Writes a batch behind the others.
   *
   * @param durable number of the newest batch that is durable
   */
  void append(WriteBatch batch, long durable) throws IOException {
    int length = LogRecord.lengthOf(batch);
    file.makeRoom(end + length);
    written = end;
    LogRecord.begin(crc, header.round());
    piece.clear();
    piece.putInt(header.tag()).putInt(length).putLong(batch.number());
    piece.putLong(durable).putLong(batch.previous()).putInt(previousCrc).putInt(batch.size());
    for (int i = 0, count = batch.size(); i < count; i++) {
      put(batch.key(i), batch.value(i));
    }
    int newCrc = seal(end + length);
    end += length;
    previousCrc = newCrc;
  }

  private void put(byte[] key, byte @Nullable [] value) throws IOException {
    require(LogRecord.OPERATION_BYTES);
    piece.putShort((short) key.length);
    piece.putInt(value == null ? LogRecord.DELETE : value.length);
    put(key);
    if (value != null) {
      put(value);
    }
  }

  private void put(byte[] bytes) throws IOException {
    for (int at = 0; at < bytes.length; ) {
      require(1);
      int count = Math.min(piece.remaining(), bytes.length - at);
      piece.put(bytes, at, count);
      at += count;
    }
  }

  /** Ends the record with the checksum of its other bytes, and returns that. */
  private int seal(long recordEnd) throws IOException {
    require(LogRecord.ALIGNMENT_BYTES + LogRecord.CRC_BYTES);
    while (written + piece.position() < recordEnd - LogRecord.CRC_BYTES) {
      piece.put((byte) 0);
    }
    crc.update(piece.array(), 0, piece.position());
    int value = (int) crc.getValue();
    piece.putInt(value);
    writePiece();
    return value;
  }

  private void require(int bytes) throws IOException {
    if (piece.remaining() < bytes) {
      crc.update(piece.array(), 0, piece.position());
      writePiece();
    }
  }

  private void writePiece() throws IOException {
    file.write(written, piece.array(), piece.position());
    written += piece.position();
    piece.clear();
  }

  void flush() throws IOException {
    file.flush();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
