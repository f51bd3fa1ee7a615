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
import io.millrace.internal.transition.queue.StepRows;
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
        tallies.dueFromMs() == 0
            ? TallyKeys.recountEnd()
            : TallyKeys.dueKey(tallies.dueFromMs(), 0),
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
    if (nextMs[0] > nowMs) {
      tallies.lookedAtDue(nowMs);
    }
    for (int i = 0; i < due.size(); i++) {
      boolean isDone = batch.hasRoomToSpare(EACH) && look(batch, due.get(i).key());
      if (!isDone) {
        tallies.noteDue(TallyKeys.dueMs(due.get(i).key()));
        return i;
      }
    }
    return due.size();
  }

  /** Looks at the tally of the row; returns whether all was done, and the row is deleted. */
  private static boolean look(OpenBatch batch, byte[] dueKey) {
    TallyEntry entry = batch.state().tallies().of(TallyKeys.dueNumber(dueKey));
    Tallies.readOrReport(batch, entry);
    TallyRecord tally = entry.record();
    long removalMs = tally == null ? 0 : tally.removalMs();
    if (tally != null && removalMs != 0 && removalMs == TallyKeys.dueMs(dueKey)) {
      return remove(batch, tally, dueKey);
    }
    batch.delete(dueKey);
    batch.aside(() -> TallyEnds.look(batch, entry));
    return true;
  }

  /** Removes the tally as far as the batch has room; returns whether nothing of it is left. */
  private static boolean remove(OpenBatch batch, TallyRecord tally, byte[] dueKey) {
    long number = TallyKeys.dueNumber(dueKey);
    if (tally.is(TallyRecord.KEEPS_RESULTS) && !removeResults(batch, number)) {
      return false;
    }
    batch.delete(dueKey);
    batch.delete(TallyKeys.key(number));
    batch.state().tallies().remove(batch.state().tallies().of(number));
    return true;
  }

  /** Removes results of the tally for which the batch has room; returns whether none is left. */
  private static boolean removeResults(OpenBatch batch, long number) {
    TallyTable tallies = batch.state().tallies();
    byte[] from = tallies.resultsFrom(number);
    StepRows step =
        StepRows.read(
            batch,
            from == null ? TallyKeys.resultsStart(number) : from,
            TallyKeys.resultsEnd(number),
            STEP);
    byte[] next = step.next();
    for (Row row : step.rows()) {
      if (!batch.hasRoomToSpare(EACH)) {
        next = row.key();
        break;
      }
      batch.delete(row.key());
    }
    tallies.setResultsFrom(number, next);
    return next == null && batch.hasRoomToSpare(EACH);
  }
}
