package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.model.damage.DamagedStore.Order;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.testkit.fault.Machine;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Has damaged stores examined by a process, and by another one when that dies. */
final class Examiner implements AutoCloseable {

  private static final long ANSWER_TIMEOUT_S = 60;

  private final Path folder;
  private final Path jobs;
  private @Nullable Running running;

  /**
   * An examiner.
   *
   * @param folder for what a process that dies leaves behind
   * @param jobs the list of what is in the stores
   */
  Examiner(Path folder, Path jobs) {
    this.folder = folder;
    this.jobs = jobs;
  }

  private record Running(Process process, BufferedWriter input, BufferedReader output) {

    boolean send(String line) {
      try {
        input.write(line + "\n");
        input.flush();
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    /** The next verdict; null if the process died. A JVM that crashes prints lines of its own. */
    @Nullable String answer() {
      try {
        String line = output.readLine();
        while (line != null && !Verdict.isVerdict(line)) {
          line = output.readLine();
        }
        return line;
      } catch (IOException e) {
        return null;
      }
    }
  }

  Verdict examine(String location, LostCommits lostCommits, Order order)
      throws IOException, InterruptedException {
    Running process = running == null ? start() : running;
    running = process;
    if (!process.send(order + " " + lostCommits + " " + location)) {
      return crashed(process);
    }
    CompletableFuture<@Nullable String> answer = CompletableFuture.supplyAsync(process::answer);
    try {
      String line = answer.get(ANSWER_TIMEOUT_S, TimeUnit.SECONDS);
      return line == null ? crashed(process) : Verdict.parse(line);
    } catch (TimeoutException e) {
      close();
      return new Verdict(Verdict.Kind.HUNG, "no answer within " + ANSWER_TIMEOUT_S + " s");
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  private Verdict crashed(Running process) throws IOException {
    int status = Machine.join(process.process());
    running = null;
    Path report = folder.resolve("hs_err_" + process.process().pid() + ".log");
    List<String> frames = List.of();
    if (Files.exists(report)) {
      frames =
          Files.readAllLines(report).stream()
              .filter(line -> line.startsWith("#  SIG") || line.startsWith("# C "))
              .toList();
    }
    return new Verdict(Verdict.Kind.CRASHED, "exit status " + status + " " + frames);
  }

  private Running start() throws IOException {
    List<String> command = new ArrayList<>(Machine.java());
    List<String> flags =
        List.of(
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + folder.resolve("hs_err_%p.log"),
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.addAll(1, flags);
    command.addAll(List.of(DamageProcess.class.getName(), jobs.toString()));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(folder.resolve("errors").toFile())
            .start();
    return new Running(process, process.outputWriter(UTF_8), process.inputReader(UTF_8));
  }

  @Override
  public void close() {
    Running process = running;
    running = null;
    if (process != null) {
      process.process().destroyForcibly();
      Machine.join(process.process());
    }
  }
}
