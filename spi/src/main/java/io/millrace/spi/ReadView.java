package io.millrace.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A consistent, short-lived view of a store. For one thread at a time; close it soon.
 *
 * <p>Keys are 1 to {@link StoreInfo#keyBytesMax()} bytes long, others are refused with {@link
 * IllegalArgumentException}; values may be empty. The bounds of a scan are no keys: they may have
 * any length, and an empty start is the very start.
 *
 * <p>All bytes handed out are copies and belong to the caller. After {@link #close()} every call
 * throws {@link IllegalStateException}; after the store's {@code close} every call throws {@link
 * StoreClosedException}. Closing the view again, or after the store, does nothing. A store that has
 * to open its files anew, after its disk had been full, or whose connection broke, ends the views
 * that are open: their calls throw {@link ViewEndedException}, and a new view sees everything. A
 * view that the writer's thread opened is not ended while no other owner has taken the store over.
 */
public interface ReadView extends AutoCloseable {

  /** Returns the number of the newest batch that this view sees. */
  long commit();

  /**
   * Returns the key's value, or null if the key is absent.
   *
   * @throws IllegalArgumentException the key is empty or too long
   * @throws StoreException as every call; see {@link ReadView}
   */
  byte @Nullable [] get(byte[] key);

  /**
   * Returns the keys' values in the order of the keys, null for each key that is absent. Takes one
   * round trip in remote stores.
   *
   * @throws IllegalArgumentException a key is empty or too long
   * @throws StoreException as every call; see {@link ReadView}
   */
  List<byte @Nullable []> getAll(List<byte[]> keys);

  /**
   * Visits rows in key order until the end, the limit, or a visitor that says stop.
   *
   * @param startInclusive the first key to visit, or a bound before it
   * @param endExclusive the bound after the last key; must not be below the start
   * @param size the most rows to visit, and how many of them to fetch first
   * @return how many rows were visited, with the one at which the visitor said stop
   * @throws IllegalArgumentException the end is below the start
   */
  int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor);

  /**
   * Visits rows for a visitor that is likely to want all of them; see {@link #scan(byte[], byte[],
   * ScanSize, RowVisitor)}.
   *
   * @param rowCountMax the most rows to visit, at least 1
   * @throws IllegalArgumentException the end is below the start, or {@code rowCountMax} is below 1
   */
  default int scan(
      byte[] startInclusive, byte[] endExclusive, int rowCountMax, RowVisitor visitor) {
    return scan(startInclusive, endExclusive, ScanSize.all(rowCountMax), visitor);
  }

  @Override
  void close();

  /**
   * Receiver of the rows of a scan. Must not close the view or the store. An exception that it
   * throws ends the scan and reaches the caller.
   */
  @FunctionalInterface
  interface RowVisitor {
    /**
     * Takes one row, whose arrays it may keep. Returns whether it wants the next.
     *
     * @throws RuntimeException the scan ends, and the caller gets it
     */
    boolean visit(byte[] key, byte[] value);
  }
}
