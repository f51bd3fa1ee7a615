package io.millrace.memtable.log;

import io.millrace.memtable.log.LogReplay.Held;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.FolderFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log in a folder: a part is a file, which is written over from its beginning when its batches
 * were released.
 *
 * <p>Invariants, on which {@link LogReplay} relies:
 *
 * <ol>
 *   <li>All before a file's first batch is durable before its header is written.
 *   <li>The header is durable before a record is written. After it, nothing goes into another file.
 *   <li>No file is written over that has a batch which was not released. In particular, an opening
 *       goes on in another file than those with what an earlier one left.
 * </ol>
 *
 * <p>Three files are kept, and keep their length, from the beginning, so that a full disk still
 * takes batches that free space: one for the newest part, one for the part before, which is on its
 * way into the store, and one for an opening that finds both.
 */
public final class FolderLog implements BatchLog {

  private static final int FILES_LEAST = 3;

  private final Path folder;
  private final long epoch;
  private final LogSizes sizes;
  private final LongSupplier chance;

  /** Files with batches that were not released, in their order, without the newest. */
  private final Deque<Held> held = new ArrayDeque<>();

  /**
   * Files that may be written over, the next to be used first. Guarded by {@code held}, as {@code
   * held} itself is.
   */
  private final Deque<Path> free = new ArrayDeque<>();

  private LogPart part;
  private volatile long lastNumber;
  private volatile long syncedNumber;
  private volatile long partBytes;
  private volatile @Nullable StoreFailedException failure;
  private volatile boolean isClosed;

  private FolderLog(LogReplay replay, long epoch, LogSizes sizes, LongSupplier chance)
      throws IOException {
    this.folder = replay.folder();
    this.epoch = epoch;
    this.sizes = sizes;
    this.chance = chance;
    this.lastNumber = replay.lastNumber();
    this.syncedNumber = lastNumber;
    this.held.addAll(replay.held());
    this.free.addAll(LogReplay.files(folder));
    held.forEach(one -> free.remove(one.path()));
    putReserveBy();
    this.part = begin(replay.sequence() + 1);
  }

  /**
   * Goes on behind what was read of a log. Creates the folder if there is none, and drops for good
   * what the replay found lost. The batches that were handed over are durable on return, and kept
   * until they are released.
   *
   * <p>Nobody else may have the log open, or have changed it since it was read.
   *
   * @param epoch the epoch of the store's opening in which its batches will be written
   * @throws IllegalArgumentException batches in the log are of a later epoch
   * @throws StoreFullException there is no room for the files; what was read is still there
   * @throws StoreException the files cannot be used; what was read is still there
   */
  public static FolderLog begin(LogReplay replay, long epoch) {
    return begin(replay, epoch, LogSizes.STANDARD, new SecureRandom()::nextLong);
  }

  static FolderLog begin(LogReplay replay, long epoch, LogSizes sizes, LongSupplier chance) {
    if (epoch < replay.lastEpoch()) {
      throw new IllegalArgumentException(
          "epoch is before that of the log: value=" + epoch + ", least=" + replay.lastEpoch());
    }
    try {
      FolderFiles.createFolder(replay.folder());
      FolderFiles.restrict(replay.folder());
      for (Path path : replay.spoilt()) {
        try (LogFile file = LogFile.open(path, sizes)) {
          file.cut(0);
        }
      }
      List<Held> held = replay.held();
      if (!held.isEmpty()) {
        makeDurable(held.get(held.size() - 1), sizes);
      }
      return new FolderLog(replay, epoch, sizes, chance);
    } catch (IOException e) {
      throw LogReplay.unusable(replay.folder(), e);
    }
  }

  /**
   * Removes the files of a log whose batches are all in the store, durably.
   *
   * @throws StoreException they cannot be removed; each that is still there is whole
   */
  public static void remove(Path folder) {
    try {
      for (Path file : LogReplay.files(folder)) {
        Files.delete(file);
      }
      FolderFiles.syncFolder(folder);
    } catch (IOException e) {
      throw LogReplay.unusable(folder, e);
    }
  }

  /**
   * Makes the last file durable; the others are, for another was begun behind each of them. The
   * file is written anew with the same bytes: its writer may have died of a flush that failed, and
   * then the system may take for written what is in its memory alone. Whatever is behind the end is
   * cleared: records behind a gap never happened, whatever becomes of the file that says so.
   */
  private static void makeDurable(Held last, LogSizes sizes) throws IOException {
    try (LogFile file = LogFile.open(last.path(), sizes)) {
      file.rewrite(last.end());
      file.clear(last.end());
      file.flush();
    }
  }

  @Override
  public long lastNumber() {
    return lastNumber;
  }

  @Override
  public long syncedNumber() {
    return syncedNumber;
  }

