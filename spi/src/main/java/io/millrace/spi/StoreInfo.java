package io.millrace.spi;

/**
 * What a store is and how much it takes; fixed while it is open.
 *
 * @param name the kind of store, as in {@link StoreFactory#scheme()}
 * @param storeId the identity of this very store, given when it was created; a copy gets a new one
 * @param keyBytesMax the longest key, in bytes; the shortest has one
 * @param valueBytesMax the longest value, in bytes
 * @param batchBytesMax the largest batch, keys and values together, in bytes
 * @param batchOperationsMax the most operations in one batch
 * @param viewCountMax the most views that are open at a time, at least 2; {@link
 *     OrderedStore#flaws()} and {@link OrderedStore#backupTo} may take one each while they run
 * @param durability what a finished {@link OrderedStore#sync()} is worth
 * @param syncing how {@code sync} goes together with {@code write}
 */
public record StoreInfo(
    String name,
    String storeId,
    int keyBytesMax,
    int valueBytesMax,
    long batchBytesMax,
    int batchOperationsMax,
    int viewCountMax,
    Durability durability,
    Syncing syncing) {

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
    BESIDE_WRITE
  }
}
