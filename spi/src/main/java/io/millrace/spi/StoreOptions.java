package io.millrace.spi;

import java.nio.file.Path;
import java.util.Objects;

/**
 * How to open a store.
 *
 * @param folder where the store lives; a store that keeps nothing on disk uses it as a name only
 * @param storeBytesMax how large the store may grow, in bytes
 * @param access whether the store will be written
 * @param lostCommits what to do when the store holds less than was once durable
 * @param epochLeast the lowest epoch that opening for writing may begin; one that is lower by
 *     itself is raised to it, so that a copy never gives what its origin gave
 */
public record StoreOptions(
    Path folder, long storeBytesMax, Access access, LostCommits lostCommits, long epochLeast) {

  /** 256 GiB. For LMDB this is address space, not disk space. */
  public static final long STORE_BYTES_MAX_DEFAULT = 256L << 30;

  /** The smallest limit that leaves room for the store's own bookkeeping: 1 MiB. */
  public static final long STORE_BYTES_MAX_LEAST = 1L << 20;

  /** Whether a store is opened for writing or only to be looked at. */
  public enum Access {
    /** The owner: raises the epoch and may write. */
    READ_WRITE,
    /**
     * Takes the lock, changes nothing, raises no epoch; the store must exist. {@code write} and
     * {@code sync} throw.
     */
    READ_ONLY
  }

  /** What to do when the newest commit in the store is older than its watermark says. */
  public enum LostCommits {
    /** Refuse to open: data loss is told, not hidden. */
    REFUSE,
    /** Open what is there; the operator has been told and accepts it. */
    ACCEPT
  }

  public StoreOptions {
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(access, "access");
    Objects.requireNonNull(lostCommits, "lostCommits");
    if (storeBytesMax < STORE_BYTES_MAX_LEAST) {
      throw new IllegalArgumentException(
          "storeBytesMax is too small: value="
              + storeBytesMax
              + ", least="
              + STORE_BYTES_MAX_LEAST);
    }
    if (epochLeast < 1) {
      throw new IllegalArgumentException(
          "epochLeast is too low: value=" + epochLeast + ", least=1");
    }
  }

  /** Options that leave the epoch to the store. */
  public StoreOptions(Path folder, long storeBytesMax, Access access, LostCommits lostCommits) {
    this(folder, storeBytesMax, access, lostCommits, 1);
  }

  /** Options for writing to the store in this folder, with the default limits. */
  public static StoreOptions of(Path folder) {
    return new StoreOptions(folder, STORE_BYTES_MAX_DEFAULT, Access.READ_WRITE, LostCommits.REFUSE);
  }

  public StoreOptions withStoreBytesMax(long bytes) {
    return new StoreOptions(folder, bytes, access, lostCommits, epochLeast);
  }

  public StoreOptions withAccess(Access value) {
    return new StoreOptions(folder, storeBytesMax, value, lostCommits, epochLeast);
  }

  public StoreOptions withLostCommits(LostCommits value) {
    return new StoreOptions(folder, storeBytesMax, access, value, epochLeast);
  }

  public StoreOptions withEpochLeast(long value) {
    return new StoreOptions(folder, storeBytesMax, access, lostCommits, value);
  }
}
