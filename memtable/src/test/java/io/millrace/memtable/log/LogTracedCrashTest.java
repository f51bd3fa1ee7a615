package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.CrashFile;
import io.millrace.spi.testkit.fault.CrashFile.Survivors;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.SystemCallTrace;
import io.millrace.spi.testkit.fault.SystemCallTrace.Event;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Crash states rebuilt from system calls: at any point between two of them, with none, all or some
 * of what was not yet flushed.
 */
@Tag("thorough")
class LogTracedCrashTest {

  private static final int STATE_COUNT = Trials.count("logCrashStates", 200, 600, 6_000);
  private static final int HISTORY_COUNT = Trials.count("logCrashHistories", 1, 3, 20);
  private static final int STEP_COUNT = 150;
  private static final int FILE_COUNT_MAX = 100;

  @TempDir Path outside;

  @Test
  void crash_betweenAnyTwoSystemCalls_leavesAPrefixWithAllThatWasSynced() throws IOException {
    Machine.require("strace");
    long seed = Trials.seed();
    int eventCount = 0;
    for (int i = 0; i < HISTORY_COUNT; i++) {
      List<Event> events = trace("log" + i, seed + i);
      eventCount += events.size();
      crash(events, new Random(seed + i), STATE_COUNT / HISTORY_COUNT, "seed " + (seed + i));
    }
    Trials.report(
        getClass(),
        "%d crash states of %d histories from seed %d, after %d events"
            .formatted(STATE_COUNT, HISTORY_COUNT, seed, eventCount));
  }

  private List<Event> trace(String name, long seed) throws IOException {
    Path log = outside.resolve(name);
    Path said = outside.resolve("said");
    List<Path> traced = new ArrayList<>(List.of(said));
    for (int i = 0; i < FILE_COUNT_MAX; i++) {
      traced.add(log.resolve(LogReplay.NAME + i));
    }
    Path output = outside.resolve(name + ".trace");
    Process process = LogProcess.start(log, 0, said, SystemCallTrace.command(output, traced));
    assertThat(LogProcess.steps(process, STEP_COUNT, seed)).isEqualTo("idle");
    process.outputWriter().close();
    assertThat(Machine.join(process)).isZero();
    return SystemCallTrace.read(output);
  }

  private void crash(List<Event> events, Random random, int stateCount, String where)
      throws IOException {
    int[] statesAfter = new int[events.size()];
    for (int i = 0; i < stateCount; i++) {
      statesAfter[random.nextInt(events.size())]++;
    }
    Map<String, CrashFile> files = new TreeMap<>();
    LogProcess.Said said = new LogProcess.Said(0, 0, 0);
    for (int at = 0; at < events.size(); at++) {
      Event event = events.get(at);
      if (event.file().equals("said")) {
        said = LogProcess.Said.of(new String(event.bytes(), StandardCharsets.UTF_8));
      } else {
        files.computeIfAbsent(event.file(), name -> new CrashFile()).apply(event);
      }
      for (int i = 0; i < statesAfter[at]; i++) {
        Survivors survivors = Survivors.values()[random.nextInt(Survivors.values().length)];
        check(files, survivors, random, said, where + ", event " + at + ", " + survivors);
      }
    }
  }

  private void check(
      Map<String, CrashFile> files,
      Survivors survivors,
      Random random,
      LogProcess.Said said,
      String where)
      throws IOException {
    LogRig crashed = new LogCopy(outside.resolve("crashed")).of(Map.of());
    for (Map.Entry<String, CrashFile> file : files.entrySet()) {
      file.getValue().writeTo(crashed.folder().resolve(file.getKey()), survivors, random);
    }

    long read = crashed.readable(said.released());
    // A batch may be there that it was about to say.
    assertThat(read).as(where).isBetween(said.synced(), said.last() + 1);
    try (FolderLog log = crashed.open(1_000, said.released())) {
      LogRig.append(log, 5);
    }
    assertThat(crashed.readable(said.released())).as(where).isEqualTo(read + 5);
    assertThat(Files.exists(crashed.file(FILE_COUNT_MAX))).as("a file was not traced").isFalse();
  }
}
