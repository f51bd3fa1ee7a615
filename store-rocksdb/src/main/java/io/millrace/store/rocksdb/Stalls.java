package io.millrace.store.rocksdb;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.rocksdb.RocksDBException;

/**
 * The writer's waiting for RocksDB's own work when that has fallen behind. Left to itself a write
 * would wait inside RocksDB, without end if the disk has no room for the table that it waits for.
 * So each write is only tried, and the waiting is done here.
 *
 * <p>RocksDB <i>stops</i> writers until a table is written, and before that it <i>slows</i> them to
 * a rate. It charges an attempt against the rate whether it succeeds or not, so attempts must be as
 * far apart as that rate wants them.
 *
 * <p>For the writer's thread, inside the session.
 */
final class Stalls {

  private static final long CHECK_NS = TimeUnit.MICROSECONDS.toNanos(200);

  /** The interval at which RocksDB gives out what its rate allows. */
  private static final long REFILL_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The time without any work on a stop after which the stop is taken for one without an end. */
  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The same time for a batch whose predecessor was not taken either; a table that was just asked
   * for may yet be begun.
   */
  private static final long IDLE_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The longest wait for the room that compactions have taken up. */
  private static final long ROOM_NS = TimeUnit.SECONDS.toNanos(2);

  private final Database database;
  private boolean isSlowed;
  private long previousBytes;
  private boolean wasInterrupted;

  Stalls(Database database) {
    this.database = database;
  }

  /**
   * Writes the batch as soon as RocksDB takes it, through interrupts.
   *
   * @param isRefusing whether the batch before was not taken either
   * @return false if nobody is at work on what the batch would have to wait for; nothing happened
   */
  boolean write(byte[] batch, boolean isRefusing) throws RocksDBException {
    long bytes = Math.max(batch.length, previousBytes);
    previousBytes = batch.length;
    try {
      if (isSlowed) {
        awaitRate(bytes);
      }
      while (!database.tryWrite(batch)) {
        if (!hasCaughtUp(isRefusing ? IDLE_AGAIN_NS : IDLE_NS)) {
          // That work may have failed meanwhile, and a write is who is told.
          return database.tryWrite(batch);
        }
        awaitRate(2 * bytes);
      }
      return true;
    } finally {
      passInterruptOn();
    }
  }

  /**
   * Waits for room while tables are being written: a compaction that has run out of room gives back
   * what it took in a moment, and so does one that ends.
   *
   * @return false if there is still no room
   */
  boolean awaitRoom(BooleanSupplier hasRoom) {
    long beganNs = System.nanoTime();
    try {
      while (!hasRoom.getAsBoolean()) {
        if (!database.isCompacting() || System.nanoTime() - beganNs > ROOM_NS) {
          return hasRoom.getAsBoolean();
        }
        pause();
      }
      return true;
    } catch (RocksDBException e) {
      return false;
    } finally {
      passInterruptOn();
    }
  }

  /**
   * Waits while writers are stopped; false if no work is done on the stop for {@code idleNsMax}.
   */
  private boolean hasCaughtUp(long idleNsMax) throws RocksDBException {
    long busyAtNs = System.nanoTime();
    while (database.isStopped()) {
      long now = System.nanoTime();
      if (database.isCatchingUp()) {
        busyAtNs = now;
      } else if (now - busyAtNs > idleNsMax) {
        return false;
      }
      pause();
    }
    return true;
  }

  /** Waits a moment, and for as long as the bytes take at the rate to which writers are slowed. */
  private void awaitRate(long bytes) throws RocksDBException {
    long beganNs = System.nanoTime();
    long rate;
    double waitNs;
    do {
      pause();
      rate = database.bytesPerSecondMax();
      waitNs = REFILL_NS + (double) bytes * TimeUnit.SECONDS.toNanos(1) / rate;
    } while (rate > 0 && System.nanoTime() - beganNs < waitNs);
    isSlowed = rate > 0;
  }

  private void passInterruptOn() {
    if (wasInterrupted) {
      wasInterrupted = false;
      Thread.currentThread().interrupt();
    }
  }

  private void pause() {
    LockSupport.parkNanos(this, CHECK_NS);
    wasInterrupted |= Thread.interrupted();
  }
}
