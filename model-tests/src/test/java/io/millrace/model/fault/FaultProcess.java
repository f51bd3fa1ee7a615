package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process of ours in a world that is made to go wrong. It says what it found, one line each:
 * {@code tried: …}, {@code violation: …}, and {@code done} at the end. For one thread.
 */
final class FaultProcess implements AutoCloseable {

  private static final String TRIED = "tried: ";
  private static final String VIOLATION = "violation: ";
  private static final int NATIVE_DEATH = 128;
  private static final long SECONDS_MAX = Trials.count("process.seconds", 180, 240, 1_200);

  private final Process process;
  private final BufferedReader output;
  private volatile boolean isHanging;

  /** What a process said of its trials. */
  record Findings(List<String> tried, List<String> violations) {}

  private FaultProcess(Process process) {
    this.process = process;
    this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /**
   * What a process is started with.
   *
   * @param prefix the beginning of its command line, such as a tracer
   * @param environment additions to its environment
   * @param flags of its Java machine
   */
  record World(List<String> prefix, Map<String, String> environment, List<String> flags) {

    static final World ORDINARY = new World(List.of(), Map.of(), List.of());

    static World behind(List<String> prefix) {
      return new World(prefix, Map.of(), List.of());
    }
  }

  /** Starts a main class. */
  static FaultProcess start(World world, Class<?> main, Object... arguments) throws IOException {
    List<String> command = new ArrayList<>(world.prefix());
    command.addAll(Machine.java());
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.addAll(world.flags());
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(world.environment());
    FaultProcess started = new FaultProcess(builder.start());
    Thread watch = new Thread(started::watch, "watch");
    watch.setDaemon(true);
    watch.start();
    return started;
  }

  /** Ends a process that hangs, so that the test fails with what it said until then. */
  private void watch() {
    try {
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        isHanging = true;
        close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * A world in which system calls on some files fail.
   *
   * @param injection as strace takes it, such as {@code fdatasync:error=EIO:when=5}
   */
  static World tampered(String injection, List<Path> files) {
    List<String> command =
        new ArrayList<>(List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null"));
    command.addAll(List.of("-e", "inject=" + injection));
    for (Path file : files) {
      command.add("-P");
      command.add(file.toString());
    }
    return World.behind(command);
  }

  long pid() {
    return process.pid();
  }

  /** Sends a line to its standard input. */
  void say(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  /** Waits until it says this. */
  void await(String line) throws IOException {
    await(line, new ArrayList<>());
  }

  /** Waits until it says this; what it says before is added. */
  void await(String line, List<String> before) throws IOException {
    for (String said = line(before); !line.equals(said); said = line(before)) {
      before.add(said);
    }
  }

  /** The next line that it says. */
  String line() throws IOException {
    return line(List.of());
  }

  private String line(List<String> before) throws IOException {
    String said = output.readLine();
    if (said == null) {
      int status = Machine.join(process);
      throw new AssertionError(
          (isHanging ? "killed after " + SECONDS_MAX + " s" : "ended: status=" + status)
              + ", it said before: "
              + before);
    }
    return said;
  }

  /** Ends its standard input. */
  void end() throws IOException {
    process.getOutputStream().close();
  }

  /** What it says until its end, which must be of its own will. */
  Findings findings() throws IOException {
    List<String> tried = new ArrayList<>();
    List<String> violations = new ArrayList<>();
    List<String> other = new ArrayList<>();
    for (String said = output.readLine(); said != null; said = output.readLine()) {
      if (said.startsWith(TRIED)) {
        tried.add(said.substring(TRIED.length()));
      } else if (said.startsWith(VIOLATION)) {
        violations.add(said.substring(VIOLATION.length()));
      } else {
        other.add(said);
      }
    }
    int status = Machine.join(process);
    assertThat(status).as("exit status; it said %s", other).isLessThan(NATIVE_DEATH).isZero();
    assertThat(other).as("what it said").contains("done");
    return new Findings(tried, violations);
  }

  /** Waits for its end, whatever it says until then; answers its exit status. */
  int status() throws IOException {
    output.transferTo(Writer.nullWriter());
    return Machine.join(process);
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
