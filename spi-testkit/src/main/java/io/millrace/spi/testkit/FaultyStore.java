package io.millrace.spi.testkit;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.store.memory.MemoryStore.Contents;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A machine whose disk is simulated: stores on it survive being closed, fail where a plan says, and
 * lose on a crash what was not synced. Everything that happens follows from the seed and the calls.
 *
 * <pre>{@code
 * FaultyStore machine = new FaultyStore(seed);
 * machine.failNext(StoreCall.SYNC, Fault.BEFORE);       // or plan(FaultPlan.random(seed, rates))
 * OrderedStore store = machine.open(StoreOptions.of(folder));
 * ...                                                    // the sync throws StoreFailedException
 * machine.crash(); // keeps the synced and a prefix of the rest
 * OrderedStore again = machine.open(StoreOptions.of(folder));
 * }</pre>
 *
 * <p>After a {@code StoreFailedException} every later write and sync of that opening throws one,
 * and so does its close. After a crash the old opening's writes and syncs throw it too; it need not
 * be closed. Folders are names; nothing is made on the real disk.
 *
 * <p>Thread-safe. Replaying bit for bit needs calls in the same order, but for syncs beside writes.
 */
public final class FaultyStore implements StoreFactory {

  public static final String SCHEME = "faulty";

  private static final int KEY_BYTES_MAX = 511;
  private static final int VALUE_BYTES_MAX = 64 << 20;
  private static final long BATCH_BYTES_MAX = 64L << 20;
  private static final int BATCH_OPERATIONS_MAX = 131_072;
  private static final int VIEW_COUNT_MAX = 512;

  /** Room on the disk, by the batches that it is for. */
  public enum Room {
    FOR_ALL,
    /** Room for those batches only that may use the reserve. */
    FOR_RESERVE_USERS,
    FOR_NONE
  }

  private final SplittableRandom random;
  private final StoreInfo.Syncing syncing;
  private final Map<Path, FaultyDisk> disks = new LinkedHashMap<>();
  private final Map<StoreCall, Long> callCounts = new EnumMap<>(StoreCall.class);
  private final Map<StoreCall, Fault> nextFaults = new EnumMap<>(StoreCall.class);
  private FaultPlan plan = FaultPlan.none();
  private Runnable onSlow = () -> {};
  private Room room = Room.FOR_ALL;

  /** Creates a machine whose stores are made durable by {@code sync} alone. */
  public FaultyStore(long seed) {
    this(seed, StoreInfo.Syncing.SEPARATE);
  }

