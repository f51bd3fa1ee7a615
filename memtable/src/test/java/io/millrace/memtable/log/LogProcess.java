package io.millrace.memtable.log;

import io.millrace.spi.StoreException;
import io.millrace.spi.testkit.fault.Machine;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The victim: a process that writes a log, and says after each step how far it is.
 *
 * <p>Arguments: folder of the log, file to say it to. Each line of standard input is {@code COUNT
 * SEED}, for that many steps by chance, or {@link #CLOSE}; it is answered with {@code idle}, or
 * with {@code failed}, the exception, and what the next append throws. The end of input kills the
 * process.
 */
final class LogProcess {

  /** In the place of a count: closes the log. */
  static final int CLOSE = -1;

  private final LogRig rig;
  private final OutputStream said;
  private FolderLog log;
  private long epoch;
  private long released;

  private LogProcess(LogRig rig, long released, OutputStream said) throws IOException {
    this.rig = rig;
    this.said = said;
    this.released = released;
    open();
  }

  /** What it said last. */
  record Said(long released, long synced, long last) {

    static Said of(String line) {
      String[] words = line.strip().split(" ");
      return new Said(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }

    static Said newest(Path file) throws IOException {
      List<String> lines = Files.readAllLines(file);
      return of(lines.get(lines.size() - 1));
    }
  }

  /** Starts it, under a tracer if {@code prefix} names one. */
  static Process start(Path folder, long released, Path said, String... prefix) throws IOException {
    List<String> command = new ArrayList<>(List.of(prefix));
    command.addAll(Machine.java());
    command.addAll(
        List.of(
            LogProcess.class.getName(),
            folder.toString(),
            Long.toString(released),
            said.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /** Has it take steps; its answer. */
  static String steps(Process process, int count, long seed) throws IOException {
    process.outputWriter().write(count + " " + seed + "\n");
    process.outputWriter().flush();
    return process.inputReader().readLine();
  }

  public static void main(String[] args) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Path folder = Path.of(args[0]);
    try (OutputStream said = new FileOutputStream(args[2])) {
      LogRig rig = new LogRig(folder, System.nanoTime());
      LogProcess process = new LogProcess(rig, Long.parseLong(args[1]), said);
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        String[] words = line.split(" ");
        System.out.println(
            process.run(Integer.parseInt(words[0]), new Random(Long.parseLong(words[1]))));
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private String run(int count, Random random) throws IOException {
    try {
      if (count == CLOSE) {
        log.close();
      }
      for (int i = 0; i < count; i++) {
        step(random);
        say();
      }
      return "idle";
    } catch (StoreException e) {
      return "failed " + e.getClass().getSimpleName() + " then " + nextFailure();
    }
  }

  private void step(Random random) throws IOException {
    switch (random.nextInt(16)) {
      case 0 -> log.turn();
      case 1, 2, 3 -> log.sync();
      case 4 -> {
        released = Math.max(released, log.syncedNumber() - random.nextInt(3));
        // What a store has is durable there before the log lets go of it.
        say();
        log.release(released);
      }
      case 5 -> {
        log.close();
        open();
      }
      default -> LogRig.append(log, 1);
    }
  }

  private void open() throws IOException {
    LogRig.Read read = rig.read(released);
    epoch = Math.max(epoch, read.replay().lastEpoch()) + 1;
    log = rig.begin(read, epoch);
    say();
  }

  private String nextFailure() {
    try {
      LogRig.append(log, 1);
      return "nothing";
    } catch (StoreException e) {
      return e.getClass().getSimpleName();
    }
  }

  private void say() throws IOException {
    String line = released + " " + log.syncedNumber() + " " + log.lastNumber() + "\n";
    said.write(line.getBytes(StandardCharsets.UTF_8));
  }
}
