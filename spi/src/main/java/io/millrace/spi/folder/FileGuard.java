package io.millrace.spi.folder;

import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions.Access;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The operating system's lock on a file inside a store's folder other than the folder's LOCK file,
 * so that it stays when LOCK is removed. Held until closed or until the process dies.
 */
final class FileGuard implements AutoCloseable {

  private final RandomAccessFile file;

  private FileGuard(RandomAccessFile file) {
    this.file = file;
  }

  /**
   * Locks a file that exists.
   *
   * @throws StoreLockedException somebody else has locked it
   */
  static FileGuard take(Path path, Access access) throws IOException {
    boolean isShared = access == Access.READ_ONLY;
    RandomAccessFile file = new RandomAccessFile(path.toFile(), isShared ? "r" : "rw");
    try {
      if (tryLock(file, isShared) == null) {
        throw new StoreLockedException(
            "store is open elsewhere, although nobody has its folder locked: file=" + path);
      }
      return new FileGuard(file);
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private static @Nullable FileLock tryLock(RandomAccessFile file, boolean isShared)
      throws IOException {
    try {
      return file.getChannel().tryLock(0, Long.MAX_VALUE, isShared);
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Closes the file, and so releases the lock. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
