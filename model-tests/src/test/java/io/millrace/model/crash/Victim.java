package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process of ours that is going to be killed, frozen, or stopped. */
final class Victim implements AutoCloseable {

  private static final long FREEZE_NS_MAX = 60_000_000_000L;

  private final Process process;

  private Victim(Process process) {
    this.process = process;
  }

  static Victim start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(Machine.java());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xshare:auto", "-ea", main.getName()));
    command.addAll(List.of(arguments));
    return new Victim(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  void tell(String line) throws IOException {
    process.outputWriter(UTF_8).write(line + "\n");
    process.outputWriter(UTF_8).flush();
  }

  /** The next line that it says; "nothing" if it is dead. */
  String answer() throws IOException {
    String line = process.inputReader(UTF_8).readLine();
    return line == null ? "nothing" : line;
  }

  /** Lets it live for a while. */
  void leaveAlone(long us) throws InterruptedException {
    process.waitFor(us, TimeUnit.MICROSECONDS);
  }

  void kill() {
    process.destroyForcibly();
    Machine.join(process);
  }

  /** Stops it cleanly; its exit status. */
  int stop() throws IOException {
    process.outputWriter(UTF_8).close();
    return Machine.join(process);
  }

  /** Waits for it to end by itself; its exit status. */
  int join() {
    return Machine.join(process);
  }

  /** Stops all of its threads where they are; none is inside of a system call when this returns. */
  void freeze() throws IOException {
    Machine.run("kill", "-STOP", Long.toString(process.pid()));
    long start = System.nanoTime();
    while (!isFrozen()) {
      if (System.nanoTime() - start > FREEZE_NS_MAX) {
        throw new IllegalStateException("process does not freeze: pid=" + process.pid());
      }
      Thread.onSpinWait();
    }
  }

  private boolean isFrozen() throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      return threads.allMatch(Victim::isStopped);
    }
  }

  private static boolean isStopped(Path thread) {
    try {
      String status = Files.readString(thread.resolve("stat"));
      char state = status.charAt(status.lastIndexOf(')') + 2);
      return state == 'T' || state == 'Z' || state == 'X';
    } catch (NoSuchFileException ended) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
