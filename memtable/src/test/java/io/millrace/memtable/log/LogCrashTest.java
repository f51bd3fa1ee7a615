package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Power that goes between two calls: of each sector that was not flushed the disk has what it had,
 * or anything that was written since. Each state is opened, gone on with, and opened again.
 *
 * <p>What happens within a call is in {@code LogTracedCrashTest}.
 */
@Tag("slow")
class LogCrashTest {

  private static final int SECTOR_BYTES = 512;
  private static final int HISTORY_COUNT = Trials.count("logHistories", 4, 60, 1_000);
  private static final int STEP_COUNT = 60;

  @TempDir Path outside;

  @Test
  void crash_betweenCalls_leavesAPrefixWithAllThatWasSynced() throws IOException {
    long seed = Trials.seed();
    int states = 0;
    int lost = 0;
    for (int i = 0; i < HISTORY_COUNT; i++) {
      History history = new History(seed + i, outside.resolve("log-" + i));
      for (int step = 0; step < STEP_COUNT; step++) {
        history.step();
        if (history.crashes()) {
          lost += history.check(new LogCopy(outside.resolve("crashed"))) ? 1 : 0;
          states++;
        }
      }
    }
    Trials.report(
        getClass(), states + " crash states from seed " + seed + ", " + lost + " lost batches");
    assertThat(lost).isPositive();
  }

  /** What one log was told to do, and what of it the disk may have. */
  private static final class History {

    private final long seed;
    private final Random random;
    private final LogRig rig;
    private FolderLog log;
    private long epoch = 1;
    private long released;

    /** What is on the disk for sure, and what was in the files after each call since. */
    private final List<Map<String, byte[]>> images = new ArrayList<>();

    History(long seed, Path folder) throws IOException {
      this.seed = seed;
      this.random = new Random(seed);
      this.rig = new LogRig(folder, seed);
      this.log = rig.open(epoch, 0);
      flushed();
    }

    private void flushed() throws IOException {
      images.clear();
      images.add(rig.contents());
    }

    boolean crashes() {
      return random.nextInt(3) == 0;
    }

    void step() throws IOException {
      switch (random.nextInt(12)) {
        case 0 -> {
          log.turn();
          flushed();
        }
        case 1, 2 -> {
          log.sync();
          flushed();
        }
        case 3 -> {
          // The caller has them in its store, durably; it needs them durable here for that.
          if (released < log.syncedNumber()) {
            released += 1 + random.nextInt((int) (log.syncedNumber() - released));
          }
          log.release(released);
        }
        case 4 -> {
          log.close();
          log = rig.open(++epoch, released);
          flushed();
        }
        default -> {
          LogRig.append(log, 1);
          images.add(rig.contents());
        }
      }
    }

    /** Crashes once; whether batches were lost. */
    boolean check(LogCopy place) throws IOException {
      long synced = log.syncedNumber();
      long last = log.lastNumber();
      String where = "seed " + seed;
      LogRig crashed = place.of(crash());

      long read = crashed.readable(released);
      assertThat(read).as(where).isBetween(synced, last);
      long more = 1 + random.nextInt(8);
      try (FolderLog next = crashed.open(epoch + 1, released)) {
        LogRig.append(next, (int) more);
      }
      assertThat(crashed.readable(released)).as(where).isEqualTo(read + more);
      return read < last;
    }

    /** A state that the disk may be in. */
    private Map<String, byte[]> crash() {
      Map<String, byte[]> state = new TreeMap<>();
      Map<String, byte[]> durable = images.get(0);
      durable.forEach((name, bytes) -> state.put(name, bytes.clone()));
      for (Map<String, byte[]> image : images) {
        image.forEach((name, bytes) -> state.merge(name, bytes, this::mix));
      }
      return state;
    }

    /** Some of the sectors that differ are as they were written later. */
    private byte[] mix(byte[] older, byte[] newer) {
      // A file's length is flushed before anything relies on it.
      byte[] mixed = Arrays.copyOf(older, newer.length);
      for (int at = 0; at < newer.length; at += SECTOR_BYTES) {
        int end = Math.min(newer.length, at + SECTOR_BYTES);
        if (!Arrays.equals(mixed, at, end, newer, at, end) && random.nextInt(3) != 0) {
          System.arraycopy(newer, at, mixed, at, end - at);
        }
      }
      return mixed;
    }
  }
}
