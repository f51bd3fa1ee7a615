package io.millrace.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Runs what Java has no call for. */
public final class Shell {

  /**
   * Folders in folders until the path is longer than the system takes: nobody can read that, not
   * even root.
   */
  public static final String MAKE_TOO_DEEP =
      "name=$(printf 'd%.0s' $(seq 200)); for i in $(seq 25); do mkdir $name && cd $name; done";

  /** For afterwards: what cannot be read cannot be removed by the test framework either. */
  public static final String REMOVE_TOO_DEEP = "rm -rf ddd*";

  /** How a command ended. */
  public record Result(int exitCode, String output) {}

  private Shell() {}

  /** Runs a command that must succeed. */
  public static String run(Path folder, String command) throws IOException, InterruptedException {
    Result result = tryRun(folder, command);
    if (result.exitCode() != 0) {
      throw new IOException("command failed: " + command + "\n" + result.output());
    }
    return result.output();
  }

  /** Runs a command, with standard error in the output. */
  public static Result tryRun(Path folder, String command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }
}
