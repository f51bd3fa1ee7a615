package io.millrace.store.lmdb;

import io.millrace.memtable.MemtableOptions;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;

/**
 * Limits of a store and of its batches, and the division of its address space.
 *
 * <p>A store may use {@code storeBytesMax} for its rows. LMDB gets a larger map: the reserve beyond
 * is for batches that free space, which need new pages before the old ones come free, and for pages
 * that two commits and open views still hold. The map is only address space, and is given once: to
 * change it while open is unsafe.
 */
final class LmdbLimits {

  /** The kind of store. */
  static final String NAME = "lmdb";

  static final int KEY_BYTES_MAX = 511;
  static final int VALUE_BYTES_MAX = 32 << 20;
  static final long BATCH_BYTES_MAX = 64L << 20;
  static final int BATCH_OPERATIONS_MAX = 131_072;

  /** The most views that may be open at a time. */
  static final int VIEW_COUNT_MAX = 512;

  private static final long RESERVE_BYTES_LEAST = 4L << 20;
  private static final long RESERVE_BYTES_MOST = 256L << 20;
  private static final int RESERVE_FRACTION = 8;
  private static final long MAP_STEP_BYTES = 1L << 20;

  /**
   * The pages for the two meta pages, the main database and the list of free pages: a generous
   * guess, for small stores.
   */
  private static final long BOOKKEEPING_PAGES = 16;

  /** The pages that a page's worth of new rows may come to. */
  private static final long SPLIT_PAGES = 8;

  /** The bytes that a row takes beside its key and value, and in the branches above: a guess. */
  private static final long NODE_BYTES = 64;

  /** The share of a store, and of its reserve, that is written to it as one batch. */
  private static final int LAYER_FRACTION = 8;

  /** The pages of the reserve that there are for each operation of a layer. */
  private static final int OPERATION_PAGES = 2;

  /** The length of a page on most machines. */
  private static final int PAGE_BYTES = 4 << 10;

  private LmdbLimits() {}

  /**
   * Returns the address space, in bytes, that a store with this limit needs, which already takes
   * {@code usedBytes} of the file.
   */
  static long mapBytes(long storeBytesMax, long usedBytes) {
    long bytes = Math.max(storeBytesMax, usedBytes) + reserveBytes(storeBytesMax);
    return (bytes + MAP_STEP_BYTES - 1) / MAP_STEP_BYTES * MAP_STEP_BYTES;
  }

  private static long reserveBytes(long storeBytesMax) {
    return Math.max(
        RESERVE_BYTES_LEAST, Math.min(RESERVE_BYTES_MOST, storeBytesMax / RESERVE_FRACTION));
  }

  /**
   * Returns how rows in memory are gathered before they are written as one batch. There are at most
   * as many as a tree that is copied on write has room for in the reserve alone, before it has the
   * room of the rows that they replace. In the worst case each operation, of however few bytes, is
   * on a page of its own.
   */
  static MemtableOptions layers(MemtableOptions standard, long storeBytesMax) {
    long reserve = reserveBytes(storeBytesMax);
    return standard.layerAtMost(
        Math.min(storeBytesMax, reserve) / LAYER_FRACTION,
        (int) (reserve / (OPERATION_PAGES * PAGE_BYTES)));
  }

  /** Returns the most pages of rows that there may be after an ordinary batch. */
  static long rowPagesMax(long storeBytesMax, long pageBytes) {
    return storeBytesMax / pageBytes - BOOKKEEPING_PAGES;
  }

  /**
   * Returns the most by which a batch can move the end of the file, in bytes. Each operation copies
   * its path and splits it, but all together no more than every page there is, and no more than
   * what is new fills. Values lie on pages of their own, and the list of freed pages is written
   * down. A page of values for each operation also covers full leaves that one tiny row each
   * splits.
   */
  static long growthBytesMax(WriteBatch batch, int depth, long usedBytes, long pageBytes) {
    long treePages =
        Math.min(
            (2L * depth + 4) * (batch.size() + 1L),
            usedBytes / pageBytes + splitPages(batch, pageBytes) + 2L * depth + 4);
    long valuePages = batch.bytes() / pageBytes + batch.size();
    long freeListPages = BOOKKEEPING_PAGES + 4 * usedBytes / pageBytes / (pageBytes / Long.BYTES);
    return (treePages + valuePages + freeListPages) * pageBytes;
  }

  /** Returns how many pages splits can add, though they leave them nearly empty. */
  private static long splitPages(WriteBatch batch, long pageBytes) {
    return SPLIT_PAGES * (batch.bytes() + NODE_BYTES * batch.size()) / pageBytes;
  }

  /** Returns the file length, in bytes, that covers the commit that raises the epoch. */
  static long bytesToOpen(long usedBytes) {
    return usedBytes + usedBytes / 100 + MAP_STEP_BYTES;
  }

  static StoreInfo info(String storeId, Path folder) {
    return StoreInfo.of(NAME, storeId)
        .keyBytesMax(KEY_BYTES_MAX)
        .valueBytesMax(VALUE_BYTES_MAX)
        .batchBytesMax(BATCH_BYTES_MAX)
        .batchOperationsMax(BATCH_OPERATIONS_MAX)
        .viewCountMax(VIEW_COUNT_MAX)
        .durability(StoreInfo.Durability.POWER_LOSS)
        .syncing(StoreInfo.Syncing.WRITE_SYNCS_PREVIOUS)
        .folder(folder);
  }
}
