package io.millrace.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memtable.HeldStore.Point;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.testkit.fault.Trials;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random histories against a sorted map: of rows, of views, of folds, and of lost power. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HistoryTest {

  private static final int KEY_COUNT = 40;
  private static final int BATCH_OPERATIONS = 5;

  /** How many batches are folded at most when the power fails: they fit into one layer. */
  private static final int HELD_BATCHES = 4;

  private static final int HELD_OPERATIONS = HELD_BATCHES * BATCH_OPERATIONS;

  private SplittableRandom random;
  private MemtableRig rig;

  /** What there was after each batch, by its number. */
  private TreeMap<Long, TreeMap<byte[], byte[]>> models;

  private record Held(ReadView view, TreeMap<byte[], byte[]> model) {}

  @Test
  void views_ofAnyHistory_equalASortedMap() {
    runViews(Trials.cases(20));
  }

  @Test
  @Tag("thorough")
  void views_ofManyHistories_equalASortedMap() {
    runViews(Trials.count("memtable.histories", 100, 400, 10_000));
  }

  @Test
  void crashes_ofAnyHistory_loseNothingThatWasSynced() {
    runCrashes(Trials.cases(20));
  }

  @Test
  @Tag("thorough")
  void crashes_ofManyHistories_loseNothingThatWasSynced() {
    runCrashes(Trials.count("memtable.crashes", 100, 400, 10_000));
  }

  private void runViews(int count) {
    long seed = Trials.seed();
    for (long i = seed; i < seed + count; i++) {
      try {
        begin(i, 1);
        viewsOfOne();
      } catch (Throwable e) {
        throw new AssertionError("seed=" + i, e);
      }
    }
  }

  private void runCrashes(int count) {
    long seed = Trials.seed();
    for (long i = seed; i < seed + count; i++) {
      try {
        begin(i, HELD_OPERATIONS);
        for (int round = 0; round < 5; round++) {
          crashOne();
        }
      } catch (Throwable e) {
        throw new AssertionError("seed=" + i, e);
      }
    }
  }

  private void begin(long seed, int layerOperationsLeast) {
    random = new SplittableRandom(seed);
    rig = new MemtableRig(random.nextLong());
    int layerBytes = 50 * layerOperationsLeast + random.nextInt(2_000);
    rig.options = rig.options.layer(layerBytes, layerOperationsLeast + random.nextInt(12));
    models = new TreeMap<>();
    models.put(0L, newModel());
    rig.open();
  }

  private void viewsOfOne() {
    List<Held> views = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      if (random.nextInt(10) == 0) {
        // Not for longer: the writer may have to wait for it.
        rig.base.holdShortly(Point.values()[random.nextInt(3)]);
      }
      writeOne();
      if (random.nextInt(3) == 0) {
        views.add(new Held(rig.store.read(), models.lastEntry().getValue()));
      }
      if (views.size() > 6) {
        Held oldest = views.remove(random.nextInt(views.size()));
        look(oldest);
        oldest.view().close();
      }
    }
    views.forEach(this::look);
    views.forEach(held -> held.view().close());
    rig.store.close();
    rig.open();
    try (ReadView view = rig.store.read()) {
      look(new Held(view, models.lastEntry().getValue()));
    }
    rig.store.close();
  }

  private void crashOne() {
    long synced = rig.store.syncedCommit();
    int batchCount = random.nextInt(30);
    // Otherwise the fold runs as it will.
    boolean isHeld = random.nextBoolean();
    for (int i = 0; i < batchCount; i++) {
      writeOne();
      if (random.nextInt(4) == 0) {
        rig.store.sync();
        synced = rig.store.syncedCommit();
        assertThat(synced).isEqualTo(rig.store.lastCommit());
      }
    }
    if (isHeld) {
      rig.foldAll();
      for (int i = 1 + random.nextInt(HELD_BATCHES); i > 0; i--) {
        writeOne();
      }
      rig.base.hold(Point.values()[random.nextInt(3)]);
      rig.seal();
      rig.base.awaitHeld();
      writeOne();
    }
    rig.machine.crash();
    rig.log.crash(random);
    rig.base.letGo();
    long written = models.lastKey();

    rig.open();

    assertThat(rig.store.lastCommit()).isBetween(synced, written);
    models.tailMap(rig.store.lastCommit(), false).clear();
    try (ReadView view = rig.store.read()) {
      assertThat(rows(view, MemtableRig.FIRST, MemtableRig.END, Integer.MAX_VALUE))
          .isEqualTo(rows(models.lastEntry().getValue(), Integer.MAX_VALUE));
    }
  }

  private void writeOne() {
    WriteBatch batch = rig.next(Reserve.KEEP);
    TreeMap<byte[], byte[]> model = newModel();
    model.putAll(models.lastEntry().getValue());
    for (int i = random.nextInt(BATCH_OPERATIONS + 1); i > 0; i--) {
      byte[] key = randomKey();
      if (random.nextBoolean()) {
        batch.delete(key);
        model.remove(key);
      } else {
        byte[] value = new byte[random.nextInt(20)];
        random.nextBytes(value);
        if (model.put(key, value) == null && random.nextBoolean()) {
          batch.putNew(key, value);
        } else {
          batch.put(key, value);
        }
      }
    }
    rig.store.write(batch);
    models.put(batch.number(), model);
  }

  /** Compares a few looks at a view. */
  private void look(Held held) {
    ReadView view = held.view();
    assertThat(rows(view, MemtableRig.FIRST, MemtableRig.END, Integer.MAX_VALUE))
        .isEqualTo(rows(held.model(), Integer.MAX_VALUE));
    for (int i = 0; i < 4; i++) {
      byte[] key = randomKey();
      byte[] other = randomKey();
      boolean isInOrder = Arrays.compareUnsigned(key, other) <= 0;
      byte[] start = isInOrder ? key : other;
      byte[] end = isInOrder ? other : key;
      int most = 1 + random.nextInt(8);
      NavigableMap<byte[], byte[]> range = held.model().subMap(start, true, end, false);
      assertThat(rows(view, start, end, most)).isEqualTo(rows(range, most));
      assertThat(stoppedAfter(view, start, end, most)).isEqualTo(rows(range, most).size());
      assertThat(view.get(key)).isEqualTo(held.model().get(key));
      List<byte @Nullable []> both = view.getAll(List.of(other, key));
      assertThat(both).containsExactly(held.model().get(other), held.model().get(key));
    }
  }

  private static List<String> rows(ReadView view, byte[] start, byte[] end, int most) {
    List<String> rows = new ArrayList<>();
    int count = view.scan(start, end, most, (key, value) -> rows.add(row(key, value)));
    assertThat(count).isEqualTo(rows.size());
    return rows;
  }

  private static int stoppedAfter(ReadView view, byte[] start, byte[] end, int most) {
    int[] seen = {0};
    return view.scan(start, end, ScanSize.of(2, 1_000), (key, value) -> ++seen[0] < most);
  }

  private static List<String> rows(NavigableMap<byte[], byte[]> model, int most) {
    return model.entrySet().stream()
        .limit(most)
        .map(entry -> row(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static String row(byte[] key, byte[] value) {
    return HexFormat.of().formatHex(key) + "=" + HexFormat.of().formatHex(value);
  }

  private byte[] randomKey() {
    int number = random.nextInt(KEY_COUNT);
    return number % 3 == 0 ? new byte[] {(byte) number, 0} : new byte[] {(byte) number};
  }

  private static TreeMap<byte[], byte[]> newModel() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }
}
