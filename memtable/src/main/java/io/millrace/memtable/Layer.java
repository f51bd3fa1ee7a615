package io.millrace.memtable;

import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.store.memory.RowCursor;
import io.millrace.store.memory.RowTree;

/**
 * The last operation of several batches on each key, where a delete is a mark. Immutable.
 *
 * <p>A mark stays even if the row came in the same layer, unless the batch that put the row said
 * that its key was new: the layer itself cannot know that the store beneath has no row of that key.
 *
 * @param previous number of the batch before the layer's first
 * @param number number of the layer's last batch; {@code previous} if there is none
 */
record Layer(long previous, long number, RowTree operations) {

  static Layer after(long number) {
    return new Layer(number, number, RowTree.EMPTY);
  }

  /** Tells whether the layer has no batch; one whose batches have no operations is not empty. */
  boolean isEmpty() {
    return number == previous;
  }

  Layer with(WriteBatch batch) {
    return new Layer(previous, batch.number(), operations.withMarks(batch));
  }

  /** Returns the whole layer as one batch; the layer must not be empty. */
  WriteBatch sum(Reserve reserve) {
    WriteBatch sum = new WriteBatch(number, reserve);
    sum.follow(previous);
    for (RowCursor row = operations.cursor(new byte[0]); row.isAtRow(); row.advance()) {
      if (RowTree.isMark(row.value())) {
        sum.delete(row.key());
      } else {
        sum.put(row.key(), row.value());
      }
    }
    return sum;
  }
}
