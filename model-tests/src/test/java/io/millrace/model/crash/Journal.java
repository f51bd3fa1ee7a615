package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process did and was told, one line for each event, in a file that outlives it. Any thread
 * may write.
 *
 * <p>What is about to be asked for is written before the call, the answer after it: an event
 * without an answer may or may not have happened. A line is one write, so that a kill tears none
 * but the last.
 */
final class Journal implements AutoCloseable {

  /** What a line is about. */
  enum Event {
    /** A process begins. */
    BEGIN,
    ENQUEUE,
    ENQUEUED,
    LEASED,
    COMPLETE,
    COMPLETED,
    FAIL,
    FAILED,
    DEAD,
    RELEASE,
    RELEASED,
    /** Something that must never be; the text says what. */
    WRONG
  }

  /** One event, with the job that it is about and one more fact. */
  record Line(Event event, String job, String fact) {}

  private final FileChannel channel;

  private Journal(FileChannel channel) {
    this.channel = channel;
  }

  static Journal append(Path file) throws IOException {
    return new Journal(
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  static List<Line> read(Path file) throws IOException {
    List<Line> lines = new ArrayList<>();
    String text = Files.exists(file) ? Files.readString(file) : "";
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    for (String line : whole.lines().toList()) {
      String[] parts = line.split(" ", 3);
      lines.add(new Line(Event.valueOf(parts[0]), parts[1], parts[2]));
    }
    return lines;
  }

  synchronized void add(Event event, String job, Object fact) {
    ByteBuffer line = ByteBuffer.wrap((event + " " + job + " " + fact + "\n").getBytes(UTF_8));
    try {
      while (line.hasRemaining()) {
        channel.write(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
