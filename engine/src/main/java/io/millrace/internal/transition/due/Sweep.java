package io.millrace.internal.transition.due;

import io.millrace.internal.format.Row;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.TimerHead;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;

/**
 * A step through the TIMER rows that are due: jobs that were not started in time are dropped, dead
 * and completed ones whose retention has passed are removed. The answer is how many rows were dealt
 * with.
 */
public final class Sweep implements Transition<Integer> {

  private final TimerHead head;
  private final Scope scope;
  private final long untilMs;

  /** The rows that are dealt with; others are passed over. */
  public enum Scope {
    ALL,
    /** All but those of dead and completed jobs, which are offered and removed elsewhere. */
    WITHOUT_RETENTION
  }

  /**
   * Creates a step that begins at the head, and moves it.
   *
   * @param untilMs the time of the last rows that are due, on the head's clock
   */
  public Sweep(TimerHead head, Scope scope, long untilMs) {
    this.head = head;
    this.scope = scope;
    this.untilMs = untilMs;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return DueTimers.END.times(DueTimers.STEP);
  }

  @Override
  public Integer apply(OpenBatch batch) {
    DueTimers due = DueTimers.read(batch, head, untilMs);
    due.readTogether(batch, this::isInScope);
    // First, for a wait that goes on has a new row, which the head must hear of.
    due.moveHead(head);
    long bytes = 0;
    int count = 0;
    for (Row row : due.rows()) {
      if (bytes > DueTimers.STEP_BYTES || !DueTimers.hasRoomToEnd(batch)) {
        head.moveTo(row.key());
        return count;
      }
      if (!DueTimers.isForeign(batch, row) && isInScope(row.key())) {
        bytes += DueTimers.end(batch, row);
        count++;
      }
    }
    return count;
  }

  private boolean isInScope(byte[] timerKey) {
    return scope == Scope.ALL || !isRetention(timerKey);
  }

  static boolean isRetention(byte[] timerKey) {
    return TimerKeys.kind(timerKey).isRetention();
  }
}
