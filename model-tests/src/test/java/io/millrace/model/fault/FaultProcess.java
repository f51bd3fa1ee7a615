package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process of ours in a world that is made to go wrong. It says what it found, one line each:
 * {@code tried: …}, {@code violation: …}, and {@code done} at the end. For one thread.
 */
final class FaultProcess implements AutoCloseable {

  private static final String TRIED = "tried: ";
  private static final String VIOLATION = "violation: ";
  private static final int NATIVE_DEATH = 128;

  private final Process process;
  private final BufferedReader output;

  /** What a process said of its trials. */
  record Findings(List<String> tried, List<String> violations) {}

  private FaultProcess(Process process) {
    this.process = process;
    this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /** Starts a main class behind a prefix, such as a tracer, with additions to its environment. */
  static FaultProcess start(
      List<String> prefix, Map<String, String> environment, Class<?> main, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(Machine.java());
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return new FaultProcess(builder.start());
  }

  /**
   * The beginning of a command that lets system calls on some files fail, or take long.
   *
   * @param injections as strace takes them, such as {@code fdatasync:error=EIO:when=5}
   */
  static List<String> tampered(List<String> injections, List<Path> files) {
    List<String> command =
        new ArrayList<>(List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null"));
    for (String injection : injections) {
      command.add("-e");
      command.add("inject=" + injection);
    }
    for (Path file : files) {
      command.add("-P");
      command.add(file.toString());
    }
    return command;
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
    List<String> before = new ArrayList<>();
    for (String said = output.readLine(); !line.equals(said); said = output.readLine()) {
      assertThat(said).as("said before: %s", before).isNotNull();
      before.add(said);
    }
  }

  /** The next line that it says. */
  String line() throws IOException {
    String said = output.readLine();
    assertThat(said).as("what it says").isNotNull();
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

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
