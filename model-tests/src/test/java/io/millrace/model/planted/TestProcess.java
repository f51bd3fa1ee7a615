package io.millrace.model.planted;

import io.millrace.spi.testkit.fault.Machine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process that runs one test and tells how it went. */
final class TestProcess {

  /** As often as it takes to find all bugs; the everyday build tries some things less often. */
  private static final List<String> TRIALS =
      List.of(
          "-Dmillrace.seeds=1500",
          "-Dmillrace.seedReplays=100",
          "-Dmillrace.kills=9",
          "-Dmillrace.batch.kills=5",
          "-Dmillrace.crashStates=600",
          "-Dmillrace.crashHistories=6",
          "-Dmillrace.bitRot=6",
          "-Dmillrace.races=8",
          "-Dmillrace.lincheckScenarios=5",
          "-Dmillrace.lincheckRunsOfOne=300",
          "-Dmillrace.lincheckLoadsOfOne=5000");

  private static final long LIMIT_S = 120;

  private TestProcess() {}

  /**
   * How a test went.
   *
   * @param verdict in a word
   * @param text what it failed of, and what it printed
   * @param seconds how long the process took
   */
  record Outcome(OneTest.Verdict verdict, String text, double seconds) {}

  /**
   * Runs a test.
   *
   * @param changed a folder of classes that hide those of the same names; it need not exist
   * @param scratch an empty folder to write to
   */
  static Outcome run(NamedTest test, Path changed, Path scratch) throws IOException {
    Path said = scratch.resolve("said");
    Path printed = scratch.resolve("printed");
    long begunNs = System.nanoTime();
    Process process =
        new ProcessBuilder(command(test, changed, said))
            .directory(test.module().toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    boolean hasEnded = waitFor(process);
    double seconds = (System.nanoTime() - begunNs) / 1e9;
    String text = Files.exists(said) ? Files.readString(said) : "BROKEN\n";
    String verdict = text.lines().findFirst().orElseThrow();
    String all =
        (hasEnded ? "" : "did not end within " + LIMIT_S + " s\n")
            + text
            + Files.readString(printed);
    return new Outcome(OneTest.Verdict.valueOf(verdict), all, seconds);
  }

  private static List<String> command(NamedTest test, Path changed, Path said) {
    String classPath =
        Stream.of(
                changed.toString(),
                test.classes().toString(),
                System.getProperty("java.class.path"))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>(Machine.java());
    command.addAll(TRIALS);
    command.addAll(
        List.of(
            "-Xmx512m",
            "-ea",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp",
            classPath,
            OneTest.class.getName(),
            test.toString(),
            said.toString()));
    return command;
  }

  private static boolean waitFor(Process process) {
    try {
      return process.waitFor(LIMIT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
