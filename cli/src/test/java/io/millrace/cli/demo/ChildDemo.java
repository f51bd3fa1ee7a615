package io.millrace.cli.demo;

import io.millrace.cli.Main;
import io.millrace.cli.fixture.CommandRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A demo in a process of its own, which can be killed. */
final class ChildDemo implements AutoCloseable {

  private static final int END_WITHIN_SECONDS = 120;

  private final Process process;
  private final BufferedReader output;

  private ChildDemo(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static ChildDemo start(DemoFixture demo) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command =
        List.of(
            java.toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "demo",
            demo.source.toString(),
            "--dir",
            demo.dir.toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // The way Java takes names for text must not matter.
    builder.environment().put("LC_ALL", "C");
    return new ChildDemo(builder.start());
  }

  long pid() {
    return process.pid();
  }

  /** Waits for the first line of output: the demo has its lock, and opens its store. */
  String firstLine() throws IOException {
    return String.valueOf(output.readLine());
  }

  /** Waits until it has hashed a file, or has ended. */
  void awaitResults() throws InterruptedException {
    await(Pattern.compile("\"completed\": *[1-9]"));
  }

  /** Waits until it has found so many files, or has ended. */
  void awaitFound(int fileCount) throws InterruptedException {
    await(Pattern.compile("\"enqueued\": *" + fileCount + "\\b"));
  }

  private void await(Pattern inQueue) throws InterruptedException {
    String[] command = {
      "inspect", "--pid", String.valueOf(pid()), "--queue", "demo-files", "--json"
    };
    while (process.isAlive() && !inQueue.matcher(CommandRun.of(command).out()).find()) {
      runFor(5);
    }
  }

  /** Lets it run for so long, at most to its end. */
  void runFor(long durationMs) throws InterruptedException {
    process.waitFor(durationMs, TimeUnit.MILLISECONDS);
  }

  /** As kill -9: nothing in the process gets to run. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** As Ctrl-C; what it says then can still be read. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** Reads the rest of the output and answers it with the exit code in front. */
  String finish() throws IOException, InterruptedException {
    StringBuilder rest = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      rest.append(line).append('\n');
    }
    if (!process.waitFor(END_WITHIN_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("demo does not end: pid=" + process.pid());
    }
    return process.exitValue() + "\n" + rest;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
