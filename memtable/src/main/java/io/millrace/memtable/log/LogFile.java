package io.millrace.memtable.log;

import io.millrace.spi.StoreFullException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of a log, open for writing. It has its length before records rely on it, so that most
 * flushes are of blocks that the file system knows already.
 *
 * <p>An interrupt does not close it, as it would a {@code FileChannel}: it is written through a
 * {@code RandomAccessFile}, and flushed through an {@code AsynchronousFileChannel}, whose {@code
 * force} is done by the caller's thread and knows no interrupts. A {@code FileDescriptor} would
 * flush the file's times, too, which costs a commit of the file system's journal.
 */
final class LogFile implements AutoCloseable {

  private static final byte[] ZEROS = new byte[64 << 10];
  private static final int PAGE_BYTES = 4_096;
  private static final long UNKNOWN = -1;

  private final Path path;
  private final LogSizes sizes;
  private final RandomAccessFile file;
  private final AsynchronousFileChannel flushed;

  /** The length that may be written without growing. */
  private long length;

  /**
   * The position of {@code file}, which a write there need not set; {@link #UNKNOWN} if it may be
   * any.
   */
  private long position = UNKNOWN;

  private LogFile(Path path, LogSizes sizes, RandomAccessFile file, AsynchronousFileChannel flushed)
      throws IOException {
    this.path = path;
    this.sizes = sizes;
    this.file = file;
    this.flushed = flushed;
    this.length = file.length();
  }

  /** Opens a file, and creates it if there is none, but does not make its name durable. */
  static LogFile open(Path path, LogSizes sizes) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      return new LogFile(
          path, sizes, file, AsynchronousFileChannel.open(path, StandardOpenOption.WRITE));
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /**
   * Gives the file the length that it begins with: at least the least length, and not what one huge
   * batch needed once.
   *
   * @throws StoreFullException there is no room; the file is as before
   */
  void trim() throws IOException {
    if (length > sizes.keptMost()) {
      cut(sizes.keptMost());
    }
    makeRoom(sizes.least());
  }

  /** Cuts the file to a length in bytes, durably. */
  void cut(long bytes) throws IOException {
    length = bytes;
    position = UNKNOWN;
    file.setLength(bytes);
    flushed.force(true);
  }

  /**
   * Grows the file, if it must, so that bytes up to an offset may be written over.
   *
   * @throws StoreFullException there is no room; the file is as before
   * @throws IOException what was written before may not be durable, whatever is said later
   */
  void makeRoom(long end) throws IOException {
    if (end <= length) {
      return;
    }
    long ahead = length + Math.min(length, sizes.stepMost());
    try {
      extend(wholePages(Math.max(end, ahead)));
    } catch (StoreFullException e) {
      extend(wholePages(end));
    }
  }

  private static long wholePages(long bytes) {
    return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
  }

  private void extend(long end) throws IOException {
    try {
      for (long at = length; at < end; at += ZEROS.length) {
        write(at, ZEROS, (int) Math.min(ZEROS.length, end - at));
      }
    } catch (IOException e) {
      throw full(end, e);
    }
    flushed.force(true);
    length = end;
  }

  private StoreFullException full(long end, IOException thrown) {
    position = UNKNOWN;
    try {
      file.setLength(length);
    } catch (IOException e) {
      // The file stays longer than it is taken to be, which does no harm.
      thrown.addSuppressed(e);
    }
    return new StoreFullException(
        "log cannot grow: file="
            + path
            + ", bytes="
            + length
            + ", needed="
            + end
            + ", reason="
            + thrown.getMessage(),
        thrown);
  }

  /** Writes what the file holds up to an offset once more. */
  void rewrite(long end) throws IOException {
    byte[] piece = new byte[ZEROS.length];
    for (long at = 0; at < end; at += piece.length) {
      int count = (int) Math.min(piece.length, end - at);
      file.seek(at);
      position = UNKNOWN;
      file.readFully(piece, 0, count);
      write(at, piece, count);
    }
  }

  /** Writes zeros from an offset to the end. */
  void clear(long from) throws IOException {
    for (long at = from; at < length; at += ZEROS.length) {
      write(at, ZEROS, (int) Math.min(ZEROS.length, length - at));
    }
  }

  void write(long offset, byte[] bytes, int count) throws IOException {
    if (offset != position) {
      file.seek(offset);
    }
    position = UNKNOWN;
    file.write(bytes, 0, count);
    position = offset + count;
  }

  /** Makes all that was written durable. */
  void flush() throws IOException {
    flushed.force(false);
  }

  @Override
  public void close() throws IOException {
    try (file) {
      flushed.close();
    }
  }
}
