package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of ours that is going to be killed or stopped. */
final class Victim implements AutoCloseable {

  /** Exit status of a JVM that was told to end by SIGTERM. */
  static final int TERMINATED = 128 + 15;

  private final Process process;

  private Victim(Process process) {
    this.process = process;
  }

  static Victim start(Class<?> main, String... arguments) throws IOException {
    return start(SharedClasses.command(), main, arguments);
  }

  static Victim start(List<String> java, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(java);
    command.add(main.getName());
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

  long pid() {
    return process.pid();
  }

  /** Kills it; the time from which on it did nothing. */
  long kill() {
    process.destroyForcibly();
    long deadUs = Journal.nowUs();
    Machine.join(process);
    return deadUs;
  }

  /** Stops it cleanly; its exit status. */
  int stop() throws IOException {
    process.outputWriter(UTF_8).close();
    return Machine.join(process);
  }

  /** Tells it by SIGTERM to end, and waits until it has; its exit status. */
  int terminate() {
    process.toHandle().destroy(); // which leaves its input open, unlike destroy of the process
    return Machine.join(process);
  }

  /** Waits for it to end by itself; its exit status. */
  int join() {
    return Machine.join(process);
  }

  @Override
  public void close() {
    kill();
  }
}
