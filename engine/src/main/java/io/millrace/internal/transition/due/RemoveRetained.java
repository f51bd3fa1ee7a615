package io.millrace.internal.transition.due;

import io.millrace.internal.format.Row;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import java.util.List;

/**
 * The removal of dead and completed jobs that were offered, if their TIMER rows still say so. The
 * answer is how many rows there were.
 */
public final class RemoveRetained implements Transition<Integer> {

  private final List<byte[]> timerKeys;

  public RemoveRetained(List<byte[]> timerKeys) {
    this.timerKeys = timerKeys;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return DueTimers.END.times(timerKeys.size());
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    DueTimers.declare(state, reads, timerKeys);
  }

  @Override
  public Integer apply(OpenBatch batch) {
    int count = 0;
    for (byte[] key : timerKeys) {
      byte[] value = batch.get(key);
      if (value != null) {
        DueTimers.end(batch, new Row(key, value));
        count++;
      }
    }
    return count;
  }
}
