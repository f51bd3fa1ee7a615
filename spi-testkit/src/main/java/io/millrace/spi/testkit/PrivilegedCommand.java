package io.millrace.spi.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A command of the system that not every machine allows, such as mounting a disk. */
public final class PrivilegedCommand {

  private PrivilegedCommand() {}

  /**
   * Runs the command. If it cannot run, skips the test and says so, or fails it where {@code
   * CI=true}.
   */
  public static void run(String... command) throws InterruptedException {
    String problem = tryToRun(command);
    if (problem.isEmpty()) {
      return;
    }
    String message = "cannot run '" + String.join(" ", command) + "': " + problem;
    if ("true".equals(System.getenv("CI"))) {
      Assertions.fail(message);
    }
    System.err.println("TEST SKIPPED: " + message);
    Assumptions.abort(message);
  }

  private static String tryToRun(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      return process.waitFor() == 0 ? "" : "exit " + process.exitValue() + " " + output;
    } catch (IOException e) {
      return e.toString();
    }
  }
}
