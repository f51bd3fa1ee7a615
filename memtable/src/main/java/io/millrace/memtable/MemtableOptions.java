package io.millrace.memtable;

import io.millrace.spi.StoreInfo;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * The settings of rows in memory: when a layer is full, and the clock, thread and room that it
 * works with. Immutable: begin with {@link #standard()} and change what differs.
 */
public final class MemtableOptions {

  private static final long LAYER_BYTES_MOST = 16L << 20;

  /**
   * The divisor of the heap that gives the keys and values of a layer: two layers are held, as
   * trees.
   */
  private static final int HEAP_FRACTION = 64;

  private static final long LAYER_BYTES =
      Math.min(LAYER_BYTES_MOST, Math.max(1, Runtime.getRuntime().maxMemory() / HEAP_FRACTION));

  private static final long PART_BYTES = 4 * LAYER_BYTES;
  private static final LongSupplier UNKNOWN_ROOM = () -> Long.MAX_VALUE;
  private static final Duration LAYER_AGE = Duration.ofSeconds(5);

  private long layerBytes = LAYER_BYTES;
  private int layerOperations = Integer.MAX_VALUE;
  private long partBytes = PART_BYTES;
  private long layerAgeNs = LAYER_AGE.toNanos();
  private LongSupplier clockNs = System::nanoTime;
  private LongSupplier roomBytes = UNKNOWN_ROOM;
  private ThreadFactory threads = MemtableOptions::newThread;

  private MemtableOptions() {}

  /**
   * Returns the standard settings: layers of 16 MiB, or of a 64th of the heap if that is less,
   * folded after five seconds at the latest. The room of the store beneath is not known.
   */
  public static MemtableOptions standard() {
    return new MemtableOptions();
  }

  /**
   * Sets the most that a layer comes to, keys and values together, unless a single batch is more.
   * It is at most half of what the store beneath takes in one batch, so that a batch that frees
   * something fits beside it. It should be small beside the limit of that store and its reserve:
   * unless the store's room is known, the store is found full too late by up to two layers.
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
   * Sets the source of the room in the store beneath: about how many more bytes of ordinary
   * batches, keys and values together, that store takes. A batch that goes beyond is refused before
   * it is taken, and not when its layer is folded. Called from any thread.
   */
  public MemtableOptions room(LongSupplier bytes) {
    MemtableOptions changed = copy();
    changed.roomBytes = bytes;
    return changed;
  }

  /** Sets the factory of the thread that folds. */
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

  /** Tells whether {@link #roomBytes} says something. */
  boolean knowsRoom() {
    return roomBytes != UNKNOWN_ROOM;
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
