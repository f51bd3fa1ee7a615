package io.millrace.cli;

import io.millrace.engine.JobEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Engines in a process of their own, which holds them open until it is closed. */
final class ChildEngine implements AutoCloseable {

  /** What a child says when it is. */
  static final String READY = "engines are open";

  private final Process process;

  private ChildEngine(Process process) {
    this.process = process;
  }

  /** Opens the stores at these locations, if any, and waits until they are open. */
  static ChildEngine start(String... locations) throws IOException {
    return start(List.of(), locations);
  }

  /** The same in a Java with these options. */
  static ChildEngine start(List<String> javaOptions, String... locations) throws IOException {
    return start(ChildEngine.class, javaOptions, locations);
  }

  /** The same with another main class, which says when it is ready. */
  static ChildEngine start(Class<?> main, List<String> javaOptions, String... locations)
      throws IOException {
    List<String> command = java(javaOptions);
    command.add(main.getName());
    command.addAll(List.of(locations));
    return awaitReady(new ProcessBuilder(command));
  }

  /** The beginning of a command line: a Java with these options and our classes. */
  static List<String> java(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    return command;
  }

  private static ChildEngine awaitReady(ProcessBuilder builder) throws IOException {
    Process process = builder.redirectErrorStream(true).start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = output.readLine(); !READY.equals(line); line = output.readLine()) {
      if (line == null) {
        throw new IOException("the child ended too early: output=" + said);
      }
      said.append(line).append('\n');
    }
    return new ChildEngine(process);
  }

  long pid() {
    return process.pid();
  }

  /** Lets it close its engines and waits for its end. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }

  /** Runs in the child: opens the stores and holds them until its input ends. */
  public static void main(String[] locations) throws IOException {
    List<JobEngine> engines = new ArrayList<>();
    for (String location : locations) {
      engines.add(JobEngine.open(location));
    }
    System.out.println(READY);
    while (System.in.read() >= 0) {
      // Whatever is said to it, it goes on.
      continue;
    }
    engines.forEach(JobEngine::close);
  }
}
