package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.fault.CrashFile;
import io.millrace.spi.testkit.fault.CrashFile.Survivors;
import io.millrace.spi.testkit.fault.History;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.SystemCallTrace;
import io.millrace.spi.testkit.fault.SystemCallTrace.Event;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Crash states rebuilt from system calls on the log and the watermark: at any point between two of
 * them, with none, all or some of what was not yet flushed. {@code -Dmillrace.crashStates=COUNT}
 * sets how many.
 */
class CrashStateTest {

  private static final int STATE_COUNT = Trials.count("crashStates", 200, 600, 20_000);
  private static final int BATCH_COUNT = 40;
  private static final int LOG_NUMBER_MAX = 40;
  private static final String ACKNOWLEDGED = "acknowledged";
  private static final String WATERMARK = "WATERMARK";

  @TempDir Path folder;

  @Test
  void crash_betweenAnyTwoSystemCalls_leavesAPrefixWithAllThatWasSynced() throws IOException {
    Machine.require("strace");
    Path traced = folder.resolve("traced");
    List<Event> events = trace(traced);
    Map<Survivors, Integer> counts = new EnumMap<>(Survivors.class);
    Random random = new Random(1);
    int[] statesAfter = new int[events.size()];
    for (int i = 0; i < STATE_COUNT; i++) {
      statesAfter[random.nextInt(events.size())]++;
    }

    Map<String, CrashFile> files = new HashMap<>();
    long acknowledged = 0;
    boolean isOpened = false;
    for (int at = 0; at < events.size(); at++) {
      Event event = events.get(at);
      if (event.file().equals(ACKNOWLEDGED)) {
        String said = new String(event.bytes(), StandardCharsets.UTF_8);
        acknowledged = Long.parseLong(said.substring("synced ".length()).strip());
        isOpened = true;
      } else {
        files.computeIfAbsent(event.file(), name -> new CrashFile()).apply(event);
      }
      // From the first answer on, RocksDB's other files stay as they are.
      for (int state = 0; isOpened && state < statesAfter[at]; state++) {
        Survivors survivors = Survivors.values()[random.nextInt(Survivors.values().length)];
        counts.merge(survivors, 1, Integer::sum);
        Path crashed = folder.resolve("crashed-" + at + "-" + state);
        rebuild(crashed, traced, files, survivors, random);
        verify(
            crashed, acknowledged, "after event " + at + " of " + events.size() + ", " + survivors);
      }
    }
    Trials.report(getClass(), "crash states after %d events: %s".formatted(events.size(), counts));
    assertThat(files).hasSize(2).containsKey(WATERMARK);
    assertThat(counts).hasSize(Survivors.values().length);
  }

  private List<Event> trace(Path traced) throws IOException {
    Path acknowledged = folder.resolve(ACKNOWLEDGED);
    Path output = folder.resolve("trace");
    List<Path> paths = new ArrayList<>(List.of(acknowledged, traced.resolve(WATERMARK)));
    for (int number = 1; number <= LOG_NUMBER_MAX; number++) {
      paths.add(traced.resolve("data/%06d.log".formatted(number)));
    }
    String[] strace = SystemCallTrace.command(output, paths);
    Process writer = Machine.startWriter(RocksStoreFactory.SCHEME, traced, acknowledged, strace);
    writer.outputWriter().write("write " + BATCH_COUNT + " 1\n");
    writer.outputWriter().close();
    assertThat(writer.inputReader().readLine()).isEqualTo("idle");
    assertThat(Machine.join(writer)).isZero();
    return SystemCallTrace.read(output);
  }

  /** A folder in which those files are as after a crash, and the others as they were. */
  private static void rebuild(
      Path crashed, Path traced, Map<String, CrashFile> files, Survivors survivors, Random random)
      throws IOException {
    try (Stream<Path> all = Files.walk(traced)) {
      for (Path from : (Iterable<Path>) all::iterator) {
        Path to = crashed.resolve(traced.relativize(from).toString());
        CrashFile file = files.get(from.getFileName().toString());
        if (file == null) {
          Files.copy(from, to);
        } else {
          file.writeTo(to, survivors, random);
        }
      }
    }
  }

  private static void verify(Path crashed, long acknowledged, String where) throws IOException {
    try (OrderedStore store = new RocksStoreFactory().open(StoreOptions.of(crashed))) {
      assertThat(store.lastCommit()).as(where).isBetween(acknowledged, (long) BATCH_COUNT);
      History.verify(store);
      store.write(History.batch(store.lastCommit() + 1));
      store.sync();
      History.verify(store);
    } catch (RuntimeException e) {
      throw new AssertionError("store does not open " + where, e);
    }
    try (Stream<Path> all = Files.walk(crashed)) {
      for (Path path : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }
}
