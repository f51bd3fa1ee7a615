package io.millrace.store.lmdb;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreCorruptException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * LMDB's data file as the file system sees it: its length, its free disk space, its flush, and
 * whether it is whole.
 *
 * <p>LMDB maps the file, and touching a mapped page that the file does not have kills the process.
 * LMDB itself may leave the file shorter than its last page number says, when the last pages of a
 * transaction were given up again. So the file's length alone could not tell a cut-off file from a
 * sound one, were it not kept ahead of what any commit may need ({@link #reserve}): then a file
 * shorter than its newest meta page says has lost something.
 *
 * <pre>
 *  a meta page, one of two at the start of the file, native byte order
 *  offset  10  2 bytes  page flags, 8 = meta
 *          16  4 bytes  magic
 *          20  4 bytes  version
 *          40  4 bytes  page size
 *         136  8 bytes  number of the last page in use
 *         144  8 bytes  transaction number; the higher one counts
 * </pre>
 *
 * <p>For the writer's thread and, before and after it, for whoever opens and closes the store.
 */
final class DataFile implements AutoCloseable {

  static final String FILE_NAME = "data.mdb";
  static final String LOCK_FILE_NAME = "lock.mdb";

  private static final int META_COUNT = 2;
  private static final int META_BYTES = 152;
  private static final int FLAGS_OFFSET = 10;
  private static final int FLAG_META = 8;
  private static final int MAGIC_OFFSET = 16;
  private static final int MAGIC = 0xBEEFC0DE;
  private static final int VERSION_OFFSET = 20;
  private static final int VERSION = 1;
  private static final int PAGE_SIZE_OFFSET = 40;
  private static final int LAST_PAGE_OFFSET = 136;
  private static final int TRANSACTION_OFFSET = 144;

  /** Extended in steps: each is a system call, and costs no disk space until written to. */
  private static final long STEP_BYTES = 16L << 20;

  private final Path path;
  private final RandomAccessFile file;
  private final long lengthMax;
  private long length;

  private DataFile(Path path, RandomAccessFile file, long lengthMax, long length) {
    this.path = path;
    this.file = file;
    this.lengthMax = lengthMax;
    this.length = length;
  }

  /** Opens a file that LMDB has created; it is never made longer than {@code lengthMax}. */
  static DataFile open(Path folder, long lengthMax) throws IOException {
    Path path = folder.resolve(FILE_NAME);
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    return new DataFile(path, file, lengthMax, file.length());
  }

  /**
   * How many bytes the newest transaction takes; 0 if there is no file, or an empty one that LMDB
   * will fill.
   *
   * @throws StoreCorruptException the file is shorter than that, or its meta pages cannot be read
   * @throws FormatVersionException the file was written by another version of LMDB
   */
  static long check(Path folder) throws IOException {
    Path path = folder.resolve(FILE_NAME);
    if (!Files.exists(path) || Files.size(path) == 0) {
      return 0;
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      ByteBuffer first = meta(path, file, 0);
      int pageBytes = first.getInt(PAGE_SIZE_OFFSET);
      if (pageBytes < META_BYTES || Integer.bitCount(pageBytes) != 1) {
        throw damaged(path, "page size is " + pageBytes);
      }
      ByteBuffer second = meta(path, file, pageBytes);
      ByteBuffer newest =
          first.getLong(TRANSACTION_OFFSET) < second.getLong(TRANSACTION_OFFSET) ? second : first;
      long used = (newest.getLong(LAST_PAGE_OFFSET) + 1) * pageBytes;
      if (used < (long) META_COUNT * pageBytes || file.length() < used) {
        throw damaged(path, "it is cut off at " + file.length() + " of " + used + " bytes");
      }
      return used;
    }
  }

  /**
   * Makes sure that the file reaches {@code bytes}, so that its length tells whether it is whole.
   */
  void reserve(long bytes) throws IOException {
    if (length < bytes && length < lengthMax) {
      long target = Math.min(lengthMax, (bytes / STEP_BYTES + 1) * STEP_BYTES);
      file.setLength(target);
      length = target;
    }
  }

  long length() {
    return length;
  }

  /** Gives back what {@link #reserve} took ahead; only when LMDB has the file closed. */
  void trim(long bytes) throws IOException {
    file.setLength(bytes);
    length = bytes;
  }

  /**
   * Flushes the file through a descriptor of our own, which is told of every failed write-back
   * since it was opened, whether or not another descriptor was told before; null if there was none
   * and everything written is durable.
   */
  @Nullable IOException flush() {
    try {
      file.getFD().sync();
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  long freeDiskBytes() throws IOException {
    return Files.getFileStore(path).getUsableSpace();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private static ByteBuffer meta(Path path, RandomAccessFile file, long offset) throws IOException {
    ByteBuffer meta = ByteBuffer.allocate(META_BYTES).order(ByteOrder.nativeOrder());
    if (file.length() < offset + META_BYTES) {
      throw damaged(path, "it is cut off at " + file.length() + " bytes");
    }
    file.seek(offset);
    file.readFully(meta.array());
    if ((meta.getShort(FLAGS_OFFSET) & FLAG_META) == 0 || meta.getInt(MAGIC_OFFSET) != MAGIC) {
      throw damaged(path, "there is no meta page at " + offset);
    }
    if (meta.getInt(VERSION_OFFSET) != VERSION) {
      throw new FormatVersionException(
          "data file was written by another version of LMDB: file="
              + path
              + ", version="
              + meta.getInt(VERSION_OFFSET)
              + ", known="
              + VERSION);
    }
    return meta;
  }

  private static StoreCorruptException damaged(Path path, String reason) {
    return new StoreCorruptException(
        "data file is damaged, restore it from a backup: file=" + path + ", reason=" + reason);
  }
}
