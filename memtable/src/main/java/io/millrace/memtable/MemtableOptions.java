package io.millrace.memtable;

import io.millrace.spi.StoreInfo;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * The settings of rows in memory: when a layer is full, and what it works with. Immutable: begins
 * with {@link #standard()} and changes what differs.
 */
public final class MemtableOptions {

  private static final long LAYER_BYTES_MOST = 16L << 20;

  /** The share of the heap that a layer takes by its keys and values: two are held, as trees. */
  private static final int HEAP_FRACTION = 64;

  private static final long LAYER_BYTES =
      Math.min(LAYER_BYTES_MOST, Math.max(1, Runtime.getRuntime().maxMemory() / HEAP_FRACTION));

  private static final long PART_BYTES = 4 * LAYER_BYTES;
  private static final Duration LAYER_AGE = Duration.ofSeconds(5);

  private long layerBytes = LAYER_BYTES;
  private int layerOperations = Integer.MAX_VALUE;
  private long partBytes = PART_BYTES;
  private long layerAgeNs = LAYER_AGE.toNanos();
  private LongSupplier clockNs = System::nanoTime;
  private LongSupplier roomBytes = () -> Long.MAX_VALUE;
  private ThreadFactory threads = MemtableOptions::newThread;

  private MemtableOptions() {}

  /**
   * Layers of 16 MiB, or of a 64th of the heap if that is less, folded after five seconds at the
   * latest; the room is not known.
   */
  public static MemtableOptions standard() {
    return new MemtableOptions();
  }

  /**
   * Sets the most that a layer comes to, keys and values together, unless a single batch is more;
   * at most half of what the store beneath takes in one batch, so that what frees fits beside it.
   * Should be small beside what that store may hold and keeps in reserve: by up to two layers it is
   * found full too late, if its room is not known.
   *
   * @param bytes at least 1
   * @param operations at least 1
   */
  public MemtableOptions layer(long bytes, int operations) {
    MemtableOptions changed = copy();
    changed.layerBytes = atLeastOne("bytes", bytes);
    changed.layerOperations = (int) atLeastOne("operations", operations);
    return changed;
  }

  /** Lowers the limits of a layer to these where they are higher, each at least 1. */
  public MemtableOptions layerAtMost(long bytes, int operations) {
    return layer(Math.min(layerBytes, bytes), Math.min(layerOperations, operations));
  }

  /** Sets the length of a part of the log at which its layer is folded, in bytes; at least 1. */
  public MemtableOptions partBytes(long value) {
    MemtableOptions changed = copy();
    changed.partBytes = atLeastOne("partBytes", value);
    return changed;
  }

  /** Sets the age of a layer's first batch at which it is folded. */
  public MemtableOptions layerAge(Duration value) {
    MemtableOptions changed = copy();
    changed.layerAgeNs = value.toNanos();
    return changed;
  }

  /** Sets a clock that never goes back, in nanoseconds. */
  public MemtableOptions clock(LongSupplier nanoseconds) {
    MemtableOptions changed = copy();
    changed.clockNs = nanoseconds;
    return changed;
  }

  /**
   * Says about how much more the store beneath takes of ordinary batches, keys and values together,
   * in bytes: who goes beyond it is refused at once and not when the layer is folded. Asked from
   * any thread.
   */
  public MemtableOptions room(LongSupplier bytes) {
    MemtableOptions changed = copy();
    changed.roomBytes = bytes;
    return changed;
  }

  /** Makes the thread that folds. */
  public MemtableOptions threads(ThreadFactory value) {
    MemtableOptions changed = copy();
    changed.threads = value;
    return changed;
  }

  LayerLimits limits(StoreInfo info) {
    return LayerLimits.of(info).half().atMost(layerOperations, layerBytes);
  }

  long partBytes() {
    return partBytes;
  }

  long layerAgeNs() {
    return layerAgeNs;
  }

  long nowNs() {
    return clockNs.getAsLong();
  }

  long roomBytes() {
    return roomBytes.getAsLong();
  }

  ThreadFactory threads() {
    return threads;
  }

  private MemtableOptions copy() {
    MemtableOptions copy = new MemtableOptions();
    copy.layerBytes = layerBytes;
    copy.layerOperations = layerOperations;
    copy.partBytes = partBytes;
    copy.layerAgeNs = layerAgeNs;
    copy.clockNs = clockNs;
    copy.roomBytes = roomBytes;
    copy.threads = threads;
    return copy;
  }

  private static long atLeastOne(String what, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " is too low: value=" + value + ", least=1");
    }
    return value;
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "millrace-fold");
    thread.setDaemon(true);
    return thread;
  }
}
