package io.millrace.store.lmdb;

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
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Crash states rebuilt from system calls: at any point between two of them, with none, all or some
 * of what was not yet flushed. {@code -Dmillrace.crashStates=COUNT} sets how many.
 */
class CrashStateTest {

  private static final int STATE_COUNT = Trials.count("crashStates", 200, 600, 20_000);
  private static final int BATCH_COUNT = 40;
  private static final String ACKNOWLEDGED = "acknowledged";
  private static final String WATERMARK = "WATERMARK";
  private static final String HEADER = "MILLRACE";

  @TempDir Path folder;

  @Test
  void crash_betweenAnyTwoSystemCalls_leavesAPrefixWithAllThatWasSynced() throws IOException {
    Machine.require("strace");
    Path traced = folder.resolve("traced");
    List<Event> events =
        trace(traced).stream().filter(event -> !event.file().startsWith(HEADER)).toList();
    Map<Survivors, Integer> counts = new EnumMap<>(Survivors.class);
    Random random = new Random(1);
    int[] statesAfter = new int[events.size()];
    for (int i = 0; i < STATE_COUNT; i++) {
      statesAfter[random.nextInt(events.size())]++;
    }

    Map<String, CrashFile> files = new HashMap<>();
    long acknowledged = 0;
    boolean isData = false;
    for (int at = 0; at < events.size(); at++) {
      Event event = events.get(at);
      if (event.file().equals(ACKNOWLEDGED)) {
        String said = new String(event.bytes(), StandardCharsets.UTF_8);
        acknowledged = Long.parseLong(said.substring("synced ".length()).strip());
      } else {
        files.computeIfAbsent(event.file(), name -> new CrashFile()).apply(event);
        isData |= event.file().equals(DataFile.FILE_NAME);
      }
      // Before the data file there is nothing but what StoreFolder made, in its own order.
      for (int state = 0; isData && state < statesAfter[at]; state++) {
        Survivors survivors = Survivors.values()[random.nextInt(Survivors.values().length)];
        counts.merge(survivors, 1, Integer::sum);
        Path crashed = folder.resolve("crashed-" + at + "-" + state);
        rebuild(crashed, traced, files, survivors, random);
        verify(
            crashed, acknowledged, "after event " + at + " of " + events.size() + ", " + survivors);
      }
    }
    Trials.report(getClass(), "crash states after %d events: %s".formatted(events.size(), counts));
  }

  @Test
  void open_newStore_makesNamesDurableBeforeItAnswers() throws IOException {
    Machine.require("strace");
    Path traced = folder.resolve("traced");

    List<String> events =
        trace(traced, traced, folder).stream()
            .map(event -> event.kind() + " " + event.file())
            .takeWhile(event -> !event.equals("WRITE " + ACKNOWLEDGED))
            .toList();

    String syncParent = "FLUSH " + folder.getFileName();
    String syncFolder = "FLUSH " + traced.getFileName();
    assertThat(events).startsWith(syncParent);
    assertThat(events)
        .containsSubsequence(
            "WRITE " + WATERMARK,
            "FLUSH " + WATERMARK,
            syncFolder,
            "WRITE " + HEADER + ".tmp",
            "FLUSH " + HEADER + ".tmp",
            syncFolder,
            "WRITE " + DataFile.FILE_NAME,
            "FLUSH " + DataFile.FILE_NAME,
            syncFolder,
            "WRITE " + WATERMARK,
            "FLUSH " + WATERMARK);
  }

  private List<Event> trace(Path traced, Path... also) throws IOException {
    Path acknowledged = folder.resolve(ACKNOWLEDGED);
    Path output = folder.resolve("trace");
    List<Path> paths = new ArrayList<>(List.of(also));
    paths.add(acknowledged);
    for (String name : List.of(DataFile.FILE_NAME, WATERMARK, HEADER + ".tmp")) {
      paths.add(traced.resolve(name));
    }
    String[] strace = SystemCallTrace.command(output, paths);
    Process writer = Machine.startWriter(LmdbStoreFactory.SCHEME, traced, acknowledged, strace);
    writer.outputWriter().write("write " + BATCH_COUNT + " 1\n");
    writer.outputWriter().close();
    assertThat(writer.inputReader().readLine()).isEqualTo("idle");
    assertThat(Machine.join(writer)).isZero();
    return SystemCallTrace.read(output);
  }

  private static void rebuild(
      Path crashed, Path traced, Map<String, CrashFile> files, Survivors survivors, Random random)
      throws IOException {
    Files.createDirectory(crashed);
    Files.copy(traced.resolve(HEADER), crashed.resolve(HEADER));
    for (Map.Entry<String, CrashFile> file : files.entrySet()) {
      file.getValue().writeTo(crashed.resolve(file.getKey()), survivors, random);
    }
  }

  private static void verify(Path crashed, long acknowledged, String where) throws IOException {
    try (OrderedStore store = new LmdbStoreFactory().open(StoreOptions.of(crashed))) {
      assertThat(store.lastCommit()).as(where).isBetween(acknowledged, (long) BATCH_COUNT);
      History.verify(store);
      store.write(History.batch(store.lastCommit() + 1));
      store.sync();
      History.verify(store);
    } catch (RuntimeException e) {
      throw new AssertionError("store does not open " + where, e);
    }
    try (var files = Files.list(crashed)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
  }
}