  public FaultyStore(long seed, StoreInfo.Syncing syncing) {
    this.random = new SplittableRandom(seed);
    this.syncing = syncing;
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public synchronized OrderedStore open(StoreOptions options) {
    Path folder = nameOf(options.folder());
    boolean isWritable = options.access() == StoreOptions.Access.READ_WRITE;
    FaultyDisk disk = disks.get(folder);
    if (disk == null) {
      if (!isWritable) {
        throw new StoreException("there is no store to read: folder=" + folder);
      }
      disk = addDisk(folder, 0, Contents.EMPTY);
    }
    if (disk.isOpen()) {
      throw new StoreLockedException(
          "the store is open: folder=" + folder + ", pid=" + ProcessHandle.current().pid());
    }
    if (isWritable) {
      disk.recover(random, options.epochLeast());
    } else {
      disk.settle(random);
    }
    FaultySession session = new FaultySession(this, disk, infoOf(disk), options);
    disk.hold(session);
    return session;
  }

  /** Sets which calls go wrong from now on. */
  public synchronized void plan(FaultPlan value) {
    plan = value;
  }

  /** Lets the next call of a kind go wrong, whatever the plan says. */
  public synchronized void failNext(StoreCall call, Fault fault) {
    nextFaults.put(call, fault);
  }

  /**
   * Sets what a slow call runs before it works, on the call's own thread. It may advance a clock or
   * wait.
   */
  public synchronized void onSlow(Runnable value) {
    onSlow = value;
  }

  public synchronized void room(Room value) {
    room = value;
  }

  /**
   * Returns how many calls of a kind were made so far: the index of the next in a {@link
   * FaultPlan}.
   */
  public synchronized long callCount(StoreCall call) {
    return callCounts.getOrDefault(call, 0L);
  }

  /**
   * Cuts the power. Every store keeps what was synced and a prefix of its later batches, each
   * whole. All of them can be opened again.
   */
  public synchronized void crash() {
    disks.values().forEach(disk -> disk.crash(random));
  }

  /** Sets a row behind a closed store's back, or removes it if the value is null. */
  public synchronized void overwrite(Path folder, byte[] key, byte @Nullable [] value) {
    WriteBatch row = new WriteBatch(0);
    if (value == null) {
      row.delete(key);
    } else {
      row.put(key, value);
    }
    diskOf(folder).tamper(row);
  }

  /**
   * Flips one bit of a row's value behind a closed store's back; bit 0 is the first byte's lowest.
   */
  public synchronized void flipBit(Path folder, byte[] key, int bitIndex) {
    byte[] value = diskOf(folder).newest().rows().get(key);
    if (value == null || bitIndex >= value.length * Byte.SIZE) {
      throw new IllegalArgumentException("no such bit: folder=" + folder + ", bit=" + bitIndex);
    }
    value[bitIndex / Byte.SIZE] ^= (byte) (1 << (bitIndex % Byte.SIZE));
    overwrite(folder, key, value);
  }

  /** Counts one call and returns its fault. A slow call has been slow when this returns. */
  Fault nextFault(StoreCall call) {
    Fault fault;
    Runnable slow;
    synchronized (this) {
      long index = callCounts.merge(call, 1L, Long::sum) - 1;
      Fault planned = plan.faultAt(call, index);
      Fault forced = nextFaults.remove(call);
      fault = forced == null ? planned : forced;
      slow = onSlow;
    }
    if (fault == Fault.SLOW) {
      slow.run();
    }
    return fault;
  }

  synchronized void requireRoom(WriteBatch.Reserve reserve) {
    boolean hasRoom =
        switch (room) {
          case FOR_ALL -> true;
          case FOR_RESERVE_USERS -> reserve == WriteBatch.Reserve.USE;
          case FOR_NONE -> false;
        };
    if (!hasRoom) {
      throw new StoreFullException("the store is full: room=" + room);
    }
  }

  synchronized void copy(long epoch, Contents contents, Path folder) {
    if (disks.containsKey(nameOf(folder))) {
      throw new StoreException("the folder is not empty: folder=" + folder);
    }
    addDisk(nameOf(folder), epoch + OrderedStore.COPY_EPOCH_STEP, contents);
  }

  private FaultyDisk addDisk(Path name, long epoch, Contents contents) {
    String storeId = new UUID(random.nextLong(), random.nextLong()).toString();
    FaultyDisk disk = new FaultyDisk(storeId, epoch, contents);
    disks.put(name, disk);
    return disk;
  }

  private FaultyDisk diskOf(Path folder) {
    FaultyDisk disk = disks.get(nameOf(folder));
    if (disk == null) {
      throw new IllegalArgumentException("there is no such store: folder=" + folder);
    }
    return disk;
  }

  private static Path nameOf(Path folder) {
    return folder.toAbsolutePath().normalize();
  }

  private StoreInfo infoOf(FaultyDisk disk) {
    return StoreInfo.of(SCHEME, disk.storeId())
        .keyBytesMax(KEY_BYTES_MAX)
        .valueBytesMax(VALUE_BYTES_MAX)
        .batchBytesMax(BATCH_BYTES_MAX)
        .batchOperationsMax(BATCH_OPERATIONS_MAX)
        .viewCountMax(VIEW_COUNT_MAX)
        .durability(StoreInfo.Durability.POWER_LOSS)
        .syncing(syncing);
  }
}
