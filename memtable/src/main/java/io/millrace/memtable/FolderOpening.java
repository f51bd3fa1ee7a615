package io.millrace.memtable;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * An opening under way of a store in a folder: the folder is locked, and its database was read as
 * far as is needed to know what it holds. Closed before it has become a store, it frees both. For
 * one thread.
 */
public interface FolderOpening extends AutoCloseable {

  /** Returns the locked folder. */
  StoreFolder folder();

  /** Returns what the store will say of itself. */
  StoreInfo info();

  /** Returns the epoch and the newest commit of the database. */
  Watermark held();

  /**
   * Opens the database for writing, and raises the epoch in it, durably, above all that were. The
   * folder's watermark is still to be advanced.
   *
   * @param epochBefore another epoch that was
   * @return the new epoch, with the newest commit in the database
   * @throws StoreException the database cannot be written to, or lacks something that it once had
   */
  Watermark raiseEpoch(long epochBefore);

  /** Writes a batch to the database, whose epoch was raised, before there is a store. */
  void write(WriteBatch batch);

  /** Makes durable what was written. */
  void sync();

  /** Makes it a store to be looked at. */
  Base readOnly();

  /**
   * Makes it a store to be written to, once its epoch was raised.
   *
   * @param logged the number of the newest batch that is durable elsewhere and comes here later,
   *     which the store's watermark takes for durable; from any thread
   */
  Base store(LongSupplier logged);

  @Override
  void close();

  /** A store beneath a log. */
  interface Base extends OrderedStore {

    /**
     * Returns about how much more ordinary batches may bring, keys and values together, in bytes.
     * Thread-safe. Cheap enough for each batch as long as there is plenty; may wait for a store
     * that makes room.
     */
    long roomBytes();

    /**
     * Writes a copy of a store that is open for reading only, as {@link #backupTo} says.
     *
     * @param all a view of this store and of what is above it
     * @param above the batches above it
     */
    void copy(ReadView all, Replayed above, Path target);
  }
}
