package io.millrace.spi.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.StoreFixture;
import io.millrace.spi.testkit.fault.CrashFile.Survivors;
import io.millrace.spi.testkit.fault.SystemCallTrace.Event;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Crash states rebuilt from system calls: at any point between two of them, with none, all or some
 * of what was not yet flushed.
 *
 * <p>Several histories are traced, each with batches of a shape and syncs at a rate of its own, and
 * an equal share of the states is built from each. {@code -Dmillrace.crashStates=COUNT} and {@code
 * -Dmillrace.crashHistories=COUNT} set how many; {@code -Dmillrace.seed=SEED} makes the same
 * choices again, as far as the traced process makes the same calls.
 */
public abstract class CrashStateContractTest {

  /** Each reopening may take two files of a log that are free. */
  private static final int LOG_FILE_COUNT_MAX = 10;

  private static final int STATE_COUNT = Trials.count("crashStates", 200, 200, 20_000);
  private static final int HISTORY_COUNT = Trials.count("crashHistories", 1, 1, 40);
  private static final int BATCH_COUNT_LEAST = 10;
  private static final int BATCH_COUNT_MORE = 30;
  private static final int[] SYNC_ODDS = {1, 4, 25};
  private static final String ACKNOWLEDGED = "acknowledged";

  @TempDir protected Path folder;

  private final StoreFactory factory;
  private final Map<Survivors, Integer> counts = new EnumMap<>(Survivors.class);
  private int eventCount;

  protected CrashStateContractTest(StoreFixture fixture) {
    this.factory = fixture.factory();
  }

  /** Returns the files of a log before the store, and more than there ever are. */
  protected static List<Path> filesOfLog(Path store) {
    return IntStream.range(0, LOG_FILE_COUNT_MAX)
        .mapToObj(number -> store.resolve("log/log-" + number))
        .toList();
  }

  /** Returns the files whose changes are traced: all that change once states are built. */
  protected abstract List<Path> tracedFiles(Path store);

  /**
   * Tells whether the first state may be built after this event.
   *
   * @param isAnswer whether the event is the process saying how far the store is durable
   */
  protected abstract boolean isBegin(Event event, boolean isAnswer);

  /** Tells whether a file that is not traced is part of a store that has crashed. */
  protected abstract boolean isKept(Path file);

  /**
   * Tells whether the store may be opened again in the middle of a history: no file changes then
   * that is not traced.
   */
  protected abstract boolean canReopen();

  /** Tells whether the thread that writes batches is the only one that changes the traced files. */
  protected boolean isOfOneThread() {
    return true;
  }

  @Test
  void crash_betweenAnyTwoSystemCalls_leavesAPrefixWithAllThatWasSynced() throws IOException {
    Machine.require("strace");
    long firstSeed = Trials.seed();
    for (int i = 0; i < HISTORY_COUNT; i++) {
      int states = (i + 1) * STATE_COUNT / HISTORY_COUNT - i * STATE_COUNT / HISTORY_COUNT;
      new Course(firstSeed + i, folder.resolve("traced-" + i)).check(states);
    }

    int checked = counts.values().stream().mapToInt(Integer::intValue).sum();
    Trials.report(
        getClass(),
        "%d crash states of %d histories from seed %d, after %d events: %s"
            .formatted(checked, HISTORY_COUNT, firstSeed, eventCount, counts));
    assertThat(checked).isEqualTo(STATE_COUNT);
    assertThat(counts).hasSize(Survivors.values().length);
  }

  /** Traces what a process does to a new store. The commands are those of {@link WriterProcess}. */
  protected final List<Event> trace(Path traced, List<String> commands, Path... also)
      throws IOException {
    Path acknowledged = folder.resolve(ACKNOWLEDGED);
    Path output = folder.resolve(traced.getFileName() + ".trace");
    List<Path> paths = new ArrayList<>(List.of(also));
    paths.add(acknowledged);
    paths.addAll(tracedFiles(traced));
    String[] strace = SystemCallTrace.command(output, paths);
    Process writer = Machine.startWriter(factory.scheme(), traced, acknowledged, strace);
    for (String command : commands) {
      writer.outputWriter().write(command + "\n");
    }
    writer.outputWriter().close();
    for (String command : commands) {
      assertThat(writer.inputReader().readLine()).as(command).isEqualTo("idle");
    }
    assertThat(Machine.join(writer)).isZero();
    return isOfOneThread() ? SystemCallTrace.read(output) : SystemCallTrace.readAll(output);
  }

