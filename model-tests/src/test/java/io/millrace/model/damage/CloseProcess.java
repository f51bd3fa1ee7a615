package io.millrace.model.damage;

import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A process that opens one store again and again, and closes it under load each time. Says what it
 * did in a line, and each thing that must not be in one more.
 *
 * <p>Arguments: location of the store, a folder for backups, number of rounds, seed.
 */
final class CloseProcess {

  static final String VIOLATION = "violation ";

  private static final String THREADS = "millrace";
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int PATIENCE_MS = 10_000;

  private CloseProcess() {}

  public static void main(String[] arguments) throws Exception {
    String location = arguments[0];
    Path folder = Path.of(location.substring(location.indexOf(':') + 1)).toAbsolutePath();
    int rounds = Integer.parseInt(arguments[2]);
    long seed = Long.parseLong(arguments[3]);
    long calls = 0;
    long kept = 0;
    List<JobId> before = List.of();
    for (int i = 0; i < rounds; i++) {
      EngineOptions options = EngineOptions.DEFAULT.listener(new EngineListener() {});
      JobEngine engine = JobEngine.open(location, options);
      CloseRound round = new CloseRound(engine, seed + i);
      checkKept(engine, before, round);
      List<Thread> callers = round.run(new CloseLoads(round, Path.of(arguments[1])).all());
      // Open again while callers of the closed engine are still on their way out.
      JobEngine.open(location).close();
      round.end(callers);
      checkLeaks(round, folder);
      before = round.kept();
      kept += before.size();
      calls += round.callCount();
      for (String violation : round.violations()) {
        System.out.println(VIOLATION + "seed " + (seed + i) + ": " + violation);
      }
    }
    System.out.println(
        rounds
            + " rounds of "
            + CloseRound.THREAD_COUNT
            + " threads, "
            + calls
            + " calls, "
            + kept
            + " acknowledged jobs found again");
  }

  private static void checkKept(JobEngine engine, List<JobId> kept, CloseRound round) {
    for (JobId id : kept) {
      if (engine.get(id).isEmpty()) {
        round.violation("lost " + id);
      }
    }
    engine.queue(CloseLoads.KEPT).purge(EnumSet.complementOf(EnumSet.of(JobState.LEASED)));
  }

  private static void checkLeaks(CloseRound round, Path folder) throws IOException {
    long endMs = System.currentTimeMillis() + PATIENCE_MS;
    List<String> left = left(folder);
    while (!left.isEmpty() && System.currentTimeMillis() < endMs) {
      LockSupport.parkNanos(1_000_000);
      left = left(folder);
    }
    if (!left.isEmpty()) {
      round.violation("left behind: " + left);
    }
  }

  /** Threads of ours, and descriptors of files in the folder. */
  private static List<String> left(Path folder) throws IOException {
    List<String> left = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(THREADS)) {
        left.add(thread.getName());
      }
    }
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      for (Path descriptor : descriptors.toList()) {
        String target = target(descriptor);
        if (target.startsWith(folder.toString())) {
          left.add(target);
        }
      }
    }
    return left;
  }

  /** What it leads to; nothing if it was closed meanwhile, as the one of the listing was. */
  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closed) {
      return "";
    }
  }
}
