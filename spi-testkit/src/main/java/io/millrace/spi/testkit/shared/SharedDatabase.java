package io.millrace.spi.testkit.shared;

import io.millrace.spi.OwnerName;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.store.memory.MemoryStore.Contents;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A database in memory with one store in it, which several nodes share. Each node reaches it by a
 * {@link Node} of its own, a connection that a test cuts.
 *
 * <p>Steps that a real database makes in one statement are one step here: the guard, which is the
 * row of epoch, number, owner and the time until which the store is the owner's, is checked and
 * moved together with the rows. Time is the database's own and stands still until a test moves it.
 *
 * <p>Thread-safe: each step is synchronized on the database.
 */
public final class SharedDatabase implements SharedPlace {

  /** The kind of store, as in locations. */
  public static final String SCHEME = "shared";

  private static final int KEY_BYTES_MAX = 511;
  private static final int VALUE_BYTES_MAX = 16 << 20;
  private static final long BATCH_BYTES_MAX = 32L << 20;
  private static final int VIEW_COUNT_MAX = 64;

  private final String storeId = UUID.randomUUID().toString();
  private final long epochStep;
  private final int batchOperationsMax;
  private boolean exists;
  private long epoch;
  private long syncedCommit;
  private long nowMs;
  private long ownedUntilMs;
  private @Nullable OwnerName owner;
  private Contents contents = Contents.EMPTY;

  /** Creates an empty database whose epochs rise by one. */
  public SharedDatabase() {
    this(1, StoreInfo.BATCH_OPERATIONS_LEAST);
  }

  /**
   * Creates an empty database.
   *
   * @param epochStep by how much each opening raises the epoch, at least 1
   * @param batchOperationsMax the most operations in one batch
   */
  public SharedDatabase(long epochStep, int batchOperationsMax) {
    this.epochStep = epochStep;
    this.batchOperationsMax = batchOperationsMax;
  }

  /** Returns options that name this database. Whatever they say, there is one store in it. */
  @Override
  public StoreOptions options() {
    return StoreOptions.of("//database/" + storeId);
  }

  /** Creates a connection to the database, with a factory of stores that use it. */
  @Override
  public Node newLink() {
    return new Node(this);
  }

  /** Lets the database's clock go on. */
  @Override
  public synchronized void letPass(Duration time) {
    nowMs += time.toMillis();
  }

  /** Does nothing: the rows go with the database. */
  @Override
  public void close() {}

  /**
   * Returns how long the store is still held if its owner gives no sign of life; zero if it is
   * free.
   */
  public synchronized Duration freeIn() {
    return owner == null ? Duration.ZERO : Duration.ofMillis(Math.max(0, ownedUntilMs - nowMs));
  }

  /** Returns the epoch of the newest opening; 0 if there was none. */
  public synchronized long epoch() {
    return epoch;
  }

  /** Returns the contents of the store. */
  public synchronized Contents contents() {
    return contents;
  }

  /** Returns the number of the newest batch that was asked to be durable, or was synced since. */
  public synchronized long syncedCommit() {
    return syncedCommit;
  }

  StoreInfo info() {
    return StoreInfo.of(SCHEME, storeId)
        .keyBytesMax(KEY_BYTES_MAX)
        .valueBytesMax(VALUE_BYTES_MAX)
        .batchBytesMax(BATCH_BYTES_MAX)
        .batchOperationsMax(batchOperationsMax)
        .viewCountMax(VIEW_COUNT_MAX)
        .syncing(StoreInfo.Syncing.WITH_WRITE)
        .sharing(StoreInfo.Sharing.SHARED)
        .backup(StoreInfo.Backup.NONE)
        .roundTripHint(Duration.ofMillis(1));
  }

  /** Takes the store over for an owner. Returns the epoch that begins. */
  synchronized long acquire(StoreOptions options) {
    OwnerName holder = owner;
    if (holder != null && !holder.equals(options.owner()) && ownedUntilMs > nowMs) {
      throw StoreLockedException.held(options.shownLocation(), holder, freeIn());
    }
    exists = true;
    epoch = Math.max(epoch + epochStep, options.epochLeast());
    owner = options.owner();
    syncedCommit = contents.commit();
    renewed(options);
    return epoch;
  }

  synchronized void requireExisting(StoreOptions options) {
    if (!exists) {
      throw new StoreException("there is no store to read: location=" + options.shownLocation());
    }
  }

  /**
   * Applies a batch if the guard is where its writer left it.
   *
   * @param next the rows after the batch
   * @throws StoreFencedException somebody else has moved the guard; nothing happened
   */
  synchronized void commit(long ofEpoch, WriteBatch batch, Contents next, StoreOptions options) {
    requireOwned(ofEpoch);
    if (contents.commit() != batch.previous()) {
      throw new IllegalStateException(
          "guard is elsewhere: previous=" + batch.previous() + ", lastCommit=" + contents.commit());
    }
    contents = next;
    if (batch.wanted() == WriteBatch.Wanted.SYNCED) {
      syncedCommit = batch.number();
    }
    renewed(options);
  }

  /** Returns the number of the newest batch, by a step that only the owner can make. */
  synchronized long guardedLook(long ofEpoch, StoreOptions options) {
    requireOwned(ofEpoch);
    renewed(options);
    return contents.commit();
  }

  synchronized void sync(long ofEpoch, StoreOptions options) {
    requireOwned(ofEpoch);
    syncedCommit = contents.commit();
    renewed(options);
  }

  /** Releases the store, if it is still held by that opening. */
  synchronized void release(long ofEpoch) {
    if (epoch == ofEpoch) {
      owner = null;
    }
  }

  private void requireOwned(long ofEpoch) {
    if (epoch != ofEpoch) {
      throw new StoreFencedException(
          "another owner has taken the store over; nothing happened: own epoch="
              + ofEpoch
              + ", epoch="
              + epoch
              + ", "
              + owner);
    }
  }

  private void renewed(StoreOptions options) {
    ownedUntilMs = nowMs + options.ownedFor().toMillis();
  }

  /**
   * The connection of one node to the database. If it breaks it is made anew at once, as those of a
   * real store are. If it is cut off it stays so until it is {@link #heal healed}.
   */
  public static final class Node implements SharedPlace.Link {

    private final SharedDatabase database;
    private final CutPlan plan = new CutPlan();

    private Node(SharedDatabase database) {
      this.database = database;
    }

    @Override
    public String scheme() {
      return SCHEME;
    }

    @Override
    public SharedSession open(StoreOptions options) {
      return SharedSession.open(database, plan, options);
    }

    @Override
    public void breakAt(CutPoint point) {
      plan.put(point, CutPlan.Cut.BREAK, () -> {});
    }

    @Override
    public void cutOffAt(CutPoint point) {
      plan.put(point, CutPlan.Cut.CUT_OFF, () -> {});
    }

    /** Plans an action for when the connection next comes to this point, such as a take-over. */
    public void runAt(CutPoint point, Runnable what) {
      plan.put(point, CutPlan.Cut.NONE, what);
    }

    /** Cuts the connection off now. */
    public void cutOff() {
      plan.cutOff();
    }

    @Override
    public void heal() {
      plan.heal();
    }

    /** Returns how often the connection came to this point. */
    public long count(CutPoint point) {
      return plan.count(point);
    }
  }
}
