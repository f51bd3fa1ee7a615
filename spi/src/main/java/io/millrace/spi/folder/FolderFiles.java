package io.millrace.spi.folder;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Operations on files and folders for the owner's eyes only, whose names survive power loss. For
 * any thread; an interrupt stops nothing here.
 */
public final class FolderFiles {

  private static final FileAttribute<?>[] NO_ATTRIBUTES = {};
  private static final String FOLDER_MODE = "rwx------";
  private static final String FILE_MODE = "rw-------";

  private FolderFiles() {}

  /**
   * Creates the folder and its missing parents, each made durable in its own parent. Existing ones
   * are left as they are.
   *
   * @throws IOException a folder cannot be created or synced, or a file has its name; some parents
   *     may have been created
   */
  public static void createFolder(Path folder) throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    for (Path at = folder; at != null && !Files.exists(at); at = at.getParent()) {
      missing.push(at);
    }
    for (Path next : missing) {
      try {
        Files.createDirectory(next, attributes(folderOf(next), FOLDER_MODE));
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(next)) {
          throw e;
        }
      }
      syncFolder(folderOf(next));
    }
  }

  /**
   * Creates an empty file if there is none. An existing one is closed to other users. The folder is
   * not synced.
   *
   * @throws IOException the file cannot be created, or not be closed to others
   */
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, attributes(folderOf(file), FILE_MODE));
    } catch (FileAlreadyExistsException e) {
      restrict(file);
    }
  }

  /**
   * Closes a file or folder to other users, if this process may do so. One that belongs to somebody
   * else, such as the root of a volume that a container is given, is left as it is if it can be
   * written.
   *
   * @throws IOException this process may neither change the permissions nor write
   */
  public static void restrict(Path path) throws IOException {
    if (Files.getFileAttributeView(path, PosixFileAttributeView.class) == null) {
      return;
    }
    Set<PosixFilePermission> mode =
        PosixFilePermissions.fromString(Files.isDirectory(path) ? FOLDER_MODE : FILE_MODE);
    try {
      Files.setPosixFilePermissions(path, mode);
    } catch (FileSystemException e) {
      if (!Files.isWritable(path)) {
        throw e;
      }
    }
  }

  /** Tells whether users other than the owner have any permission on the file or folder. */
  static boolean isOpenToOthers(Path path) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    return view != null
        && !PosixFilePermissions.fromString(FOLDER_MODE)
            .containsAll(view.readAttributes().permissions());
  }

  /** Replaces the file's content in one step: after power loss it is the old or the new, whole. */
  static void replaceDurably(Path file, Path temporary, byte[] content) throws IOException {
    createFile(temporary);
    try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
      out.write(content);
      out.getFD().sync();
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    syncFolder(folderOf(file));
  }

  static void syncFile(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.getFD().sync();
    }
  }

  /**
   * Makes the names in the folder durable, where the platform can; does not fail when the thread is
   * interrupted.
   *
   * @throws IOException the folder is not there, or cannot be synced
   */
  public static void syncFolder(Path folder) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        // Only a channel can open a folder, and an interrupt closes it: put the interrupt off.
        interrupted |= Thread.interrupted();
        try (FileChannel channel = openFolder(folder)) {
          if (channel != null) {
            channel.force(true);
          }
          return;
        } catch (ClosedByInterruptException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the names of the folder's entries. */
  static List<String> names(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder)) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    }
    return names;
  }

  /**
   * Returns all files and folders below the folder, the contents of each folder before the folder.
   */
  static List<Path> contents(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.skip(1).sorted(Comparator.reverseOrder()).toList();
    }
  }

  /** Opens a folder. Null on platforms that cannot, where a folder's names need no sync. */
  private static @Nullable FileChannel openFolder(Path folder) throws IOException {
    if (!isPosix(folder)) {
      return null;
    }
    return FileChannel.open(folder, StandardOpenOption.READ);
  }

  /** Returns the folder that holds the path: the working directory for a path of one name. */
  private static Path folderOf(Path path) {
    return path.resolveSibling("");
  }

  private static FileAttribute<?>[] attributes(Path parent, String mode) {
    if (!isPosix(parent)) {
      return NO_ATTRIBUTES;
    }
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
    };
  }

  private static boolean isPosix(Path path) {
    return Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        != null;
  }
}
