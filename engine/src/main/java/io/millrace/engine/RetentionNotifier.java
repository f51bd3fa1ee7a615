package io.millrace.engine;

import io.millrace.MillraceException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.Job;
import io.millrace.api.RetentionListener;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.Request;
import io.millrace.internal.timer.RetentionOffers;
import io.millrace.internal.timer.RetentionOffers.Outcome;
import io.millrace.internal.transition.due.OfferRetained;
import io.millrace.internal.transition.due.RemoveRetained;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A receiver that shows the user's listener jobs whose retention has passed, on the thread that
 * completes futures, and has those removed that the listener has seen.
 */
final class RetentionNotifier implements RetentionOffers.Receiver {

  private static final Logger LOG = LoggerFactory.getLogger(RetentionNotifier.class);

  /** The time for which further refusals are not logged: there may be as many as there are jobs. */
  private static final long LOG_NS = 60_000_000_000L;

  private final CommitLoop loop;
  private final EngineCore core;
  private final RetentionListener listener;
  private boolean hasLogged;
  private long loggedAtNs;

  RetentionNotifier(CommitLoop loop, EngineCore core, RetentionListener listener) {
    this.loop = loop;
    this.core = core;
    this.listener = listener;
  }

  @Override
  public void offer(List<OfferRetained.Offer> offers, RetentionOffers from) {
    loop.forAnswerThread(() -> show(offers, from), thrown -> answer(from, failed())).run();
  }

  /**
   * Shows the listener these offers. Always answers, whatever happens: without an answer nothing
   * more would be offered.
   */
  private void show(List<OfferRetained.Offer> offers, RetentionOffers from) {
    try {
      Showing showing = new Showing();
      for (OfferRetained.Offer offer : offers) {
        if (showing.refusedInARow < RetentionOffers.REFUSED_IN_A_ROW_MAX) {
          show(offer, showing);
        }
      }
      remove(showing, from);
    } catch (EngineClosedException e) {
      LOG.debug("engine was closed while jobs were offered", e);
    } catch (Throwable e) {
      answer(from, failed());
    }
  }

  private static Outcome failed() {
    return new Outcome(0, List.of(), "", Outcome.End.FAILED);
  }

  private void remove(Showing showing, RetentionOffers from) {
    if (showing.seen.isEmpty()) {
      answer(from, showing.outcome(Outcome.End.REMOVED));
      return;
    }
    core.submitter()
        .tell(
            new RemoveRetained(showing.seen),
            new Request.Listener<>() {
              @Override
              public void answered(Request<Integer> request) {
                boolean isDone = request.failure() == null;
                answer(from, showing.outcome(isDone ? Outcome.End.REMOVED : Outcome.End.FAILED));
              }

              @Override
              public void failed(Throwable thrown) {
                answer(from, showing.outcome(Outcome.End.FAILED));
              }
            });
  }

  /** The outcome of a step so far. */
  private static final class Showing {
    private final List<byte[]> seen = new ArrayList<>();
    private final List<OfferRetained.Offer> refused = new ArrayList<>();
    private String reason = "";
    private int refusedInARow;

    private Outcome outcome(Outcome.End end) {
      return new Outcome(seen.size() + refused.size(), refused, reason, end);
    }
  }

  /**
   * Shows the listener one job.
   *
   * @throws EngineClosedException this engine is closed; the listener may throw the same of another
   */
  private void show(OfferRetained.Offer offer, Showing showing) {
    Throwable refusal = null;
    Optional<Job> job = Optional.empty();
    try {
      job = core.read(reader -> reader.get(offer.jobId()));
    } catch (EngineClosedException e) {
      throw e;
    } catch (Throwable e) {
      refusal = e;
    }
    if (job.isPresent()) {
      refusal = refusal(job.get());
    }
    if (refusal == null) {
      showing.seen.add(offer.timerKey());
      showing.refusedInARow = 0;
    } else {
      showing.refused.add(offer);
      showing.refusedInARow++;
      showing.reason = "job=" + offer.jobId() + ", reason=" + refusal;
      log(showing.reason, refusal);
    }
  }

  private @Nullable Throwable refusal(Job job) {
    try {
      listener.beforeRemoval(job);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private void log(String reason, Throwable refusal) {
    long nowNs = core.submitter().clock().monotonicNs();
    if (!hasLogged || nowNs - loggedAtNs >= LOG_NS) {
      hasLogged = true;
      loggedAtNs = nowNs;
      LOG.warn(
          "the listener refused a job whose retention has passed; it stays and is offered again"
              + " later; others in the next minute are not logged: {}",
          reason,
          refusal);
    }
  }

  private void answer(RetentionOffers from, Outcome outcome) {
    from.answered(outcome);
    try {
      loop.run(() -> {});
    } catch (MillraceException e) {
      LOG.debug("engine was not woken: it is closed, or too busy to sleep", e);
    }
  }
}
