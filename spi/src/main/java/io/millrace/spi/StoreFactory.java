package io.millrace.spi;

/**
 * A factory that opens stores of one kind, found by {@link java.util.ServiceLoader} under its
 * scheme.
 *
 * <p>Implementations are stateless and safe for use by any thread.
 */
public interface StoreFactory {

  /**
   * Returns the first part of a store's location, before the colon: {@code lmdb}, {@code rocksdb},
   * {@code memory}.
   */
  String scheme();

  /**
   * Opens the store, creating it when there is nothing yet at its location.
   *
   * <p>Opening for writing raises the {@linkplain OrderedStore#epoch() epoch}, to {@link
   * StoreOptions#epochLeast} or above, and syncs it before this returns. A failed open leaves
   * nothing behind: no lock, no thread, no half-made store that a later open would refuse.
   *
   * <p>A store that is {@linkplain StoreInfo.Sharing#SHARED shared} is opened for writing when it
   * is free, when its owner has given no sign of life for {@link StoreOptions#ownedFor}, or by that
   * very owner, who opens it again. The opening before is fenced from then on. An opening for
   * reading stands beside the owner's.
   *
   * @throws StoreLockedException another process, or this one, has the store open
   * @throws StoreUnavailableException the store cannot be reached; nothing is known of it
   * @throws IllegalArgumentException the location is none for this kind of store
   * @throws FormatVersionException the folder holds something else, or was written by a newer
   *     format; nothing was touched
   * @throws StoreCorruptException the files are damaged, or hold less than was once durable (see
   *     {@link StoreOptions.LostCommits})
   * @throws StoreException the folder is not a folder, cannot be created or written, or the native
   *     library cannot load
   */
  OrderedStore open(StoreOptions options);
}
