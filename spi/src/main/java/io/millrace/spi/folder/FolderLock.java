package io.millrace.spi.folder;

import io.millrace.spi.StoreLockedException;
import io.millrace.spi.folder.FolderOwner.Life;
import io.millrace.spi.folder.OwnerFile.Content;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The right to open a folder, held by one owner until closed or until the process dies.
 *
 * <p>Between processes it is a lock on the LOCK file, whose text is the holder's pid. POSIX drops
 * such a lock as soon as its process closes <em>any</em> descriptor of the file, as a program does
 * that copies the folder which it has open. So the lock alone decides nothing:
 *
 * <ul>
 *   <li>Within a process a registry refuses a second opening before it touches the file.
 *   <li>The {@link OwnerFile} names the owner. An opener that finds the lock free looks whether the
 *       owner's process lives, and is refused if it does. A process that cannot be seen from here,
 *       in another container or on another machine, is asked, and is taken for dead if it does not
 *       answer for {@link #ANSWER_WAIT_NS}.
 *   <li>The owner {@linkplain #isOwned looks} again and again whether the file is the one that is
 *       locked, and whether the OWNER file names it. It answers an opener that asks, and takes the
 *       lock again, in case it was dropped.
 * </ul>
 *
 * <p>The lock is on the file and not on its name: removing or replacing the file ends the
 * ownership, and the OWNER file keeps others out until the owner has stopped.
 */
final class FolderLock implements AutoCloseable {

  static final String FILE_NAME = "LOCK";

  private static final int PID_TEXT_BYTES_MAX = 20;

  /**
   * The most attempts to take the lock while the LOCK file names no living holder. A holder writes
   * its pid after locking, and on a busy machine long after.
   */
  private static final int PID_TRIES = 200;

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

  /**
   * The time, in ns, that an owner that cannot be seen has to answer: many times the interval
   * between its looks.
   */
  static final long ANSWER_WAIT_NS = TimeUnit.SECONDS.toNanos(5);

  private static final long ANSWER_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The last possible byte: on platforms with mandatory locks the pid must stay readable. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private static final int CHANCE_BYTES = 16;

  private final Path realFolder;
  private final RandomAccessFile file;
  private final @Nullable Object fileKey;
  private OwnerFile ownerFile;
  private final FolderOwner owner;
  private FileLock lock;

  private FolderLock(
      Path realFolder, RandomAccessFile file, FileLock lock, OwnerFile ownerFile, FolderOwner owner)
      throws IOException {
    this.realFolder = realFolder;
    this.file = file;
    this.lock = lock;
    this.ownerFile = ownerFile;
    this.owner = owner;
    this.fileKey = fileKey(realFolder.resolve(FILE_NAME));
  }

  /**
   * Takes the lock of an existing folder.
   *
   * @throws StoreLockedException another opening has the folder; the message names the process
   */
  static FolderLock take(Path folder) throws IOException {
    return take(folder, ProcessTable.SYSTEM);
  }

  /**
   * Takes the lock of a folder, with its owner looked up in this process table; see {@link
   * #take(Path)}.
   */
  static FolderLock take(Path folder, ProcessTable processes) throws IOException {
    Path realFolder = folder.toRealPath();
    if (!HELD.add(realFolder)) {
      throw lockedHere(folder);
    }
    RandomAccessFile file = null;
    OwnerFile ownerFile = null;
    boolean isTaken = false;
    try {
      Path path = realFolder.resolve(FILE_NAME);
      FolderFiles.createFile(path);
      Object fileKey = fileKey(path);
      file = new RandomAccessFile(path.toFile(), "rw");
      FileLock lock = lock(folder, file);
      ownerFile = OwnerFile.open(realFolder);
      FolderOwner owner = FolderOwner.self(processes, chance());
      requireNoOwner(folder, ownerFile, processes);
      ownerFile.write(owner);
      byte[] pid = (owner.pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      file.seek(0);
      file.write(pid);
      file.setLength(pid.length);
      FolderLock taken = new FolderLock(realFolder, file, lock, ownerFile, owner);
      if (!Objects.equals(fileKey, taken.fileKey)) {
        throw new StoreLockedException("lock file was replaced meanwhile: folder=" + folder);
      }
      isTaken = true;
      return taken;
    } finally {
      if (!isTaken) {
        HELD.remove(realFolder);
        if (ownerFile != null) {
          ownerFile.close();
        }
        if (file != null && !NEVER_CLOSED.contains(file)) {
          file.close();
        }
      }
    }
  }

  private static String chance() {
    byte[] bytes = new byte[CHANCE_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * Makes sure that the owner named in the file has closed the folder, is dead or does not answer:
   * a free lock proves nothing.
   */
  private static void requireNoOwner(Path folder, OwnerFile ownerFile, ProcessTable processes)
      throws IOException {
    Content found = ownerFile.read().orElse(null);
    if (found == null || found.owner().isGone()) {
      return;
    }
    Life life = found.owner().life(processes);
    if (life == Life.ALIVE || (life == Life.UNKNOWN && isAnswered(ownerFile, found))) {
      throw lockDropped(folder, found.owner());
    }
  }

  /**
   * Makes sure that the owner named in the file is not seen alive. Unlike an opening, it asks no
   * owner, and so writes nothing.
   */
  static void requireNoLivingOwner(Path folder) throws IOException {
    Content found = OwnerFile.look(folder.toRealPath()).orElse(null);
    if (found != null
        && !found.owner().isGone()
        && found.owner().life(ProcessTable.SYSTEM) == Life.ALIVE) {
      throw lockDropped(folder, found.owner());
    }
  }

  private static StoreLockedException lockDropped(Path folder, FolderOwner named) {
    return new StoreLockedException(
        "store folder is open, though its lock was dropped when its process closed a file of the"
            + " folder that it had read: folder=%s, pid=%s, host=%s"
                .formatted(folder, named.pid(), named.host()),
        named.pid());
  }

  /** Asks an owner that cannot be seen from here. Returns whether it answers in time. */
  private static boolean isAnswered(OwnerFile ownerFile, Content found) throws IOException {
    String question = chance();
    ownerFile.ask(found, question);
    long endNs = System.nanoTime() + ANSWER_WAIT_NS;
    while (System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(ANSWER_LOOK_NS);
      Content now = ownerFile.read().orElse(null);
      if (now != null && now.answer().equals(question)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Tells whether the folder is still this owner's: the LOCK file is the one that is locked, and no
   * other owner is named. On the way it answers an opener that asks, and takes the lock again.
   */
  boolean isOwned() throws IOException {
    if (!isOnItsFile() || !(ownerFile.isInPlace() ? isNamed(ownerFile) : isNamedAnew())) {
      return false;
    }
    lockAgain();
    return true;
  }

  /**
   * Tells whether the file names this owner and no other. Writes the owner into a file that names
   * none, and answers an opener that asks.
   */
  private boolean isNamed(OwnerFile looked) throws IOException {
    Content named = looked.read().orElse(null);
    if (named == null) {
      looked.write(owner);
    } else if (!isOwn(named)) {
      return false;
    } else if (named.isAsked()) {
      looked.answer(named);
    }
    return true;
  }

  private boolean isOwn(Content named) {
    return named.owner().chance().equals(owner.chance());
  }

  /**
   * Makes the OWNER file anew, after it was removed or replaced, and tells whether it names this
   * owner. If the file cannot be made now, returns true: the next look tries again.
   */
  private boolean isNamedAnew() {
    try {
      OwnerFile fresh = OwnerFile.open(realFolder);
      ownerFile.close();
      ownerFile = fresh;
      return isNamed(fresh);
    } catch (IOException e) {
      return true;
    }
  }

  private boolean isOnItsFile() throws IOException {
    try {
      return Objects.equals(fileKey, fileKey(realFolder.resolve(FILE_NAME)));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Releases the lock and takes it again, for an owner cannot tell whether its lock was dropped. An
   * opener that has the lock at this moment is looking whether the owner lives, and gives it back.
   */
  private void lockAgain() throws IOException {
    if (lock.isValid()) {
      lock.release();
    }
    try {
      FileLock again = file.getChannel().tryLock(LOCKED_BYTE, 1, false);
      lock = again == null ? lock : again;
    } catch (OverlappingFileLockException e) {
      return; // a copy of this class under another class loader looks
    }
  }

  @Override
  public void close() throws IOException {
    try (file;
        OwnerFile closed = ownerFile) {
      if (closed.read().filter(this::isOwn).isPresent()) {
        closed.write(owner.gone());
        file.setLength(0); // so that nobody takes this process for the holder
      }
    } finally {
      HELD.remove(realFolder);
    }
  }

  private static FileLock lock(Path folder, RandomAccessFile file) throws IOException {
    try {
      for (int tries = 1; ; tries++) {
        FileLock lock = file.getChannel().tryLock(LOCKED_BYTE, 1, false);
        if (lock != null) {
          return lock;
        }
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
