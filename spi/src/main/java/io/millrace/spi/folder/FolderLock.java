package io.millrace.spi.folder;

import io.millrace.spi.StoreLockedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The right to open a folder, held by one owner on this machine until closed or until the process
 * dies.
 *
 * <p>Between processes it is a lock on the LOCK file, whose text is the holder's pid. POSIX drops
 * such a lock as soon as its process closes <em>any</em> descriptor of the file, so within a
 * process a registry refuses a second opening before it touches the file.
 *
 * <p>The lock is on the file and not on its name: who removes or replaces the file lets another
 * owner in. {@link #isOnItsFile} finds that out.
 */
final class FolderLock implements AutoCloseable {

  static final String FILE_NAME = "LOCK";

  private static final int PID_TEXT_BYTES_MAX = 20;

  /** How long the file may say nothing of a holder that is alive: it writes that after locking. */
  private static final int PID_TRIES = 20;

  private static final long PID_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(5);

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
  private final @Nullable Object fileKey;

  private FolderLock(Path realFolder, RandomAccessFile file, @Nullable Object fileKey) {
    this.realFolder = realFolder;
    this.file = file;
    this.fileKey = fileKey;
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
      Object fileKey = fileKey(path);
      file = new RandomAccessFile(path.toFile(), "rw");
      lock(folder, file);
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      file.seek(0);
      file.write(pid);
      file.setLength(pid.length);
      FolderLock lock = new FolderLock(realFolder, file, fileKey);
      if (!lock.isOnItsFile()) {
        throw new StoreLockedException("lock file was replaced meanwhile: folder=" + folder);
      }
      return lock;
    } catch (IOException | RuntimeException | Error e) {
      HELD.remove(realFolder);
      if (file != null && !NEVER_CLOSED.contains(file)) {
        file.close();
      }
      throw e;
    }
  }

  /** Whether the LOCK file in the folder is still the one that is locked. */
  boolean isOnItsFile() throws IOException {
    try {
      return Objects.equals(fileKey, fileKey(realFolder.resolve(FILE_NAME)));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    // So that nobody takes this process for the holder.
    try (file) {
      file.setLength(0);
    } finally {
      HELD.remove(realFolder);
    }
  }

  private static void lock(Path folder, RandomAccessFile file) throws IOException {
    try {
      // The last possible byte: on platforms with mandatory locks the pid must stay readable.
      for (int tries = 1;
          file.getChannel().tryLock(Long.MAX_VALUE - 1, 1, false) == null;
          tries++) {
        String pid = pidIn(file);
        if (isAlive(pid) || tries == PID_TRIES) {
          throw lockedElsewhere(folder, pid);
        }
        LockSupport.parkNanos(PID_WAIT_NS);
      }
    } catch (OverlappingFileLockException e) {
      NEVER_CLOSED.add(file);
      throw lockedHere(folder);
    }
  }

  private static StoreLockedException lockedElsewhere(Path folder, String pid) {
    String message = "store folder is open in another process: folder=" + folder + ", pid=" + pid;
    return isNumber(pid)
        ? new StoreLockedException(message, Long.parseLong(pid))
        : new StoreLockedException(message);
  }

  private static StoreLockedException lockedHere(Path folder) {
    long pid = ProcessHandle.current().pid();
    return new StoreLockedException(
        "store folder is open in this process already: folder=" + folder + ", pid=" + pid, pid);
  }

  private static boolean isNumber(String pid) {
    return pid.matches("[0-9]{1,18}");
  }

  private static boolean isAlive(String pid) {
    return isNumber(pid)
        && ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false);
  }

  private static @Nullable Object fileKey(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private static String pidIn(RandomAccessFile file) throws IOException {
    byte[] text = new byte[PID_TEXT_BYTES_MAX];
    file.seek(0);
    int length = file.read(text);
    String pid = length <= 0 ? "" : new String(text, 0, length, StandardCharsets.US_ASCII).strip();
    return pid.isEmpty() ? "unknown" : pid;
  }
}
