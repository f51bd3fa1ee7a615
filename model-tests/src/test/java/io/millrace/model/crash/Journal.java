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
import java.util.Arrays;
import java.util.List;

/**
 * What one process did and was told, one line for each event, in a file that outlives it. Any
 * thread may write.
 *
 * <p>What is asked for is written before the call, the answer after it: an event without an answer
 * may or may not have happened, and what was answered before something else was asked for happened
 * before it. Lines written together are one write, so that a kill tears none but the last.
 */
final class Journal implements AutoCloseable {

  /** What a line is about. */
  enum Event {
    /** A process begins. */
    BEGIN,
    /** A job that was in the store when it was opened: id, state, attempts, version. */
    FOUND,
    /** That was all that was in the store: how many problems its verification found. */
    OBSERVED,
    /** An operation, its level and the call that it belongs to, if that is about several jobs. */
    ASK,
    /** An operation and its answer; with an enqueue's the id. */
    TOLD,
    /** A claim's call, and the lease that it got: id, token, attempt, version. */
    LEASED,
    /** Something that must never be; the text says what. */
    WRONG,
    /** How the process ended, and if by a power cut from when on it forgot what it had to keep. */
    END
  }

  /** One event, when it was written, the job or claim that it is about, and more facts. */
  record Line(long us, Event event, String job, List<String> facts) {

    String fact(int index) {
      return facts.get(index);
    }

    String text() {
      return us + " " + event + " " + job + (facts.isEmpty() ? "" : " " + String.join(" ", facts));
    }

    static Line parse(String text) {
      String[] parts = text.split(" ");
      return new Line(
          Long.parseLong(parts[0]),
          Event.valueOf(parts[1]),
          parts[2],
          List.of(Arrays.copyOfRange(parts, 3, parts.length)));
    }
  }

  private final FileChannel channel;

  private Journal(FileChannel channel) {
    this.channel = channel;
  }

  static Journal create(Path file) throws IOException {
    return new Journal(
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND));
  }

  /** A line of now. */
  static Line line(Event event, String job, Object... facts) {
    return new Line(
        nowUs(), event, job, Arrays.stream(facts).map(fact -> oneWord(fact.toString())).toList());
  }

  /** The clock of all journals of this machine. */
  static long nowUs() {
    return System.nanoTime() / 1_000;
  }

  private static String oneWord(String text) {
    return text.isEmpty() ? "-" : text.replaceAll("\\s", "_");
  }

  void add(Event event, String job, Object... facts) {
    addAll(List.of(line(event, job, facts)));
  }

  synchronized void addAll(List<Line> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line.text()).append('\n'));
    ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(UTF_8));
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The whole lines of a journal; none if the process died before it wrote one. */
  static List<Line> read(Path file) throws IOException {
    List<Line> lines = new ArrayList<>();
    String text = Files.exists(file) ? Files.readString(file) : "";
    for (int from = 0, to; (to = text.indexOf('\n', from)) >= 0; from = to + 1) {
      lines.add(Line.parse(text.substring(from, to)));
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
