package io.millrace.memtable;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.testkit.FaultyStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * A machine on which a test lets a store with rows in memory be folded, fail and lose its power.
 */
final class MemtableRig {

  static final byte[] FIRST = {};
  static final byte[] END = {(byte) 0xFF};

  final FaultyStore machine;
  final MemoryLog.Disk log = new MemoryLog.Disk();
  final AtomicLong nowNs = new AtomicLong();
  MemtableOptions options = MemtableOptions.standard().clock(nowNs::get).layer(1 << 20, 1_000);

  /** What is in front of the store beneath. */
  UnaryOperator<OrderedStore> front = store -> store;

  long storeBytesMax = 1L << 30;
  private int copyCount;
  HeldStore base;
  MemtableStore store;

  MemtableRig(long seed) {
    machine = new FaultyStore(seed);
  }

  StoreOptions folder() {
    return StoreOptions.of(Path.of("rig")).storeBytesMax(storeBytesMax);
  }

  MemtableStore open() {
    base = new HeldStore(front.apply(machine.open(folder())));
    Replayed replayed = new Replayed(base.lastCommit(), base.info(), options);
    log.batches().forEach(replayed::add);
    store = MemtableStore.open(base, log.open(base.lastCommit()), replayed, options);
    return store;
  }

  /** Makes the active layer old enough, and lets the store find out when no other is folded. */
  void seal() {
    int before = log.turnCount();
    nowNs.addAndGet(Duration.ofSeconds(5).toNanos());
    await(
        () -> {
          store.settle();
          return log.turnCount() > before;
        });
  }

  /** Has everything folded. */
  void foldAll() {
    store.backupTo(Path.of("copy " + copyCount++));
  }

  /** Waits until the store beneath has a batch for good. */
  void awaitFolded(long number) {
    await(() -> base.syncedCommit() >= number);
  }

  void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited in vain: " + base.events);
      }
      Thread.onSpinWait();
    }
  }

  void put(String key, String value) {
    WriteBatch batch = next(Reserve.KEEP);
    batch.put(bytes(key), bytes(value));
    store.write(batch);
  }

  void delete(String key) {
    WriteBatch batch = next(Reserve.USE);
    batch.delete(bytes(key));
    store.write(batch);
  }

  WriteBatch next(Reserve reserve) {
    return new WriteBatch(store.lastCommit() + 1, reserve);
  }

  /** All rows, as "key=value". */
  List<String> rows() {
    try (ReadView view = store.read()) {
      return rows(view);
    }
  }

  static List<String> rows(ReadView view) {
    List<String> rows = new ArrayList<>();
    view.scan(
        FIRST,
        END,
        Integer.MAX_VALUE,
        (key, value) -> rows.add(new String(key, UTF_8) + "=" + new String(value, UTF_8)));
    return rows;
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
