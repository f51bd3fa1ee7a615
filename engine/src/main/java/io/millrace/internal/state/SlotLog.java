package io.millrace.internal.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a queue in which the changes of many concurrency keys are logged. The oldest goes
 * first: what it alone tells is put into the keys' own rows before.
 */
public final class SlotLog {

  /** Changes of one row. */
  public static final int CHANGE_COUNT_MAX = 256;

  /**
   * Rows that are kept, and more for as long as batches have no room to remove them: what is
   * changed again meanwhile never comes into a row of its own.
   */
  private static final int ROW_COUNT_MAX = 64;

  private final int queue;
  private final Deque<Logged> rows = new ArrayDeque<>(1);
  private int inUseCount;

  SlotLog(int queue) {
    this.queue = queue;
  }

  /**
   * One row.
   *
   * @param number its number
   * @param slots whose counts it tells
   */
  public record Logged(long number, List<SlotEntry> slots) {}

  /** Number of the queue. */
  public int queue() {
    return queue;
  }

  /** The number of the next row, in the batch of that number. */
  public long nextNumber(long batchNumber) {
    Logged last = rows.peekLast();
    return last == null ? batchNumber : Math.max(last.number() + 1, batchNumber);
  }

  /** The oldest row, or null. */
  public @Nullable Logged first() {
    return rows.peekFirst();
  }

  /** Whether the oldest row is to go when one is added. */
  public boolean isLong() {
    return rows.size() > ROW_COUNT_MAX;
  }

  /** Whether some key that is logged is in use; if none is, the log is to go. */
  public boolean isInUse() {
    return inUseCount > 0;
  }

  /** A row that was read, or is put with the batch under way; it tells of the keys as they are. */
  public void add(long number, List<SlotEntry> slots) {
    rows.addLast(new Logged(number, slots));
    for (SlotEntry slot : slots) {
      inUseCount -= slot.isLoggedInUse() ? 1 : 0;
      slot.markLogged(number);
      inUseCount += slot.isLoggedInUse() ? 1 : 0;
    }
  }

  /**
   * The oldest row goes with the batch under way; keys of which no newer one tells have been put.
   */
  public void removeFirst() {
    rows.removeFirst();
  }

  /** No row of the log tells of the key: the batch under way has its own row as it is now. */
  public void leave(SlotEntry slot) {
    inUseCount -= slot.isLoggedInUse() ? 1 : 0;
    slot.markOwnRow();
  }
}
