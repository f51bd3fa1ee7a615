package io.millrace.internal.transition.tally;

import io.millrace.internal.format.Row;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TallyEntry;
import io.millrace.internal.state.TallyTable;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.Tallies;
import java.util.ArrayList;
import java.util.List;

/**
 * A look at tallies that are due: those that have been kept for long enough are removed, and jobs
 * go on for which a batch had no room. The answer is the number of tallies that were looked at.
 */
public final class LookAtDue implements Transition<Integer> {

  /** The most rows of one step. */
  private static final int STEP = 250;

  /** The cost of a tally that is removed: its row, and the row that says that it is due. */
  private static final Cost EACH = Cost.TALLY.plus(new Cost(1, RowBytes.KEY));

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return EACH.times(STEP);
  }

  @Override
  public Integer apply(OpenBatch batch) {
    TallyTable tallies = batch.state().tallies();
    long nowMs = batch.context().steadyMs();
    List<Row> due = new ArrayList<>();
    long[] nextMs = {QueueState.NEVER};
    batch.scan(
        TallyKeys.dueStart(),
        TallyKeys.dueEnd(),
        STEP,
        (key, value) -> {
          if (!TallyKeys.isDueKey(key)) {
            batch.reportCorrupt(key);
            return true;
          }
          boolean isDue = TallyKeys.dueMs(key) <= nowMs && due.size() < STEP;
          if (isDue) {
            due.add(new Row(key, value));
          } else {
            nextMs[0] = TallyKeys.dueMs(key);
          }
          return isDue;
        });
    for (Row row : due) {
      batch.reads().wantByKey(TallyKeys.key(TallyKeys.dueNumber(row.key())));
    }
    batch.reads().fetch();
    tallies.nextDue(nextMs[0]);
    for (int i = 0; i < due.size(); i++) {
      if (!batch.hasRoomToSpare(EACH)) {
        tallies.noteDue(nowMs);
        return i;
      }
      look(batch, due.get(i).key());
    }
    return due.size();
  }

  private static void look(OpenBatch batch, byte[] dueKey) {
    batch.delete(dueKey);
    TallyEntry entry = batch.state().tallies().of(TallyKeys.dueNumber(dueKey));
    Tallies.readOrReport(batch, entry);
    TallyRecord tally = entry.record();
    if (tally == null) {
      return;
    }
    if (tally.removalMs() != 0 && tally.removalMs() == TallyKeys.dueMs(dueKey)) {
      batch.delete(TallyKeys.key(entry.number()));
      batch.state().tallies().remove(entry);
    } else {
      batch.aside(() -> TallyEnds.look(batch, entry));
    }
  }
}
