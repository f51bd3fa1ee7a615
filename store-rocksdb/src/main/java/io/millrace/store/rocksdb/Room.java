package io.millrace.store.rocksdb;

import io.millrace.spi.StoreFullException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.folder.CallGate;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.rocksdb.RocksDBException;

/**
 * Whether there is room for a batch: below the store's own limit, and on the disk.
 *
 * <p>RocksDB itself notices a full disk too late: what it has taken in must be written a second
 * time, sorted, and without room for that it takes no deletions either. So ordinary batches are
 * refused while there is still room to sort what was taken in, and that room is for those that free
 * something.
 *
 * <p>What was deleted takes room until it is compacted away. At the limit that is done at once, and
 * the batch waits a moment for it; but only when enough was written since the last time, so that
 * the work stays in proportion to what it can free.
 *
 * <p>Room is measured now and then, and in between counted down. For the writer's thread.
 */
final class Room {

  private static final long MEASURE_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long ALLOWANCE_BYTES_MAX = 16L << 20;

  /** What an operation takes beside its key and value. */
  private static final int OPERATION_BYTES = 32;

  /** Stores up to this size are compacted in less than a second, and are waited for. */
  private static final long SMALL_STORE_BYTES = 64L << 20;

  private static final long WAIT_SMALL_MS = TimeUnit.SECONDS.toMillis(10);
  private static final long WAIT_MS = 250;

  /** Who may also use what a file system sets aside, as RocksDB then does. */
  private static final boolean IS_ROOT =
      ProcessHandle.current().info().user().filter("root"::equals).isPresent();

  private final Database database;
  private final Path folder;
  private final FileStore disk;
  private final long storeBytesMax;
  private final long reserveBytes;
  private final long memtableBytes;
  private final Ballast ballast;
  private final Compactor compactor;
  private final Turnover turnover;
  private long allowanceBytes;
  private long measuredAtNs;
  private boolean isFull;

  /** For the database of that opening; what is done besides passes the gate. */
  Room(Database database, CallGate gate, Opening opening) throws IOException {
    this.database = database;
    this.folder = opening.folder().path();
    this.disk = Files.getFileStore(folder);
    this.storeBytesMax = opening.options().storeBytesMax();
    this.reserveBytes = RocksLimits.reserveBytes(storeBytesMax);
    this.memtableBytes = opening.memtableBytes();
    this.ballast = new Ballast(folder, RocksLimits.ballastBytes(memtableBytes));
    this.compactor = new Compactor(database, gate);
    this.turnover = new Turnover(database.held());
    this.measuredAtNs = System.nanoTime() - MEASURE_INTERVAL_NS;
  }

  /**
   * Returns if there is room for the batch.
   *
   * @throws StoreFullException there is none; nothing happened
   */
  void require(WriteBatch batch) throws RocksDBException, IOException {
    long bytes = batch.bytes() + (long) OPERATION_BYTES * batch.size();
    if (batch.reserve() == Reserve.USE) {
      requireReserve(bytes);
    } else if (bytes > allowanceBytes || System.nanoTime() - measuredAtNs > MEASURE_INTERVAL_NS) {
      requireOrdinary(bytes);
    }
    allowanceBytes -= bytes;
    turnover.add(batch);
  }

  /** The disk turned out to be full; true if that was changed just now. */
  boolean makeRoom() {
    return ballast.release();
  }

  /** Whether what failed on the disk may have failed for want of room. */
  boolean isDiskFull() {
    try {
      return disk.getUsableSpace() < memtableBytes;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether the database could be opened anew, which writes tables of what is in the logs. */
  boolean isEnoughToOpen() {
    try {
      // What others who are root filled to the last byte has no usable space even without ballast.
      long freeBytes = IS_ROOT ? disk.getUnallocatedSpace() : disk.getUsableSpace();
      return freeBytes >= LogFiles.bytes(database.folder()) + memtableBytes;
    } catch (IOException e) {
      return false;
    }
  }

  private void requireOrdinary(long bytes) throws RocksDBException, IOException {
    long roomBytes = roomBytes();
    if (roomBytes < bytes) {
      compactIfWorthIt();
      roomBytes = roomBytes();
    }
    measuredAtNs = System.nanoTime();
    isFull = roomBytes < bytes;
    if (isFull) {
      allowanceBytes = 0;
      throw full(bytes);
    }
    ballast.grow(disk.getUsableSpace());
    allowanceBytes = Math.max(bytes, Math.min(ALLOWANCE_BYTES_MAX, roomBytes / 2));
  }

  private void requireReserve(long bytes) throws RocksDBException, IOException {
    allowanceBytes = 0;
    if (disk.getUsableSpace() < memtableBytes) {
      ballast.release();
    }
    if (database.usedBytes() + bytes > storeBytesMax + reserveBytes) {
      compactIfWorthIt();
      if (database.usedBytes() + bytes > storeBytesMax + reserveBytes) {
        throw full(bytes);
      }
    }
  }

  private long roomBytes() throws RocksDBException, IOException {
    long onDisk = disk.getUsableSpace() - keptFreeBytes();
    long inStore = storeBytesMax - database.usedBytes();
    if (!isFull) {
      return Math.min(onDisk, inStore);
    }
    // What was full stays full until there is some room, and not because a table came out shorter
    // or a compaction ended, which needs room itself.
    return Math.min(
        onDisk - memtableBytes - RocksLimits.compactionBytesMax(memtableBytes),
        inStore - 2 * memtableBytes);
  }

  /** What it takes to write all that is in memory as tables, and to compact some of them. */
  private long keptFreeBytes() throws RocksDBException {
    return 2 * memtableBytes + database.unflushedBytes() + compactionRoomBytes();
  }

  /** What the largest compaction that RocksDB may begin takes. */
  private long compactionRoomBytes() throws RocksDBException {
    long largestBytes =
        Math.max(RocksLimits.compactionRoomBytes(memtableBytes), database.newestTableBytes());
    return Math.min(database.tableBytes(), largestBytes);
  }

  private StoreFullException full(long bytes) throws RocksDBException, IOException {
    return new StoreFullException(
        "store is full: folder="
            + folder
            + ", used bytes="
            + database.usedBytes()
            + ", limit="
            + storeBytesMax
            + ", free on disk="
            + disk.getUsableSpace()
            + ", kept free="
            + keptFreeBytes()
            + ", batch bytes="
            + bytes);
  }

  private void compactIfWorthIt() throws RocksDBException, IOException {
    if (database.failureCount() > 0) {
      // RocksDB may begin none before it is opened anew, and not say so either.
      return;
    }
    boolean isSmall = database.usedBytes() <= SMALL_STORE_BYTES;
    boolean isWorthIt =
        turnover.isWorthCompacting()
            // What it takes now it gives back in a moment: only then is the room known.
            || (isSmall && database.isCompacting());
    // A compaction that runs out of room does harm: RocksDB then takes no batch for seconds, or
    // compacts no more.
    long writtenBytes = turnover.writtenBytes(compactionRoomBytes());
    boolean hasRoom = disk.getUsableSpace() > database.unflushedBytes() + writtenBytes;
    if (isWorthIt && hasRoom && compactor.compactAndAwait(isSmall ? WAIT_SMALL_MS : WAIT_MS)) {
      turnover.compacted(database.rowCountEstimate());
    }
  }
}
