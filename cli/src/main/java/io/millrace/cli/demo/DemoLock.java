package io.millrace.cli.demo;

import io.millrace.cli.text.Printable;
import io.millrace.cli.text.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The right to be the only demo in a folder, held until closed or until the process dies. The store
 * has its own lock; this one also covers the journal, and the removal of an earlier store.
 */
final class DemoLock implements AutoCloseable {

  static final String FILE_NAME = "demo.lock";
  private static final int PID_BYTES_MAX = 20;

  private final Path folder;
  private final FileChannel channel;

  private DemoLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Takes the lock, creating the folder if it is not there.
   *
   * @throws DemoException another demo has it, or the folder cannot be created or written
   */
  static DemoLock take(Path folder) throws IOException {
    FileChannel channel = open(folder);
    try {
      if (tryLock(channel) == null) {
        throw new DemoException(
            "another demo is running in %s: pid %s; wait for it, stop it, or give another --dir"
                .formatted(Printable.text(folder.toString()), readPid(channel)));
      }
      writePid(channel);
      return new DemoLock(folder, channel);
    } catch (IOException | DemoException e) {
      channel.close();
      throw e;
    }
  }

  private static FileChannel open(Path folder) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new DemoException(
          "--dir is no folder: %s; name one, or one that is yet to be made"
              .formatted(Printable.text(folder.toString())));
    }
    try {
      Files.createDirectories(folder);
      return FileChannel.open(
          folder.resolve(FILE_NAME),
          StandardOpenOption.CREATE,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new DemoException(
          "--dir cannot be written: %s: %s; name a folder that can"
              .formatted(Printable.text(folder.toString()), Reason.of(e)),
          e);
    }
  }

  Path folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this very process
    }
  }

  private static String readPid(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(PID_BYTES_MAX);
    channel.read(bytes, 0);
    String pid = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII).strip();
    return pid.matches("[0-9]+") ? pid : "unknown";
  }

  private static void writePid(FileChannel channel) throws IOException {
    String pid = ProcessHandle.current().pid() + "\n";
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
  }
}
