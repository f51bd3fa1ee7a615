package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.List;

/** The heads of all who work off TIMER rows: each hears of every row that is put. */
public final class TimerHeads {

  private final List<TimerHead> heads = new ArrayList<>(3);

  /** A head of its own for one more; lives as long as the working set. */
  public TimerHead newHead(DelayClock clock) {
    TimerHead head = new TimerHead(clock);
    heads.add(head);
    return head;
  }

  /** A TIMER row was put. */
  public void note(byte[] key) {
    for (TimerHead head : heads) {
      head.note(key);
    }
  }

  /** What was put or deleted may be otherwise. */
  void forget() {
    heads.forEach(TimerHead::forget);
  }
}
