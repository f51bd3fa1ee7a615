package io.millrace.cli.text;

import io.millrace.cli.command.CannotException;
import io.millrace.console.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file in the making, for its owner's eyes only: it gets its name when it is whole. For one
 * thread.
 */
public final class NewFile implements AutoCloseable {

  private static final String PART_SUFFIX = ".part";

  private final Path file;
  private final Path part;
  private final PrintWriter out;
  private boolean isFinished;

  private NewFile(Path file, Path part, PrintWriter out) {
    this.file = file;
    this.part = part;
    this.out = out;
  }

  /**
   * Begins the file.
   *
   * @throws CannotException it exists, or cannot be written
   */
  public static NewFile create(Path file) {
    Path part = file.resolveSibling(file.getFileName() + PART_SUFFIX);
    try {
      if (Files.exists(file)) {
        throw new FileAlreadyExistsException(file.toString());
      }
      Files.createFile(part, attributes(part));
      PrintWriter out =
          new PrintWriter(
              Files.newBufferedWriter(part, StandardCharsets.UTF_8, StandardOpenOption.WRITE));
      return new NewFile(file, part, out);
    } catch (FileAlreadyExistsException e) {
      throw new CannotException(
          "file exists already; name another: " + Printable.text(String.valueOf(e.getMessage())),
          e);
    } catch (IOException e) {
      throw cannot(file, e);
    }
  }

  public PrintWriter out() {
    return out;
  }

  /**
   * Gives the file its name.
   *
   * @throws CannotException it could not be written to its end
   */
  public void finish() {
    boolean hasFailed = out.checkError();
    out.close();
    if (hasFailed) {
      throw cannot(file, new IOException("no room, or the disk failed"));
    }
    try {
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      isFinished = true;
    } catch (IOException e) {
      throw cannot(file, e);
    }
  }

  /** Removes the file if it is not whole. */
  @Override
  public void close() {
    out.close();
    if (!isFinished) {
      try {
        Files.deleteIfExists(part);
      } catch (IOException e) {
        // Why the file is not whole is on its way to the caller.
        return;
      }
    }
  }

  private static FileAttribute<?>[] attributes(Path file) {
    boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return isPosix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static CannotException cannot(Path file, IOException e) {
    return new CannotException(
        "cannot write file: %s: %s".formatted(Printable.text(file.toString()), Reason.of(e)), e);
  }
}
