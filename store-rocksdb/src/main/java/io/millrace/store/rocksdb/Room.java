package io.millrace.store.rocksdb;

import io.millrace.memtable.DiskShare;
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
 * The room for batches: below the store's own limit, and on the disk.
 *
 * <p>RocksDB itself notices a full disk too late: what it has taken in must be written a second
 * time, sorted, and without room for that it takes no deletions either. So ordinary batches are
 * refused while there is still room to sort what was taken in, and that room is for batches that
 * free something.
 *
 * <p>Deleted rows take room until they are compacted away. At the limit that is done at once, and
 * the batch waits a moment for it; but only when enough was written since the last time, so that
 * the work stays in proportion to what it can free.
 *
 * <p>Room is measured now and then, and counted down in between. Batches are for the writer's
 * thread, {@link #bytes} for any.
 */
final class Room {

  private static final long MEASURE_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long ALLOWANCE_BYTES_MAX = 16L << 20;

  /** The places of a row: the log before the database, the database's own, and a table. */
  private static final int PLACES = 3;

  /**
   * The size of the largest store that is compacted in less than a second, so that a batch waits
   * for it.
   */
  private static final long SMALL_STORE_BYTES = 64L << 20;

  private static final long WAIT_SMALL_MS = TimeUnit.SECONDS.toMillis(10);
  private static final long WAIT_MS = 250;

  /**
   * True if this process is root's, which may use what a file system sets aside, as RocksDB then
   * does.
   */
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

  /** The room that {@link #bytes} told last; measured anew once a batch came. */
  private long knownBytes;

  private long knownAtNs;
  private boolean isKnown;

  /** Creates the room of a database in its folder; compactions on other threads pass the gate. */
  Room(Database database, CallGate gate, DatabaseFolder place) throws IOException {
    this.database = database;
    this.folder = place.folder().path();
    this.disk = Files.getFileStore(folder);
    this.storeBytesMax = place.options().storeBytesMax();
    this.reserveBytes = RocksLimits.reserveBytes(storeBytesMax);
    this.memtableBytes = place.memtableBytes();
    this.ballast = new Ballast(folder, RocksLimits.ballastBytes(memtableBytes));
    this.compactor = new Compactor(database, gate);
    this.turnover = new Turnover(database.held());
    this.measuredAtNs = System.nanoTime() - MEASURE_INTERVAL_NS;
  }

  /**
   * Checks that there is room for the batch, and counts the batch as written.
   *
   * @throws StoreFullException there is no room; nothing happened
   */
  synchronized void require(WriteBatch batch) throws RocksDBException, IOException {
    long bytes = batch.bytes() + (long) RocksLimits.OPERATION_BYTES * batch.size();
    if (batch.reserve() == Reserve.USE) {
      requireReserve(bytes);
    } else if (bytes > allowanceBytes || System.nanoTime() - measuredAtNs > MEASURE_INTERVAL_NS) {
      requireOrdinary(bytes);
    }
    allowanceBytes -= bytes;
    isKnown = false;
    turnover.add(batch);
  }

  /**
   * Returns about how many more bytes ordinary batches may bring. If they are few, deleted rows are
   * compacted away first, where that is worth it: then the caller waits as a batch does, and a
   * batch under way waits for the caller.
   */
  synchronized long bytes() throws RocksDBException, IOException {
    long now = System.nanoTime();
    if (!isKnown || now - knownAtNs > MEASURE_INTERVAL_NS) {
      if (roomBytes() < memtableBytes) {
        compactIfWorthIt();
      }
      long bytes = Math.min(DiskShare.of(diskRoomBytes(), PLACES), storeRoomBytes());
      isFull = bytes <= 0;
      knownBytes = Math.max(0, bytes);
      knownAtNs = System.nanoTime();
      isKnown = true;
    }
    return knownBytes;
  }

  /** Tells whether the room for ordinary batches is so little that some are kept out. */
  boolean isLittle(long roomBytes) {
    return roomBytes < memtableBytes;
  }

  /** Puts by a bit more ballast while plenty of the disk is free. */
  synchronized void growBallast() {
    try {
      ballast.grow(disk.getUsableSpace());
    } catch (IOException e) {
      // What a disk that does not say what is free has to spare is not known.
      return;
    }
  }

  /** Gives up the ballast, for the disk turned out to be full; returns whether that freed room. */
  boolean makeRoom() {
    return ballast.release();
  }

  /** Tells whether the disk has so little room that a failure may come of that. */
  boolean isDiskFull() {
    try {
      return disk.getUsableSpace() < memtableBytes;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Tells whether the disk has room to open the database anew, which writes tables of what is in
   * the logs.
   */
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
    return Math.min(diskRoomBytes(), storeRoomBytes());
  }

  /**
   * Returns what the disk has room for. What was full stays full until there is some room, and not
   * because a compaction ended, which needs room itself.
   */
  private long diskRoomBytes() throws RocksDBException, IOException {
    long bytes = disk.getUsableSpace() - keptFreeBytes();
    return isFull ? bytes - memtableBytes - RocksLimits.compactionBytesMax(memtableBytes) : bytes;
  }

  /**
   * Returns what the store's own limit has room for. What was full stays full until there is some
   * room, and not because a table came out shorter.
   */
  private long storeRoomBytes() throws RocksDBException {
    long bytes = storeBytesMax - database.usedBytes();
    return isFull ? bytes - 2 * memtableBytes : bytes;
  }

  /**
   * Returns the bytes of the disk that are kept free: enough to write all that is in memory as
   * tables, and to compact some of them.
   */
  private long keptFreeBytes() throws RocksDBException {
    return 2 * memtableBytes + database.unflushedBytes() + compactionRoomBytes();
  }

  /** Returns the bytes of disk that the largest compaction takes that RocksDB may begin. */
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
