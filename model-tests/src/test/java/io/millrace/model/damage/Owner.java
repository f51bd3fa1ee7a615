package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.spi.testkit.fault.Machine;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Another process that may own a store, as the test sees it. */
final class Owner implements AutoCloseable {

  private final Process process;
  private final BufferedWriter input;
  private final BufferedReader output;

  private Owner(Process process) {
    this.process = process;
    this.input = process.outputWriter(UTF_8);
    this.output = process.inputReader(UTF_8);
  }

  static Owner start() throws IOException {
    List<String> command = new ArrayList<>(Machine.java());
    command.add(1, "-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.add(OwnerProcess.class.getName());
    return new Owner(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  long pid() {
    return process.pid();
  }

  /** Tells it to do something, which it answers later. */
  void tell(String line) throws IOException {
    input.write(line + "\n");
    input.flush();
  }

  String answer() throws IOException {
    return String.valueOf(output.readLine());
  }

  String ask(String line) throws IOException {
    tell(line);
    return answer();
  }

  void signal(String name) throws IOException {
    Machine.run("kill", "-" + name, Long.toString(pid()));
  }

  /** Ends it where it stands. */
  void kill() {
    process.destroyForcibly();
    Machine.join(process);
  }

  @Override
  public void close() {
    kill();
  }
}
