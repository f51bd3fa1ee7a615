package io.millrace.spi.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Tools of the machine that the fault tests need: commands, mounts, victims. */
public final class Machine {

  private static final long COMMAND_TIMEOUT_S = 300;

  private Machine() {}

  /**
   * Skips the test loudly where a command or the right to mount is missing; with CI=true it fails
   * instead.
   */
  public static void require(String... commands) {
    List<String> missing = new ArrayList<>();
    for (String command : commands) {
      if (!succeeds("sh", "-c", "command -v " + command)) {
        missing.add(command);
      }
    }
    if (List.of(commands).contains("mount") && !"root".equals(System.getProperty("user.name"))) {
      missing.add("root");
    }
    if (!missing.isEmpty()) {
      String message = "SKIPPED, not verified here: this machine has no " + missing;
      assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
      System.err.println(message);
      Assumptions.abort(message);
    }
  }

  /** Runs a command to its end, which must mean success. Returns its output. */
  public static String run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(join(process)).as("%s: %s", List.of(command), output).isZero();
    return output;
  }

  /** Starts a {@link WriterProcess}, under a tracer if {@code prefix} names one. */
  public static Process startWriter(String scheme, Path folder, Path acknowledged, String... prefix)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(prefix));
    command.addAll(java());
    command.addAll(
        List.of(WriterProcess.class.getName(), scheme, folder.toString(), acknowledged.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /**
   * Returns the command line of a Java process with our class path, to which flags, class and
   * arguments are to be added.
   */
  public static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Xmx128m");
    if (isNativeAccessAsked()) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    return command;
  }

  /** Tells whether this JDK warns of native code, and of memory accessed through Unsafe. */
  public static boolean isNativeAccessAsked() {
    return Runtime.version().feature() >= 24;
  }

  /** Waits for a process of ours to end, and returns its exit code. */
  public static int join(Process process) {
    try {
      if (!process.waitFor(COMMAND_TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("process does not end: " + process.info());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  /** Returns the number of the newest batch that a victim said is durable. */
  public static long acknowledged(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return Long.parseLong(lines.get(lines.size() - 1).substring("synced ".length()));
  }

  private static boolean succeeds(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return join(process) == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
