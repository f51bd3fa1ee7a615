package io.millrace.store.lmdb;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreCorruptException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 * <p>For the writer's thread and, before and after it, for whoever opens and closes the store.
 */
final class DataFile implements AutoCloseable {

  static final String FILE_NAME = "data.mdb";
  static final String LOCK_FILE_NAME = "lock.mdb";

  /**
   * The most pages that an opening looks at: all that are in use in a store of 16 MiB, and in a
   * larger one those on which most depends, so that opening takes no longer the more there is.
   */
  static final long CHECKED_PAGE_COUNT_MAX = 4_096;

  /**
   * The step in which the file is extended: each step is a system call, and costs no disk space
   * until written to.
   */
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

  /** Opens a file that LMDB has created. The file is never made longer than {@code lengthMax}. */
  static DataFile open(Path folder, long lengthMax) throws IOException {
    Path path = folder.resolve(FILE_NAME);
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    return new DataFile(path, file, lengthMax, file.length());
  }

  /**
   * Returns how many bytes the newest transaction takes; 0 if there is no file, or an empty one
   * that LMDB will fill.
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
      return newestMeta(path, file).usedBytes();
    }
  }

  /**
   * Looks at the pages of a file that {@link #check} let pass, up to {@link
   * #CHECKED_PAGE_COUNT_MAX}.
   *
   * @throws StoreCorruptException LMDB must not be let near this file
   */
  static void checkPages(Path folder) throws IOException {
    Path path = folder.resolve(FILE_NAME);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      PageCheck.run(
          new PageFile(file, newestMeta(path, file), () -> {}),
          (page, reason) -> {
            throw damaged(path, flaw(page, reason));
          },
          CHECKED_PAGE_COUNT_MAX);
    }
  }

  /**
   * Looks at all pages that a transaction sees, which must not be overwritten meanwhile.
   *
   * @param checkOpen runs before each page is read, and throws to end the check
   * @return a sentence for each damaged page; empty if the transaction is not among the two newest
   *     any more
   */
  static Optional<List<String>> flaws(Path folder, long transaction, Runnable checkOpen)
      throws IOException {
    Path path = folder.resolve(FILE_NAME);
    List<String> flaws = new ArrayList<>();
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      long offset = transaction % MetaPage.COUNT * meta(path, file, 0).pageBytes();
      MetaPage meta = meta(path, file, offset);
      // Twice, for it may just have been overwritten.
      if (meta.transaction() != transaction || !meta.equals(meta(path, file, offset))) {
        return Optional.empty();
      }
      PageCheck.run(
          new PageFile(file, meta, checkOpen),
          (page, reason) -> {
            if (flaws.size() < OrderedStore.FLAW_COUNT_MAX) {
              flaws.add(damaged(path, flaw(page, reason)).getMessage());
            }
          },
          Long.MAX_VALUE);
    }
    return Optional.of(flaws);
  }

  private static String flaw(long page, String reason) {
    return "page " + page + ": " + reason;
  }

  /**
   * Makes sure that the file reaches {@code bytes}, so that its length tells whether it is whole.
   */
  void reserve(long bytes) throws IOException {
    if (length < bytes && length < lengthMax) {
      long target = Math.min(lengthMax, (bytes / STEP_BYTES + 1) * STEP_BYTES);
      // Never shorter than it is: somebody else may have got in and extended it.
      length = Math.max(target, file.length());
      file.setLength(length);
    }
  }

  long length() {
    return length;
  }

  /** Gives back the length that {@link #reserve} took ahead. Only when LMDB has the file closed. */
  void trim(long bytes) throws IOException {
    file.setLength(bytes);
    length = bytes;
  }

  /**
   * Flushes the file through a descriptor of our own, which is told of every failed write-back
   * since it was opened, whether or not another descriptor was told before. Returns null if none
   * failed and everything written is durable.
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

  static MetaPage newestMeta(Path path, RandomAccessFile file) throws IOException {
    MetaPage first = meta(path, file, 0);
    int pageBytes = first.pageBytes();
    if (pageBytes < MetaPage.BYTES || Integer.bitCount(pageBytes) != 1) {
      throw damaged(path, "page size is " + pageBytes);
    }
    MetaPage second = meta(path, file, pageBytes);
    if (!MetaPage.areNeighbours(first, second)) {
      throw damaged(path, "its meta pages do not agree");
    }
    MetaPage newest = MetaPage.newest(first, second);
    long used = newest.usedBytes();
    if (newest.lastPage() < MetaPage.COUNT - 1 || file.length() < used) {
      throw damaged(path, "it is cut off at " + file.length() + " of " + used + " bytes");
    }
    return newest;
  }

  private static MetaPage meta(Path path, RandomAccessFile file, long offset) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MetaPage.BYTES).order(ByteOrder.nativeOrder());
    if (file.length() < offset + MetaPage.BYTES) {
      throw damaged(path, "it is cut off at " + file.length() + " bytes");
    }
    file.seek(offset);
    file.readFully(bytes.array());
    MetaPage meta = MetaPage.read(bytes);
    if (meta == null) {
      throw damaged(path, "there is no meta page at " + offset);
    }
    if (meta.version() != MetaPage.VERSION) {
      throw new FormatVersionException(
          "data file was written by another version of LMDB: file="
              + path
              + ", version="
              + meta.version()
              + ", known="
              + MetaPage.VERSION);
    }
    return meta;
  }

  private static StoreCorruptException damaged(Path path, String reason) {
    return new StoreCorruptException(
        "data file is damaged, restore it from a backup: file=" + path + ", reason=" + reason);
  }
}
