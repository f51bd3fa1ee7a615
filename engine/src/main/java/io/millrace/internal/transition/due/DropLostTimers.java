package io.millrace.internal.transition.due;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LostTimers;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.StepRows;

/**
 * A step of the search for the TIMER rows of jobs that are lost, which are dropped. The answer is
 * how many were.
 */
public final class DropLostTimers implements Transition<Integer> {

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.deletes(StepRows.COUNT_MAX);
  }

  @Override
  public Integer apply(OpenBatch batch) {
    LostTimers lost = batch.state().lostTimers();
    int countMax = StepRows.countWithRoom(batch, Cost.deletes(1));
    StepRows step = StepRows.read(batch, lost.next(), Keyspace.TIMER.end(), countMax);
    int count = 0;
    for (Row row : step.rows()) {
      if (isLost(batch, lost, row)) {
        batch.delete(row.key());
        count++;
      }
    }
    batch.onUndo(lost.moveTo(step.next()));
    return count;
  }

  private static boolean isLost(OpenBatch batch, LostTimers lost, Row row) {
    boolean isTimer = row.key().length == TimerKeys.LENGTH_BYTES;
    if (!isTimer || !lost.contains(TimerKeys.birthOrHash(row.key()))) {
      return false;
    }
    try {
      return DueTimers.isOfJob(row.key()) && DueTimers.owner(batch, row) == null;
    } catch (CorruptDataException e) {
      return false;
    }
  }
}
