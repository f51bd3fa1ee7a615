package io.millrace.store.memory;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A factory of stores in memory. Each store begins empty, with the lowest epoch allowed, and takes
 * its contents with it when it is closed.
 *
 * <p>The folder is only a name and nothing is made on disk, but the name is held while the store is
 * open.
 */
public final class MemoryStoreFactory implements StoreFactory {

  public static final String SCHEME = "memory";

  private static final int KEY_BYTES_MAX = 511;
  private static final int VALUE_BYTES_MAX = 64 << 20;
  private static final long BATCH_BYTES_MAX = 64L << 20;
  private static final int BATCH_OPERATIONS_MAX = 131_072;
  private static final int VIEW_COUNT_MAX = 512;

  /**
   * Names of the stores that are open. Static because ServiceLoader makes a factory for each
   * caller, and the lock is one for the process.
   */
  private static final Set<Path> OPEN_NAMES = ConcurrentHashMap.newKeySet();

  /**
   * Creates the factory: for {@link java.util.ServiceLoader}, and for tests that name this kind of
   * store.
   */
  public MemoryStoreFactory() {}

  @Override
  public String scheme() {
    return SCHEME;
  }

  /**
   * Opens a new, empty store.
   *
   * @throws StoreLockedException a store of that name is open in this process
   * @throws StoreException the store is to be read only, and there is none yet to read
   */
  @Override
  public OrderedStore open(StoreOptions options) {
    if (options.access() == StoreOptions.Access.READ_ONLY) {
      throw new StoreException(
          "there is no store to read: a store in memory begins empty: name=" + options.folder());
    }
    Path name = options.folder().toAbsolutePath().normalize();
    if (!OPEN_NAMES.add(name)) {
      throw new StoreLockedException(
          "a store in memory of this name is open in this process already: name="
              + options.folder()
              + ", pid="
              + ProcessHandle.current().pid()
              + "; close its engine first, or give another name");
    }
    return new MemoryStore(
        newInfo(),
        options,
        options.epochLeast(),
        MemoryStore.Contents.EMPTY,
        () -> OPEN_NAMES.remove(name));
  }

  private static StoreInfo newInfo() {
    return StoreInfo.of(SCHEME, UUID.randomUUID().toString())
        .keyBytesMax(KEY_BYTES_MAX)
        .valueBytesMax(VALUE_BYTES_MAX)
        .batchBytesMax(BATCH_BYTES_MAX)
        .batchOperationsMax(BATCH_OPERATIONS_MAX)
        .viewCountMax(VIEW_COUNT_MAX)
        .durability(StoreInfo.Durability.NONE)
        .syncing(StoreInfo.Syncing.SEPARATE)
        .backup(StoreInfo.Backup.NONE);
  }
}
