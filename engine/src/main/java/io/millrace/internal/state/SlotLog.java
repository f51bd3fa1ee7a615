package io.millrace.internal.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a queue in which the changes of many concurrency keys are logged. The oldest row goes
 * first; what no other row tells is put into the keys' own rows before.
 */
public final class SlotLog {

  /** The most changes of one row. */
  public static final int CHANGE_COUNT_MAX = 256;

  /**
   * The number of rows that are kept; more are kept for as long as batches have no room to remove
   * them. A key that is changed again meanwhile never gets into a row of its own.
   */
  private static final int ROW_COUNT_MAX = 64;

  private final int queue;
  private final Deque<Logged> rows = new ArrayDeque<>(1);
  private int inUseCount;

  SlotLog(int queue) {
    this.queue = queue;
  }

  /**
   * A row of the log.
   *
   * @param number its number
   * @param slots the concurrency keys whose counts it tells
   */
  public record Logged(long number, List<SlotEntry> slots) {}

  /** Returns the number of the queue. */
  public int queue() {
    return queue;
  }

  /** Returns the number of the next row, if it is put with the batch of the given number. */
  public long nextNumber(long batchNumber) {
    Logged last = rows.peekLast();
    return last == null ? batchNumber : Math.max(last.number() + 1, batchNumber);
  }

  /** Returns the oldest row, or null. */
  public @Nullable Logged first() {
    return rows.peekFirst();
  }

  /** Tells whether the oldest row is to go when one is added. */
  public boolean isLong() {
    return rows.size() > ROW_COUNT_MAX;
  }

  /** Tells whether some logged key is in use; if none is, the log is to go. */
  public boolean isInUse() {
    return inUseCount > 0;
  }

  /**
   * Adds a row that was read, or is put with the batch under way. It tells of the keys as they are.
   */
  public void add(long number, List<SlotEntry> slots) {
    rows.addLast(new Logged(number, slots));
    for (SlotEntry slot : slots) {
      inUseCount -= slot.isLoggedInUse() ? 1 : 0;
      slot.markLogged(number);
      inUseCount += slot.isLoggedInUse() ? 1 : 0;
    }
  }

  /**
   * Removes the oldest row with the batch under way. The keys of which no newer row tells have been
   * put into their own rows.
   */
  public void removeFirst() {
    rows.removeFirst();
  }

  /**
   * Notes that no row of the log tells of the key: the batch under way has its own row as it is
   * now.
   */
  public void leave(SlotEntry slot) {
    inUseCount -= slot.isLoggedInUse() ? 1 : 0;
    slot.markOwnRow();
  }
}
