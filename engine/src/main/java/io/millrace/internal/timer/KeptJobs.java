package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.TimerHead;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OfferKept;
import java.util.List;

/**
 * Offers dead and completed jobs whose retention has passed to somebody who sees them before they
 * are removed.
 *
 * <p>One step of them is out at a time. Nothing is remembered of what is out: rows that were not
 * removed when the answer comes are found again.
 */
public final class KeptJobs implements DueWork {

  /** How long after a refusal jobs are offered again. */
  private static final long RETRY_NS = 60_000_000_000L;

  private final TimerHead head;
  private final Receiver receiver;
  private volatile boolean isOut;
  private volatile boolean wasRefused;
  private long refusedAtNs;

  /** Who is offered jobs. */
  public interface Receiver {

    /**
     * Takes a step of jobs. Must return at once; later {@link #settled} is to be called, on any
     * thread, whatever became of them.
     */
    void offer(List<OfferKept.Offer> offers, KeptJobs from);
  }

  public KeptJobs(WorkingSet state, Receiver receiver) {
    this.head = state.newTimerHead();
    this.receiver = receiver;
  }

  @Override
  public long waitNs(DueTime now) {
    if (isOut) {
      return NEVER;
    }
    long waitNs = Waits.untilMs(now.nowMs(), head.timeMs());
    return wasRefused ? Math.max(waitNs, refusedAtNs + RETRY_NS - now.nowNs()) : waitNs;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    List<OfferKept.Offer> offers = steps.apply(new OfferKept(head));
    refusedAtNs = now.nowNs();
    wasRefused = false;
    if (!offers.isEmpty()) {
      isOut = true;
      receiver.offer(offers, this);
    }
  }

  /**
   * What was offered has been dealt with; if not all of it, the rest waits a while. For any thread.
   */
  public void settled(boolean isAll) {
    wasRefused = !isAll;
    isOut = false;
  }
}
