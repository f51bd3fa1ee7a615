package io.millrace.internal.transition.table;

import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.TableNames;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.StepRows;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step of the removal of a dropped table's rows; the last one removes the row that says there was
 * one. The answer is where the next step begins; empty if that was all.
 */
public final class EmptyDroppedTable implements Transition<Optional<byte[]>> {

  private static final Cost ROW = new Cost(1, RowBytes.TABLE_KEY);

  private final TableNames.Dropped dropped;
  private final byte @Nullable [] from;

  /**
   * Creates a step.
   *
   * @param from where it begins; null for the first step
   */
  public EmptyDroppedTable(TableNames.Dropped dropped, byte @Nullable [] from) {
    this.dropped = dropped;
    this.from = from;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return ROW.times(StepRows.COUNT_MAX + 1);
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Optional<byte[]> apply(OpenBatch batch) {
    String table = dropped.table();
    long incarnation = dropped.incarnation();
    byte[] start = from == null ? TableRowKeys.start(table, incarnation) : from;
    int count = StepRows.countWithRoom(batch, ROW);
    StepRows step = StepRows.read(batch, start, TableRowKeys.end(table, incarnation), count);
    for (Row row : step.rows()) {
      batch.delete(row.key());
    }
    if (step.next() != null) {
      return Optional.of(step.next());
    }
    batch.delete(Tables.droppedKey(dropped));
    batch.state().tables().unmarkDropped(dropped);
    return Optional.empty();
  }
}
