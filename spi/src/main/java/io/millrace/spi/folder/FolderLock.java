package io.millrace.spi.folder;

import io.millrace.spi.StoreLockedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The right to open a folder, held by one owner on this machine until closed or until the process
 * dies.
 *
 * <p>Between processes it is a lock on the LOCK file, whose text is the holder's pid. POSIX drops
 * such a lock as soon as its process closes <em>any</em> descriptor of the file, so within a
 * process a registry refuses a second opening before it touches the file.
 */
final class FolderLock implements AutoCloseable {

  static final String FILE_NAME = "LOCK";

  private static final int PID_TEXT_BYTES_MAX = 20;

  /**
   * Real paths of the folders held through this class: the one piece of static state, for the
   * reason given above.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /**
   * Files found locked by a copy of this class under another class loader: closing them would drop
   * that lock.
   */
  private static final Queue<RandomAccessFile> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

  private final Path realFolder;
  private final RandomAccessFile file;

  private FolderLock(Path realFolder, RandomAccessFile file) {
    this.realFolder = realFolder;
    this.file = file;
  }

  /**
   * Takes the lock of an existing folder.
   *
   * @throws StoreLockedException someone has it; the message names the process
   */
  static FolderLock take(Path folder) throws IOException {
    Path realFolder = folder.toRealPath();
    if (!HELD.add(realFolder)) {
      throw lockedHere(folder);
    }
    RandomAccessFile file = null;
    try {
      Path path = realFolder.resolve(FILE_NAME);
      FolderFiles.createFile(path);
      file = new RandomAccessFile(path.toFile(), "rw");
      lock(folder, file);
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      file.write(pid);
      file.setLength(pid.length);
      return new FolderLock(realFolder, file);
    } catch (IOException | RuntimeException | Error e) {
      HELD.remove(realFolder);
      if (file != null && !NEVER_CLOSED.contains(file)) {
        file.close();
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      HELD.remove(realFolder);
    }
  }

  private static void lock(Path folder, RandomAccessFile file) throws IOException {
    try {
      // The last possible byte: on platforms with mandatory locks the pid must stay readable.
      if (file.getChannel().tryLock(Long.MAX_VALUE - 1, 1, false) == null) {
        throw lockedElsewhere(folder, pidIn(file));
      }
    } catch (OverlappingFileLockException e) {
      NEVER_CLOSED.add(file);
      throw lockedHere(folder);
    }
  }

  private static StoreLockedException lockedElsewhere(Path folder, String pid) {
    String message = "store folder is open in another process: folder=" + folder + ", pid=" + pid;
    return pid.matches("[0-9]{1,18}")
        ? new StoreLockedException(message, Long.parseLong(pid))
        : new StoreLockedException(message);
  }

  private static StoreLockedException lockedHere(Path folder) {
    long pid = ProcessHandle.current().pid();
    return new StoreLockedException(
        "store folder is open in this process already: folder=" + folder + ", pid=" + pid, pid);
  }

  private static String pidIn(RandomAccessFile file) throws IOException {
    byte[] text = new byte[PID_TEXT_BYTES_MAX];
    int length = file.read(text);
    String pid = length <= 0 ? "" : new String(text, 0, length, StandardCharsets.US_ASCII).strip();
    return pid.isEmpty() ? "unknown" : pid;
  }
}
