package io.millrace.spi;

import io.millrace.options.Option;
import io.millrace.options.Option.Check;
import io.millrace.options.OptionTable;
import io.millrace.options.OptionValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Properties and limits of a store, fixed while it is open. Immutable: a store begins with {@link
 * #of}, which states the least that every store must take, and changes what differs.
 */
public final class StoreInfo {

  /** The longest key that every store takes, in bytes. */
  public static final int KEY_BYTES_LEAST = 511;

  /** The longest value that every store takes, in bytes: a payload is one value. */
  public static final int VALUE_BYTES_LEAST = 16 << 20;

  /** The largest batch that every store takes, in operations. */
  public static final int BATCH_OPERATIONS_LEAST = 4_096;

  /**
   * The number of views that every store allows at a time: the writer's, and one for everybody
   * else.
   */
  public static final int VIEW_COUNT_LEAST = 2;

  private static final OptionTable TABLE = new OptionTable();

  private static final Option<String, String> NAME = TABLE.add("name", "");
  private static final Option<String, String> STORE_ID = TABLE.add("storeId", "");
  private static final Option<Integer, Integer> KEY_BYTES_MAX =
      TABLE.add("keyBytesMax", KEY_BYTES_LEAST, Check.atLeast(1));
  private static final Option<Integer, Integer> VALUE_BYTES_MAX =
      TABLE.add("valueBytesMax", VALUE_BYTES_LEAST, Check.atLeast(1));
  private static final Option<Long, Long> BATCH_BYTES_MAX =
      TABLE.add("batchBytesMax", (long) VALUE_BYTES_LEAST + KEY_BYTES_LEAST, Check.atLeast(1L));
  private static final Option<Integer, Integer> BATCH_OPERATIONS_MAX =
      TABLE.add("batchOperationsMax", BATCH_OPERATIONS_LEAST, Check.atLeast(1));
  private static final Option<Integer, Integer> VIEW_COUNT_MAX =
      TABLE.add("viewCountMax", VIEW_COUNT_LEAST, Check.atLeast(VIEW_COUNT_LEAST));
  private static final Option<Durability, Durability> DURABILITY =
      TABLE.add("durability", Durability.POWER_LOSS);
  private static final Option<Syncing, Syncing> SYNCING = TABLE.add("syncing", Syncing.SEPARATE);
  private static final Option<Sharing, Sharing> SHARING = TABLE.add("sharing", Sharing.EXCLUSIVE);
  private static final Option<Backup, Backup> BACKUP = TABLE.add("backup", Backup.FOLDER);
  private static final Option<Duration, Duration> ROUND_TRIP_HINT =
      TABLE.add("roundTripHint", Duration.ZERO, StoreInfo::notNegative);
  private static final Option<Path, Optional<Path>> FOLDER =
      TABLE.optional("folder", (name, value) -> value.toAbsolutePath().normalize());

  private final OptionValues values;

  /** The longest key, at hand for {@link #requireKey}, which every read calls. */
  private final int keyBytesMax;

  /** Durability of batches in a store. */
  public enum Durability {
    /** Memory only: the store lives as long as its process. */
    NONE,
    /**
     * Full durability: synced batches survive power loss, written ones the death of the process.
     */
    POWER_LOSS
  }

  /** The call that makes batches durable: {@code write}, {@code sync}, or both. */
  public enum Syncing {
    /**
     * Syncing by the next write: each makes the batch before it durable. With more to write, a sync
     * can often be saved.
     */
    WRITE_SYNCS_PREVIOUS,
    /** Syncing by {@code sync} alone, on the writer's thread. */
    SEPARATE,
    /** Syncing by {@code sync} alone, which may run on a second thread beside {@code write}. */
    BESIDE_WRITE,
    /**
     * Syncing on demand: each batch is as durable as it asks to be ({@link WriteBatch.Wanted}) when
     * {@code write} returns. {@code sync} is only for batches that did not ask.
     */
    WITH_WRITE
  }

  /** Possibility of a take-over by another owner. */
  public enum Sharing {
    /** Exclusive use: a lock keeps others out, and ends with the owner's process. */
    EXCLUSIVE,
    /**
     * Shared use: another owner may take the store over at any moment, also on another machine. The
     * owner before learns of it by its next write, sync or settle.
     */
    SHARED
  }

  /** Kind of backup that {@link OrderedStore#backupTo} makes. */
  public enum Backup {
    /** A copy in a folder. */
    FOLDER,
    /** None: there is nothing to copy, or backups are the database's own affair. */
    NONE
  }

  private StoreInfo(OptionValues values) {
    this.values = values;
    keyBytesMax = values.get(KEY_BYTES_MAX);
  }

  private <S> StoreInfo with(Option<S, ?> option, S value) {
    return new StoreInfo(values.with(option, value));
  }

  /**
   * Describes a store that takes the least that every store takes, keeps it on disk for one process
   * alone, and syncs when it is told to.
   *
   * @param name the kind of store, as in {@link StoreFactory#scheme()}
   * @param storeId the identity of this very store, given when it was created; a copy gets a new
   *     one
   */
  public static StoreInfo of(String name, String storeId) {
    return new StoreInfo(OptionValues.of(TABLE).with(NAME, name).with(STORE_ID, storeId));
  }

  /**
   * Sets the longest key, in bytes; the shortest has one byte.
   *
   * @throws IllegalArgumentException the value is below 1
   */
  public StoreInfo keyBytesMax(int value) {
    return with(KEY_BYTES_MAX, value);
  }

  /**
   * Sets the longest value, in bytes.
   *
   * @throws IllegalArgumentException the value is below 1
   */
  public StoreInfo valueBytesMax(int value) {
    return with(VALUE_BYTES_MAX, value);
  }

  /**
   * Sets the largest batch, keys and values together, in bytes.
   *
   * @throws IllegalArgumentException the value is below 1
   */
  public StoreInfo batchBytesMax(long value) {
    return with(BATCH_BYTES_MAX, value);
  }

  /**
   * Sets the most operations in one batch.
   *
   * @throws IllegalArgumentException the value is below 1
   */
  public StoreInfo batchOperationsMax(int value) {
    return with(BATCH_OPERATIONS_MAX, value);
  }

  /**
   * Sets the most views that are open at a time. {@link OrderedStore#flaws()}, {@link
   * OrderedStore#backupTo} and {@link OrderedStore#getAll} may take one each while they run.
   *
   * @throws IllegalArgumentException the value is below {@value #VIEW_COUNT_LEAST}
   */
  public StoreInfo viewCountMax(int value) {
    return with(VIEW_COUNT_MAX, value);
  }

  /** Sets which losses a synced batch survives. */
  public StoreInfo durability(Durability value) {
    return with(DURABILITY, value);
  }

  /** Sets whether a write makes batches durable, and on which thread {@code sync} runs. */
  public StoreInfo syncing(Syncing value) {
    return with(SYNCING, value);
  }

  /** Sets whether another owner may take the store over. */
  public StoreInfo sharing(Sharing value) {
    return with(SHARING, value);
  }

  /** Sets which kind of backup {@link OrderedStore#backupTo} makes. */
  public StoreInfo backup(Backup value) {
    return with(BACKUP, value);
  }

  /**
   * Sets about how long a read takes that leaves the process; zero if reads do not.
   *
   * @throws IllegalArgumentException the time is negative
   */
  public StoreInfo roundTripHint(Duration value) {
    return with(ROUND_TRIP_HINT, value);
  }

  /** Sets the folder of the store's files, for a store that lives in a folder of this machine. */
  public StoreInfo folder(Path value) {
    return with(FOLDER, value);
  }

  public String name() {
    return values.get(NAME);
  }

  public String storeId() {
    return values.get(STORE_ID);
  }

  public int keyBytesMax() {
    return keyBytesMax;
  }

  public int valueBytesMax() {
    return values.get(VALUE_BYTES_MAX);
  }

  public long batchBytesMax() {
    return values.get(BATCH_BYTES_MAX);
  }

  public int batchOperationsMax() {
    return values.get(BATCH_OPERATIONS_MAX);
  }

  public int viewCountMax() {
    return values.get(VIEW_COUNT_MAX);
  }

  public Durability durability() {
    return values.get(DURABILITY);
  }

  public Syncing syncing() {
    return values.get(SYNCING);
  }

  public Sharing sharing() {
    return values.get(SHARING);
  }

  public Backup backup() {
    return values.get(BACKUP);
  }

  /**
   * Returns about how long a read takes that leaves the process; zero for a store in this process.
   */
  public Duration roundTripHint() {
    return values.get(ROUND_TRIP_HINT);
  }

  /** Returns the folder of the store's files, absolute; empty if it has none on this machine. */
  public Optional<Path> folder() {
    return values.get(FOLDER);
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

  private static Duration notNegative(String name, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(name + " is negative: value=" + value);
    }
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoreInfo that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return "StoreInfo" + values.byName().values();
  }
}
