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
 * Offers of dead and completed jobs whose retention has passed to a receiver that sees them before
 * they are removed.
 *
 * <p>One step of offers is out at a time. A job that is refused waits by itself, while the others
 * go on. A receiver that refuses everything is given a pause now and then, so that this costs
 * little. Nothing of it is stored: the next opening of the store begins anew.
 *
 * <p>Belongs to the loop's thread, except for {@link #answered} and {@link #warning}.
 */
public final class RetentionOffers implements DueWork {

  /**
   * The number of refusals in a row, of jobs that are offered for the first time, that brings a
   * pause.
   */
  public static final int REFUSED_IN_A_ROW_MAX = 100;

  private static final long PAUSE_NS = 10_000_000_000L;

  /**
   * The most jobs of a step that were refused before: the others are offered for the first time, so
   * that refused ones keep nobody waiting.
   */
  private static final int OFFERED_AGAIN_MAX = REFUSED_IN_A_ROW_MAX / 2;

  private final TimerHead head;
  private final Receiver receiver;
  private final RefusedJobs refused = new RefusedJobs();

  /** The offers that are out; empty if none are. */
  private List<OfferRetained.Offer> out = List.of();

  private int refusedInARow;
  private boolean isPausing;
  private long pauseEndNs;
  private String newestReason = "";
  private volatile @Nullable Outcome outcome;
  private volatile String warning = "";

  /** The receiver of offers. */
  public interface Receiver {

    /**
     * Takes a step of jobs. Must return at once; later {@link #answered} is to be called, on any
     * thread, whatever became of them.
     */
    void offer(List<OfferRetained.Offer> offers, RetentionOffers from);
  }

  /**
   * The outcome of offers.
   *
   * @param shown how many were shown, the first ones
   * @param refused those of them that stay
   * @param reason why the last of these does
   * @param end the end of the others that were shown
   */
  public record Outcome(int shown, List<OfferRetained.Offer> refused, String reason, End end) {

    /** The end of the jobs that were accepted: they are gone, or could not be removed. */
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

  /** Takes the outcome of the offers that are out. For any thread. */
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

  /**
   * Returns the warning about refused jobs. Counts jobs that have left in another way since until
   * their next turn, in an hour at most.
   */
  @Override
  public Optional<String> warning() {
    return warning.isEmpty() ? Optional.empty() : Optional.of(warning);
  }
}
