package io.millrace.spi.folder;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The OWNER file: names the process that has the folder open, for openers that find its lock free.
 *
 * <pre>
 *  pid=4711, host, boot, pidNamespace, start, chance, isGone   the owner
 *  inode=number     of this very file: the record of a copy is not about the folder it is in
 *  question=text    by an opener that cannot see the owner's process
 *  answer=text      by the owner, the same
 * </pre>
 *
 * Lines of text, each a name and a value, filled up with line feeds to one length, so that each
 * state of the file is written in one go. Never synced: after a power loss no owner is left. An
 * owner keeps the file open, so that a process without file descriptors left can go on looking.
 */
final class OwnerFile implements AutoCloseable {

  static final String FILE_NAME = "OWNER";

  private static final int LENGTH_BYTES = 1_024;
  private static final String QUESTION = "question";
  private static final String ANSWER = "answer";

  private final Path path;
  private final RandomAccessFile file;
  private final String inode;

  private OwnerFile(Path path, RandomAccessFile file) throws IOException {
    this.path = path;
    this.file = file;
    this.inode = inode(path);
  }

  /**
   * Content of the file.
   *
   * @param owner the owner that the file names
   * @param question the newest question, empty if none was asked
   * @param answer the newest answer, empty if none was given
   */
  record Content(FolderOwner owner, String question, String answer) {

    boolean isAsked() {
      return !question.isEmpty() && !question.equals(answer);
    }
  }

  /** Opens the file for reading and writing, and makes it if there is none. */
  static OwnerFile open(Path folder) throws IOException {
    Path path = folder.resolve(FILE_NAME);
    FolderFiles.createFile(path);
    return new OwnerFile(path, new RandomAccessFile(path.toFile(), "rw"));
  }

  /**
   * Reads the file, as {@link #read} does, for callers who may not write it. Empty if there is
   * none.
   */
  static Optional<Content> look(Path folder) throws IOException {
    Path path = folder.resolve(FILE_NAME);
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try (OwnerFile read = new OwnerFile(path, new RandomAccessFile(path.toFile(), "r"))) {
      return read.read();
    }
  }

  /** Tells whether the folder still has this very file. */
  boolean isInPlace() throws IOException {
    return inode.equals(inode(path));
  }

  /**
   * Returns the content of the file; empty if it cannot be read, or was copied from another folder.
   */
  Optional<Content> read() throws IOException {
    byte[] bytes = new byte[LENGTH_BYTES];
    file.seek(0);
    int length = Math.max(0, file.read(bytes));
    Map<String, String> values =
        FolderOwner.values(new String(bytes, 0, length, StandardCharsets.UTF_8));
    @Nullable FolderOwner owner = FolderOwner.of(values);
    if (owner == null || !inode.equals(values.getOrDefault("inode", ""))) {
      return Optional.empty();
    }
    return Optional.of(
        new Content(owner, values.getOrDefault(QUESTION, ""), values.getOrDefault(ANSWER, "")));
  }

  void write(FolderOwner owner) throws IOException {
    write(owner, "");
  }

  /** Asks the owner whether it lives. */
  void ask(Content read, String question) throws IOException {
    write(read.owner(), QUESTION + "=" + question + "\n");
  }

  /** Answers the question in the content that was read. */
  void answer(Content read) throws IOException {
    String line = "=" + read.question() + "\n";
    write(read.owner(), QUESTION + line + ANSWER + line);
  }

  private void write(FolderOwner owner, String lines) throws IOException {
    byte[] text = (owner.text() + "inode=" + inode + "\n" + lines).getBytes(StandardCharsets.UTF_8);
    byte[] bytes = Arrays.copyOf(text, LENGTH_BYTES);
    Arrays.fill(bytes, text.length, LENGTH_BYTES, (byte) '\n');
    file.seek(0);
    file.write(bytes);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /**
   * Returns the file's inode number; empty if there is no such file, and on platforms that do not
   * number files.
   */
  private static String inode(Path path) throws IOException {
    try {
      return Files.getAttribute(path, "unix:ino").toString();
    } catch (NoSuchFileException | UnsupportedOperationException | IllegalArgumentException e) {
      return "";
    }
  }
}
