package io.millrace.cli.place;

import io.millrace.cli.text.Reason;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.folder.StoreFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store's folder that cannot be written, made fit to be read: a temporary folder with links to
 * its files, in which the files that lock a store can be made.
 *
 * <p>The store's own lock file is locked as well, shared, which needs no right to write. So an
 * engine that has the store open is noticed, and none can open it meanwhile. A store without that
 * file was never opened since it was made, since opening it makes the file first. Then nothing
 * keeps out an engine that may write where we may not.
 */
final class ReadOnlyFolder implements AutoCloseable {

  private static final String LOCK_FILE = "LOCK";

  /** Files that are made anew, not linked, since opening the store writes them. */
  private static final Set<String> MADE_ANEW = Set.of(LOCK_FILE, "OWNER", "lock.mdb");

  private static final int PID_DIGITS_MAX = 18;

  private final Path folder;
  private final Path links;
  private final @Nullable FileChannel lock;

  private ReadOnlyFolder(Path folder, Path links, @Nullable FileChannel lock) {
    this.folder = folder;
    this.links = links;
    this.lock = lock;
  }

  /** Tells whether a store in the folder cannot be locked in the usual way. */
  static boolean isNeeded(Path folder) {
    Path lock = folder.resolve(LOCK_FILE);
    return Files.isDirectory(folder)
        && (!Files.isWritable(folder) || (Files.exists(lock) && !Files.isWritable(lock)));
  }

  /**
   * Makes the folder of links.
   *
   * @throws StoreLockedException an engine has the store open
   * @throws StoreException the store cannot be read, or there is no room for links
   */
  static ReadOnlyFolder of(Path folder) {
    FileChannel lock = null;
    Path links = null;
    try {
      lock = lock(folder);
      StoreFolder.requireNoLivingOwner(folder);
      links = Files.createTempDirectory("millrace-read-");
      for (Path file : entries(folder)) {
        Path name = file.getFileName();
        if (name != null && !MADE_ANEW.contains(name.toString())) {
          Files.createSymbolicLink(links.resolve(name), file.toRealPath());
        }
      }
      return new ReadOnlyFolder(folder, links, lock);
    } catch (IOException | UnsupportedOperationException e) {
      close(lock, links);
      throw new StoreException(
          "store folder is not writable, and a temporary folder of links to its files cannot be"
              + " made; copy it to where it can be written: folder="
              + folder
              + ", temporary folder="
              + System.getProperty("java.io.tmpdir")
              + ", reason="
              + (e instanceof IOException io ? Reason.of(io) : "there are no links here"),
          e);
    } catch (RuntimeException | Error e) {
      close(lock, links);
      throw e;
    }
  }

  /** Returns the folder in which the store can be opened for reading. */
  Path links() {
    return links;
  }

  /** Returns a text with the store's own folder in place of that of the links. */
  String shown(String text) {
    return text.replace(links.toString(), folder.toString());
  }

  /** Returns a line for the user about how the folder is read. */
  String note() {
    return "%s cannot be written: it is read all the same, %s"
        .formatted(
            folder,
            lock != null
                ? "and no engine can open it meanwhile"
                : "but not locked: see to it that no engine opens it meanwhile");
  }

  @Override
  public void close() {
    close(lock, links);
  }

  /** Locks the lock file; returns null if there is none. */
  private static @Nullable FileChannel lock(Path folder) throws IOException {
    FileChannel file;
    try {
      file = FileChannel.open(folder.resolve(LOCK_FILE), StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      return null;
    }
    try {
      // The byte that owners lock.
      if (file.tryLock(Long.MAX_VALUE - 1, 1, true) != null) {
        return file;
      }
    } catch (OverlappingFileLockException e) {
      throw new StoreLockedException(
          "store folder is open in this process already: folder=" + folder, e);
    }
    String pid = Files.readString(folder.resolve(LOCK_FILE), StandardCharsets.US_ASCII).strip();
    file.close();
    String message = "store folder is open in another process: folder=" + folder + ", pid=" + pid;
    throw pid.matches("[0-9]{1," + PID_DIGITS_MAX + "}")
        ? new StoreLockedException(message, Long.parseLong(pid))
        : new StoreLockedException(message);
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }

  /** Removes the links, not what they lead to. */
  private static void close(@Nullable FileChannel lock, @Nullable Path links) {
    try (lock) {
      if (links != null) {
        for (Path link : entries(links)) {
          Files.delete(link);
        }
        Files.delete(links);
      }
    } catch (IOException e) {
      // It is in the temporary folder, and takes no room.
      return;
    }
  }
}
