package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.List;

/** The heads of all who work off TIMER rows. Each head hears of every row that is put. */
public final class TimerHeads {

  private final List<TimerHead> heads = new ArrayList<>(3);

  /** Creates a head for one more that works off rows; it lives as long as the working set. */
  public TimerHead newHead(DelayClock clock) {
    TimerHead head = new TimerHead(clock);
    heads.add(head);
    return head;
  }

  /** Tells all heads that a TIMER row was put. */
  public void note(byte[] key) {
    for (TimerHead head : heads) {
      head.note(key);
    }
  }

  /** Moves all heads to the start, since the rows that were put or deleted may no longer be so. */
  void forget() {
    heads.forEach(TimerHead::forget);
  }
}
