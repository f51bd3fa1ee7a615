package io.millrace.spi.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The changes that a traced process made to some files, in order, read from strace's output. */
public final class SystemCallTrace {

  /** A change of a file, or a flush; {@code length} for a cut or extension, else -1. */
  public record Event(String file, Kind kind, long offset, byte[] bytes, long length) {}

  public enum Kind {
    WRITE,
    LENGTH,
    FLUSH
  }

  private static final Pattern CALL =
      Pattern.compile("(\\w+)\\(\\d+<((?:\\\\x[0-9a-f]{2})+)>(?:, )?(.*)\\) += (\\d+)");
  private static final Pattern TEXT = Pattern.compile("\"((?:\\\\x[0-9a-f]{2})*)\"(\\.\\.\\.)?");
  private static final Pattern LAST_NUMBER = Pattern.compile("(\\d+)$");
  private static final byte[] NOTHING = {};

  private final List<Event> events = new ArrayList<>();
  private final Map<String, Long> positions = new HashMap<>();

  private SystemCallTrace() {}

  /** Returns the command line that traces a process into files that start with {@code output}. */
  public static String[] command(Path output, List<Path> traced) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "strace",
                "-ff",
                "-ttt",
                "--seccomp-bpf",
                "-y",
                "-xx",
                "-s",
                "10000000",
                "-o",
                output.toString(),
                "-e"));
    command.add("trace=pwrite64,pwritev,pwritev2,writev,write,lseek,fdatasync,fsync,ftruncate");
    for (Path path : traced) {
      command.add("-P");
      command.add(path.toString());
    }
    return command.toArray(String[]::new);
  }

  /** Reads the trace of the thread that did most. */
  public static List<Event> read(Path output) throws IOException {
    List<String> busiest =
        linesOfThreads(output).stream()
            .max(Comparator.comparingLong(SystemCallTrace::length))
            .orElseThrow();
    return events(busiest);
  }

  /**
   * Reads the traces of all threads, in the order in which their calls began; no two may be at work
   * on a file at a time.
   */
  public static List<Event> readAll(Path output) throws IOException {
    List<String> all = new ArrayList<>();
    linesOfThreads(output).forEach(all::addAll);
    // The instant, which all lines begin with, has the same length in each.
    all.sort(Comparator.comparing(line -> line.substring(0, line.indexOf(' '))));
    return events(all);
  }

  private static List<List<String>> linesOfThreads(Path output) throws IOException {
    List<List<String>> threads = new ArrayList<>();
    try (Stream<Path> files = Files.list(output.getParent())) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.getFileName().toString().startsWith(output.getFileName() + ".")) {
          threads.add(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
        }
      }
    }
    return threads;
  }

  private static long length(List<String> lines) {
    return lines.stream().mapToLong(String::length).sum();
  }

  private static List<Event> events(List<String> lines) {
    SystemCallTrace trace = new SystemCallTrace();
    lines.forEach(line -> trace.add(line.substring(line.indexOf(' ') + 1)));
    return trace.events;
  }

  private void add(String line) {
    Matcher call = CALL.matcher(line);
    if (!call.matches()) {
      assertThat(line)
          .as("system call that failed or that is not understood")
          .matches("[-+]{3} .*");
      return;
    }
    String path = new String(decode(call.group(2)), StandardCharsets.UTF_8);
    String file = path.substring(path.lastIndexOf('/') + 1);
    long result = Long.parseLong(call.group(4));
    switch (call.group(1)) {
      case "lseek" -> positions.put(file, result);
      case "write", "writev" -> {
        long offset = positions.getOrDefault(file, 0L);
        positions.put(file, offset + result);
        write(file, offset, call.group(3), result);
      }
      case "pwrite64" -> write(file, lastNumber(call.group(3)), call.group(3), result);
      case "ftruncate" ->
          events.add(new Event(file, Kind.LENGTH, 0, NOTHING, lastNumber(call.group(3))));
      case "fsync", "fdatasync" -> events.add(new Event(file, Kind.FLUSH, 0, NOTHING, -1));
      default -> throw new AssertionError("not understood: " + line.substring(0, 80));
    }
  }

  private void write(String file, long offset, String arguments, long length) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Matcher text = TEXT.matcher(arguments);
    while (text.find()) {
      assertThat(text.group(2)).as("text was cut").isNull();
      bytes.writeBytes(decode(text.group(1)));
    }
    assertThat(bytes.size()).isEqualTo(Math.toIntExact(length));
    events.add(new Event(file, Kind.WRITE, offset, bytes.toByteArray(), -1));
  }

  private static long lastNumber(String arguments) {
    Matcher number = LAST_NUMBER.matcher(arguments);
    assertThat(number.find()).isTrue();
    return Long.parseLong(number.group(1));
  }

  private static byte[] decode(String escaped) {
    return HexFormat.of().parseHex(escaped.replace("\\x", ""));
  }
}