  protected static boolean isAnswer(Event event) {
    return event.file().equals(ACKNOWLEDGED);
  }

  /** A history that is traced once, and crashed at many points. */
  private final class Course {
    private final long seed;
    private final Path traced;
    private final Random random;
    private final HistoryShape shape;
    private final Map<String, CrashFile> files = new HashMap<>();
    private int batchCount;

    Course(long seed, Path traced) {
      this.seed = seed;
      this.traced = traced;
      this.random = new Random(seed);
      this.shape = HistoryShape.of(seed);
    }

    void check(int stateCount) throws IOException {
      List<Event> events = trace(traced, commands());
      eventCount += events.size();
      int begin = begin(events);
      int[] statesAfter = new int[events.size()];
      for (int i = 0; i < stateCount; i++) {
        statesAfter[begin + random.nextInt(events.size() - begin)]++;
      }
      long acknowledged = 0;
      for (int at = 0; at < events.size(); at++) {
        Event event = events.get(at);
        if (isAnswer(event)) {
          String said = new String(event.bytes(), StandardCharsets.UTF_8);
          acknowledged = Long.parseLong(said.substring("synced ".length()).strip());
        } else {
          files.computeIfAbsent(event.file(), name -> new CrashFile()).apply(event);
        }
        for (int state = 0; state < statesAfter[at]; state++) {
          Survivors survivors = Survivors.values()[random.nextInt(Survivors.values().length)];
          crash(acknowledged, survivors, "after event " + at + " of " + events.size());
          counts.merge(survivors, 1, Integer::sum);
        }
      }
    }

    private List<String> commands() {
      List<String> commands = new ArrayList<>(List.of("shape " + seed));
      commands.add(write());
      if (canReopen() && random.nextBoolean()) {
        commands.add("reopen");
        commands.add(write());
      }
      return commands;
    }

    private String write() {
      int count = BATCH_COUNT_LEAST + random.nextInt(BATCH_COUNT_MORE);
      batchCount += count;
      int syncOdds = SYNC_ODDS[random.nextInt(SYNC_ODDS.length)];
      return "write " + count + " " + random.nextLong() + " " + syncOdds;
    }

    private int begin(List<Event> events) {
      int begin = 0;
      while (!isBegin(events.get(begin), isAnswer(events.get(begin)))) {
        begin++;
      }
      return begin;
    }

    private void crash(long acknowledged, Survivors survivors, String when) throws IOException {
      String where = when + ", " + survivors + ", seed " + seed;
      Path crashed = folder.resolve("crashed");
      rebuild(crashed, survivors);
      try (OrderedStore store = factory.open(StoreOptions.of(crashed))) {
        assertThat(store.lastCommit()).as(where).isBetween(acknowledged, (long) batchCount);
        shape.verify(store);
        store.write(shape.batch(store.lastCommit() + 1));
        store.sync();
        shape.verify(store);
      } catch (RuntimeException e) {
        throw new AssertionError("store does not open " + where, e);
      } catch (AssertionError e) {
        throw new AssertionError("store is not what it was " + where, e);
      }
      delete(crashed);
    }

    /**
     * Makes a folder in which the traced files are as after a crash, and the others as they were.
     */
    private void rebuild(Path crashed, Survivors survivors) throws IOException {
      Files.createDirectory(crashed);
      try (Stream<Path> all = Files.walk(traced)) {
        for (Path from : (Iterable<Path>) all.skip(1)::iterator) {
          Path to = crashed.resolve(traced.relativize(from).toString());
          CrashFile file = files.get(from.getFileName().toString());
          if (file != null) {
            file.writeTo(to, survivors, random);
          } else if (isKept(from)) {
            Files.copy(from, to);
          }
        }
      }
    }

    private static void delete(Path crashed) throws IOException {
      try (Stream<Path> all = Files.walk(crashed)) {
        for (Path path : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
          Files.delete(path);
        }
      }
    }
  }
}