  @Override
  public long partBytes() {
    return partBytes;
  }

  @Override
  public void append(WriteBatch batch) {
    requireUsable();
    if (batch.previous() != lastNumber) {
      throw new IllegalArgumentException(
          "batch is out of order: number="
              + batch.number()
              + ", previous="
              + batch.previous()
              + ", last="
              + lastNumber);
    }
    try {
      part.append(batch, syncedNumber);
    } catch (IOException e) {
      throw failed("append to the log", e);
    }
    lastNumber = batch.number();
    partBytes = part.bytes();
  }

  @Override
  public void sync() {
    requireUsable();
    flush();
  }

  @Override
  public void turn() {
    sync();
    LogPart before = part;
    try {
      part = begin(before.header().sequence() + 1);
      before.close();
    } catch (IOException e) {
      throw failed("turn of the log", e);
    }
    synchronized (held) {
      held.add(new Held(before.file().path(), lastNumber, before.end()));
    }
    partBytes = 0;
  }

  @Override
  public void release(long number) {
    synchronized (held) {
      for (Held first = held.peek(); first != null && first.last() <= number; first = held.peek()) {
        held.remove();
        // The system is more likely to have it in memory than one that was released before.
        free.push(first.path());
      }
      Iterator<Path> surplus = free.descendingIterator();
      for (int kept = 1 + held.size() + free.size();
          kept > FILES_LEAST && surplus.hasNext();
          kept--) {
        giveBack(surplus.next());
      }
    }
  }

  /** Gives back the room of a file that was needed only while the log had more parts. */
  private void giveBack(Path path) {
    try {
      if (Files.size(path) > 0) {
        try (LogFile file = LogFile.open(path, sizes)) {
          file.cut(0);
        }
      }
    } catch (IOException itKeepsItsRoom) {
      // The log can use it.
    }
  }

  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    LogPart newest = part;
    try (newest) {
      if (failure == null) {
        flush();
      } else if (syncedNumber != lastNumber) {
        throw new StoreFailedException(
            "log was closed with batches that may not be durable, since a write failed: folder="
                + folder
                + ", durable="
                + syncedNumber
                + ", last="
                + lastNumber,
            failure);
      }
    } catch (IOException e) {
      throw LogReplay.unusable(folder, e);
    }
  }

  private void flush() {
    long last = lastNumber;
    if (syncedNumber == last) {
      return;
    }
    try {
      part.flush();
    } catch (IOException e) {
      throw failed("sync of the log", e);
    }
    syncedNumber = last;
  }

  /** Begins another file, to which everything must be appended from now on. */
  private LogPart begin(long sequence) throws IOException {
    LogFile file = openFree();
    try {
      return LogPart.begin(file, new LogHeader(sequence, epoch, lastNumber, chance.getAsLong()));
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /**
   * Makes sure that there are files that may be written over, each at least of the least length.
   */
  private void putReserveBy() throws IOException {
    while (free.isEmpty() || held.size() + free.size() < FILES_LEAST) {
      free.add(create());
    }
    for (Path path : List.copyOf(free).subList(0, Math.max(1, FILES_LEAST - held.size()))) {
      try (LogFile file = LogFile.open(path, sizes)) {
        file.trim();
      }
    }
  }

  private LogFile openFree() throws IOException {
    synchronized (held) {
      // One that somebody took away would be made anew, but not by name made durable.
      free.removeIf(Files::notExists);
      if (free.isEmpty()) {
        free.add(create());
      }
      LogFile file = LogFile.open(free.element(), sizes);
      try {
        file.trim();
      } catch (IOException | RuntimeException | Error e) {
        file.close();
        throw e;
      }
      free.remove();
      return file;
    }
  }

  private Path create() throws IOException {
    int index = 0;
    while (Files.exists(folder.resolve(LogReplay.NAME + index))) {
      index++;
    }
    Path path = folder.resolve(LogReplay.NAME + index);
    try {
      FolderFiles.createFile(path);
    } catch (IOException e) {
      throw new StoreFullException(
          "log cannot have another file: file=" + path + ", reason=" + e.getMessage(), e);
    }
    FolderFiles.syncFolder(folder);
    return path;
  }

  private StoreFailedException failed(String action, IOException thrown) {
    StoreFailedException failed = StoreFailedException.unknown(action, folder, thrown);
    failure = failed;
    return failed;
  }

  private void requireUsable() {
    if (isClosed) {
      throw new StoreClosedException("log is closed: folder=" + folder);
    }
    StoreFailedException cause = failure;
    if (cause != null) {
      throw new StoreFailedException(
          "log refuses batches since a write failed, close the store and open it again: folder="
              + folder,
          cause);
    }
  }
}
