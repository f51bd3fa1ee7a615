package io.millrace.memtable.log;

import io.millrace.spi.WriteBatch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A reader of the records of one round of a file: in their order, and what lies behind a gap. */
final class LogReader implements AutoCloseable {

  private static final int WINDOW_BYTES = 256 << 10;
  private static final long NONE = -1;

  private final RandomAccessFile file;
  private final long fileBytes;
  private final LogHeader header;
  private final CRC32C crc = new CRC32C();

  /** The part of the file that is in memory. */
  private ByteBuffer window;

  private long windowStart;
  private int windowBytes;

  /** The offset of the next record, and what it has to follow. */
  private long offset = LogHeader.LENGTH_BYTES;

  private long number;
  private int previousCrc;

  LogReader(Path path, LogHeader header) throws IOException {
    this.file = new RandomAccessFile(path.toFile(), "r");
    this.fileBytes = file.length();
    this.window = ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, fileBytes));
    this.header = header;
    this.number = header.before();
    this.previousCrc = header.crc();
  }

  /** Returns the number of the last batch that was read, or of the one before the first. */
  long number() {
    return number;
  }

  /** Returns the offset at which the last record that was read ends. */
  long offset() {
    return offset;
  }

  /** Returns the next batch; null where there is no whole record that follows on. */
  @Nullable WriteBatch next() throws IOException {
    int length = wholeAt(offset);
    if (length == 0
        || field(offset, LogRecord.BEFORE_OFFSET) != number
        || window.getInt(at(offset) + LogRecord.PREVIOUS_OFFSET) != previousCrc) {
      return null;
    }
    WriteBatch batch = LogRecord.decode(window.slice(at(offset), length));
    if (batch != null) {
      previousCrc = window.getInt(at(offset) + length - LogRecord.CRC_BYTES);
      offset += length;
      number = batch.number();
    }
    return batch;
  }

  /**
   * Goes on behind a gap, if no batch above {@code most} is in it.
   *
   * @return whether the next record is one that is whole
   */
  boolean skipTo(long most) throws IOException {
    long found = findWhole(offset);
    if (found == NONE || field(found, LogRecord.BEFORE_OFFSET) > most) {
      return false;
    }
    offset = found;
    number = field(found, LogRecord.BEFORE_OFFSET);
    previousCrc = window.getInt(at(found) + LogRecord.PREVIOUS_OFFSET);
    return true;
  }

  /**
   * Returns the number of the newest batch that was durable, as far as whole records say that are
   * not read yet.
   */
  long durableLater() throws IOException {
    long durable = 0;
    for (long at = findWhole(offset); at != NONE; at = findWhole(at + LogRecord.ALIGNMENT_BYTES)) {
      durable = Math.max(durable, field(at, LogRecord.DURABLE_OFFSET));
    }
    return durable;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Returns the offset of the next record that is whole by itself, or {@link #NONE}. */
  private long findWhole(long from) throws IOException {
    for (long at = from; at < fileBytes; at += LogRecord.ALIGNMENT_BYTES) {
      if (wholeAt(at) != 0) {
        return at;
      }
    }
    return NONE;
  }

  /**
   * Returns the length of the record there, which then is in memory; 0 if there is no whole one.
   */
  private int wholeAt(long from) throws IOException {
    if (!load(from, LogRecord.LENGTH_LEAST_BYTES) || window.getInt(at(from)) != header.tag()) {
      return 0;
    }
    int length = window.getInt(at(from) + LogRecord.LENGTH_OFFSET);
    if (length < LogRecord.LENGTH_LEAST_BYTES
        || length > LogRecord.LENGTH_MOST_BYTES
        || length % LogRecord.ALIGNMENT_BYTES != 0
        || !load(from, length)) {
      return 0;
    }
    int sealed = length - LogRecord.CRC_BYTES;
    LogRecord.begin(crc, header.round());
    crc.update(window.array(), at(from), sealed);
    return window.getInt(at(from) + sealed) == (int) crc.getValue() ? length : 0;
  }

  private long field(long record, int fieldOffset) {
    return window.getLong(at(record) + fieldOffset);
  }

  private int at(long fileOffset) {
    return (int) (fileOffset - windowStart);
  }

  /** Loads some bytes of the file into memory; false if the file ends before them. */
  private boolean load(long from, int bytes) throws IOException {
    if (from + bytes > fileBytes) {
      return false;
    }
    if (from < windowStart || from + bytes > windowStart + windowBytes) {
      if (bytes > window.capacity()) {
        window = ByteBuffer.allocate(bytes);
      }
      windowBytes = (int) Math.min(window.capacity(), fileBytes - from);
      windowStart = from;
      file.seek(from);
      file.readFully(window.array(), 0, windowBytes);
    }
    return true;
  }
}
