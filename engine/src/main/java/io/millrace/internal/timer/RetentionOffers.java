package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.TimerHead;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.due.OfferRetained;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Offers dead and completed jobs whose retention has passed to somebody who sees them before they
 * are removed.
 *
 * <p>One step of them is out at a time. A job that is refused waits by itself, while the others go
 * on. One who refuses everything is given a pause now and then, so that this costs little. Nothing
 * of it is stored: whoever opens the store next begins anew.
 *
 * <p>Belongs to the loop's thread, except for {@link #answered} and {@link #warning}.
 */
public final class RetentionOffers implements DueWork {

  /** After so many refusals in a row of jobs that are offered for the first time comes a pause. */
  public static final int REFUSED_IN_A_ROW_MAX = 100;

  private static final long PAUSE_NS = 10_000_000_000L;

  /** Of a step: the others are offered for the first time, so that these keep nobody waiting. */
  private static final int OFFERED_AGAIN_MAX = REFUSED_IN_A_ROW_MAX / 2;

  private final TimerHead head;
  private final Receiver receiver;
  private final RefusedJobs refused = new RefusedJobs();

  /** What is out; empty if nothing is. */
  private List<OfferRetained.Offer> out = List.of();

  private int refusedInARow;
  private boolean isPausing;
  private long pauseEndNs;
  private String newestReason = "";
  private volatile @Nullable Outcome outcome;
  private volatile String warning = "";

  /** Who is offered jobs. */
  public interface Receiver {

    /**
     * Takes a step of jobs. Must return at once; later {@link #answered} is to be called, on any
     * thread, whatever became of them.
     */
    void offer(List<OfferRetained.Offer> offers, RetentionOffers from);
  }

  /**
   * What became of offers.
   *
   * @param shown how many were shown, the first ones
   * @param refused those of them that stay
   * @param reason why the last of these does
   * @param end what became of the others that were shown
   */
  public record Outcome(int shown, List<OfferRetained.Offer> refused, String reason, End end) {

    /** Whether jobs that were accepted are gone. */
    public enum End {
      REMOVED,
      FAILED
    }
  }

  public RetentionOffers(WorkingSet state, Receiver receiver) {
    this.head = state.timerHeads().newHead(DelayClock.STEADY);
    this.receiver = receiver;
  }

  @Override
  public long waitNs(DueTime now) {
    if (!out.isEmpty()) {
      return outcome == null ? NEVER : 0;
    }
    long headWaitNs = now.steadyWaitNs(head.timeMs());
    long waitNs = Math.min(headWaitNs, refused.waitNs(now.nowNs()));
    return isPausing ? Math.max(waitNs, pauseEndNs - now.nowNs()) : waitNs;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    takeIn(now.nowNs());
    if (waitNs(now) > 0) {
      return;
    }
    isPausing = false;
    refused.meetBeyond(head, now.nowNs());
    List<byte[]> again = refused.due(now.nowNs(), OFFERED_AGAIN_MAX);
    OfferRetained.Step step = steps.apply(new OfferRetained(head, again, refused::holds));
    step.gone().forEach(refused::remove);
    warn();
    if (!step.offers().isEmpty()) {
      out = step.offers();
      receiver.offer(out, this);
    }
  }

  /** What was offered has been dealt with. For any thread. */
  public void answered(Outcome of) {
    outcome = of;
  }

  private void takeIn(long nowNs) {
    Outcome of = outcome;
    if (of == null) {
      return;
    }
    List<OfferRetained.Offer> offers = out;
    out = List.of();
    outcome = null;
    Set<OfferRetained.Offer> stay = new HashSet<>(of.refused());
    for (int i = 0; i < offers.size(); i++) {
      OfferRetained.Offer offer = offers.get(i);
      if (stay.contains(offer)) {
        countRefusal(offer);
        refused.add(offer.timerKey(), nowNs);
      } else if (i < of.shown() && of.end() == Outcome.End.REMOVED) {
        refusedInARow = 0;
        refused.remove(offer.timerKey());
      } else if (!refused.holds(offer.timerKey())) {
        head.note(offer.timerKey());
      }
    }
    newestReason = of.refused().isEmpty() ? newestReason : of.reason();
    if (of.end() == Outcome.End.FAILED || refusedInARow >= REFUSED_IN_A_ROW_MAX) {
      refusedInARow = 0;
      isPausing = true;
      pauseEndNs = nowNs + PAUSE_NS;
    }
    warn();
  }

  private void countRefusal(OfferRetained.Offer offer) {
    if (!refused.holds(offer.timerKey())) {
      refusedInARow++;
    }
  }

  private void warn() {
    warning =
        refused.count() == 0
            ? ""
            : "the retention listener refused jobs, which stay and are offered again: count="
                + refused.count()
                + (refused.hasMore() ? " and more" : "")
                + ", newest: "
                + newestReason;
  }

  /** Counts jobs that have left in another way since until their next turn, in an hour at most. */
  @Override
  public Optional<String> warning() {
    return warning.isEmpty() ? Optional.empty() : Optional.of(warning);
  }
}
