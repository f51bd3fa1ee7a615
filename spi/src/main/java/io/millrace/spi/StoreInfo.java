package io.millrace.spi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a store is and how much it takes; fixed while it is open. Immutable: a store begins with
 * {@link #of}, which says the least that every store must take, and changes what differs.
 */
public final class StoreInfo {

  /** The longest key that every store takes, in bytes. */
  public static final int KEY_BYTES_LEAST = 511;

  /** The longest value that every store takes: a payload is one value. */
  public static final int VALUE_BYTES_LEAST = 16 << 20;

  /** How many operations a batch of every store takes. */
  public static final int BATCH_OPERATIONS_LEAST = 4_096;

  /** How many views every store has open at a time: the writer's, and one for everybody else. */
  public static final int VIEW_COUNT_LEAST = 2;

  private final String name;
  private final String storeId;
  private int keyBytesMax = KEY_BYTES_LEAST;
  private int valueBytesMax = VALUE_BYTES_LEAST;
  private long batchBytesMax = VALUE_BYTES_LEAST + KEY_BYTES_LEAST;
  private int batchOperationsMax = BATCH_OPERATIONS_LEAST;
  private int viewCountMax = VIEW_COUNT_LEAST;
  private Durability durability = Durability.POWER_LOSS;
  private Syncing syncing = Syncing.SEPARATE;
  private Sharing sharing = Sharing.EXCLUSIVE;
  private Backup backup = Backup.FOLDER;
  private Duration roundTripHint = Duration.ZERO;
  private Optional<Path> folder = Optional.empty();

  /** What survives. */
  public enum Durability {
    /** Nothing: the store lives as long as its process. */
    NONE,
    /** Synced batches survive power loss, written ones the death of the process. */
    POWER_LOSS
  }

  /** How {@code sync} goes together with {@code write}. */
  public enum Syncing {
    /**
     * Every write makes the batch before it durable: with more to write, a sync can often be saved.
     */
    WRITE_SYNCS_PREVIOUS,
    /** Only {@code sync} makes anything durable; it runs on the writer's thread. */
    SEPARATE,
    /**
     * Only {@code sync} makes anything durable; it may run on a second thread beside {@code write}.
     */
    BESIDE_WRITE,
    /**
     * A batch is as durable as it asks to be ({@link WriteBatch.Wanted}) when {@code write}
     * returns; {@code sync} is only for batches that did not ask.
     */
    WITH_WRITE
  }

  /** Who may take the store from its owner. */
  public enum Sharing {
    /** Nobody: a lock keeps others out, and dies with the owner's process. */
    EXCLUSIVE,
    /**
     * Another owner, at any moment, also on another machine, and the one before learns of it by its
     * next write, sync or settle.
     */
    SHARED
  }

  /** What {@link OrderedStore#backupTo} can do. */
  public enum Backup {
    /** Writes a copy into a folder. */
    FOLDER,
    /** Nothing: there is nothing to copy, or backups are the database's own affair. */
    NONE
  }

  private StoreInfo(String name, String storeId) {
    this.name = name;
    this.storeId = storeId;
  }

  private StoreInfo(StoreInfo other) {
    name = other.name;
    storeId = other.storeId;
    keyBytesMax = other.keyBytesMax;
    valueBytesMax = other.valueBytesMax;
    batchBytesMax = other.batchBytesMax;
    batchOperationsMax = other.batchOperationsMax;
    viewCountMax = other.viewCountMax;
    durability = other.durability;
    syncing = other.syncing;
    sharing = other.sharing;
    backup = other.backup;
    roundTripHint = other.roundTripHint;
    folder = other.folder;
  }

  /**
   * A store that takes what every store takes, keeps it on disk for one process alone, and syncs
   * when it is told to.
   *
   * @param name the kind of store, as in {@link StoreFactory#scheme()}
   * @param storeId the identity of this very store, given when it was created; a copy gets a new
   *     one
   */
  public static StoreInfo of(String name, String storeId) {
    return new StoreInfo(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(storeId, "storeId"));
  }

  /** The longest key, in bytes; the shortest has one. */
  public StoreInfo keyBytesMax(int value) {
    StoreInfo changed = new StoreInfo(this);
    changed.keyBytesMax = atLeast("keyBytesMax", value, 1);
    return changed;
  }

  /** The longest value, in bytes. */
  public StoreInfo valueBytesMax(int value) {
    StoreInfo changed = new StoreInfo(this);
    changed.valueBytesMax = atLeast("valueBytesMax", value, 1);
    return changed;
  }

  /** The largest batch, keys and values together, in bytes. */
  public StoreInfo batchBytesMax(long value) {
    if (value < 1) {
      throw tooLow("batchBytesMax", value, 1);
    }
    StoreInfo changed = new StoreInfo(this);
    changed.batchBytesMax = value;
    return changed;
  }

  /** The most operations in one batch. */
  public StoreInfo batchOperationsMax(int value) {
    StoreInfo changed = new StoreInfo(this);
    changed.batchOperationsMax = atLeast("batchOperationsMax", value, 1);
    return changed;
  }

  /**
   * The most views that are open at a time; {@link OrderedStore#flaws()}, {@link
   * OrderedStore#backupTo} and {@link OrderedStore#getAll} may take one each while they run.
   */
  public StoreInfo viewCountMax(int value) {
    StoreInfo changed = new StoreInfo(this);
    changed.viewCountMax = atLeast("viewCountMax", value, VIEW_COUNT_LEAST);
    return changed;
  }

  /** What a batch is worth that is synced. */
  public StoreInfo durability(Durability value) {
    StoreInfo changed = new StoreInfo(this);
    changed.durability = Objects.requireNonNull(value, "durability");
    return changed;
  }

  /** How {@code sync} goes together with {@code write}. */
  public StoreInfo syncing(Syncing value) {
    StoreInfo changed = new StoreInfo(this);
    changed.syncing = Objects.requireNonNull(value, "syncing");
    return changed;
  }

  /** Who may take it from its owner. */
  public StoreInfo sharing(Sharing value) {
    StoreInfo changed = new StoreInfo(this);
    changed.sharing = Objects.requireNonNull(value, "sharing");
    return changed;
  }

  /** What {@link OrderedStore#backupTo} can do. */
  public StoreInfo backup(Backup value) {
    StoreInfo changed = new StoreInfo(this);
    changed.backup = Objects.requireNonNull(value, "backup");
    return changed;
  }

  /** About how long a read takes that the store has to send somewhere; zero if it need not. */
  public StoreInfo roundTripHint(Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException("roundTripHint is negative: value=" + value);
    }
    StoreInfo changed = new StoreInfo(this);
    changed.roundTripHint = value;
    return changed;
  }

  /** Where its files are, for a store that lives in a folder of this machine. */
  public StoreInfo folder(Path value) {
    StoreInfo changed = new StoreInfo(this);
    changed.folder = Optional.of(value.toAbsolutePath().normalize());
    return changed;
  }

  public String name() {
    return name;
  }

  public String storeId() {
    return storeId;
  }

  public int keyBytesMax() {
    return keyBytesMax;
  }

  public int valueBytesMax() {
    return valueBytesMax;
  }

  public long batchBytesMax() {
    return batchBytesMax;
  }

  public int batchOperationsMax() {
    return batchOperationsMax;
  }

  public int viewCountMax() {
    return viewCountMax;
  }

  public Durability durability() {
    return durability;
  }

  public Syncing syncing() {
    return syncing;
  }

  public Sharing sharing() {
    return sharing;
  }

  public Backup backup() {
    return backup;
  }

  /** About how long a read takes that goes somewhere; zero for a store in this process. */
  public Duration roundTripHint() {
    return roundTripHint;
  }

  /** Where its files are, absolute; empty if it has none here. */
  public Optional<Path> folder() {
    return folder;
  }

  /**
   * Checks the length of a key that is to be written or looked up.
   *
   * @throws IllegalArgumentException the key is empty or too long
   */
  public void requireKey(byte[] key) {
    if (key.length == 0 || key.length > keyBytesMax) {
      throw new IllegalArgumentException(
          "key length is out of range: value=" + key.length + ", least=1, most=" + keyBytesMax);
    }
  }

  private static int atLeast(String what, int value, int least) {
    if (value < least) {
      throw tooLow(what, value, least);
    }
    return value;
  }

  private static IllegalArgumentException tooLow(String what, long value, long least) {
    return new IllegalArgumentException(what + " is too low: value=" + value + ", least=" + least);
  }

  private List<Object> facts() {
    return List.of(
        name,
        storeId,
        keyBytesMax,
        valueBytesMax,
        batchBytesMax,
        batchOperationsMax,
        viewCountMax,
        durability,
        syncing,
        sharing,
        backup,
        roundTripHint,
        folder);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoreInfo that && facts().equals(that.facts());
  }

  @Override
  public int hashCode() {
    return facts().hashCode();
  }

  @Override
  public String toString() {
    return "StoreInfo" + facts();
  }
}
