package io.millrace.cli.demo;

import io.millrace.cli.text.Reason;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * The results so far, in the order of their making. Any thread may append.
 *
 * <p>What was appended is on stable storage when {@link #append} returns; only then may a job be
 * completed. So whatever a crash tears at the end of the file belongs to jobs that will run again,
 * and {@link #open} cuts it off. A file may be in the journal twice: the later line holds.
 */
final class ResultJournal implements AutoCloseable {

  private final Path file;
  private final FileChannel channel;
  private final BlockingQueue<HashedFile> gathered = new LinkedBlockingQueue<>();

  /**
   * An interrupt closes the channel of who writes, and handlers are interrupted: it is not they.
   */
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(work -> new Thread(work, "demo-journal"));

  private boolean isBroken;

  private ResultJournal(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Opens the journal, creating it if it is not there, and cuts off a line that was not written
   * whole.
   */
  static ResultJournal open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      long wholeLength = scan(file, line -> {});
      channel.truncate(wholeLength);
      channel.position(wholeLength);
      return new ResultJournal(file, channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Adds results and syncs them.
   *
   * @throws IOException how much was added is unknown; from then on the journal takes nothing more
   */
  synchronized void append(List<HashedFile> results) throws IOException {
    if (isBroken) {
      throw new IOException("an earlier write to the journal failed: " + file);
    }
    if (results.isEmpty()) {
      return;
    }
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    results.forEach(result -> lines.writeBytes(JournalLine.encode(result)));
    ByteBuffer buffer = ByteBuffer.wrap(lines.toByteArray());
    isBroken = true; // until it is known that all of it was written
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    channel.force(false);
    isBroken = false;
  }

  /**
   * Adds a result and syncs it, together with those that others add meanwhile.
   *
   * @throws IOException as of the other
   * @throws InterruptedException it is added all the same
   */
  void append(HashedFile result) throws IOException, InterruptedException {
    gathered.add(result);
    Future<Boolean> written = writer.submit(this::appendGathered);
    try {
      written.get();
    } catch (ExecutionException e) {
      throw new IOException(Reason.root(e), e);
    }
  }

  private boolean appendGathered() throws IOException {
    List<HashedFile> results = new ArrayList<>();
    gathered.drainTo(results);
    append(results);
    return true;
  }

  /** The newest result for each name. */
  synchronized Map<FileName, HashedFile> read() throws IOException {
    Map<FileName, HashedFile> results = new HashMap<>();
    scan(file, result -> results.put(result.name(), result));
    return results;
  }

  @Override
  public void close() throws IOException {
    writer.shutdown();
    synchronized (this) {
      channel.close();
    }
  }

  /**
   * Tells each result up to the first line that is not whole, and answers where that line begins.
   */
  private static long scan(Path file, Consumer<HashedFile> results) throws IOException {
    long wholeLength = 0;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      for (int b = in.read(); b >= 0; b = in.read()) {
        if (b != '\n') {
          line.write(b);
          continue;
        }
        Optional<HashedFile> result = JournalLine.decode(line.toByteArray());
        if (result.isEmpty()) {
          return wholeLength;
        }
        results.accept(result.get());
        wholeLength += line.size() + 1L;
        line.reset();
      }
    }
    return wholeLength;
  }
}
