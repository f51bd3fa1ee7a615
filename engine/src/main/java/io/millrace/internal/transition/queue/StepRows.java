package io.millrace.internal.transition.queue;

import io.millrace.internal.format.Row;
import io.millrace.internal.state.Cost;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.OutOfRoomException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a range that one step works on, bounded in number and bytes. */
public final class StepRows {

  /** The most rows of one step. */
  public static final int COUNT_MAX = 1_000;

  /** The length of all values, in bytes, after which a step ends. */
  static final long BYTES_MAX = 4L << 20;

  private final List<Row> rows = new ArrayList<>();
  private byte @Nullable [] next;
  private long bytes;

  private StepRows() {}

  /**
   * Returns how many rows a step may have for which the batch has room.
   *
   * @param each the cost of a row
   * @throws OutOfRoomException the batch has no room for one row
   */
  public static int countWithRoom(OpenBatch batch, Cost each) {
    int count = Math.min(COUNT_MAX, batch.context().stepRows());
    while (count > 0 && !batch.hasRoomFor(each.times(count))) {
      count /= 2;
    }
    if (count == 0) {
      throw new OutOfRoomException();
    }
    return count;
  }

  /** Reads rows from the beginning of the range, at most as many as asked for. */
  public static StepRows read(
      OpenBatch batch, byte[] startInclusive, byte[] endExclusive, int countMax) {
    StepRows step = new StepRows();
    batch.scan(
        startInclusive,
        endExclusive,
        countMax + 1,
        (key, value) -> {
          boolean isWithin = step.rows.size() < countMax && step.bytes < BYTES_MAX;
          if (isWithin) {
            step.rows.add(new Row(key, value));
            step.bytes += value.length;
          } else {
            step.next = key;
          }
          return isWithin;
        });
    return step;
  }

  /** Leaves this row and those behind it to the next step. */
  void endBefore(int index) {
    next = rows.get(index).key();
    rows.subList(index, rows.size()).clear();
  }

  public List<Row> rows() {
    return rows;
  }

  /**
   * Returns the key of the first row of the range that is not in the step; null if there is none.
   */
  public byte @Nullable [] next() {
    return next;
  }
}
