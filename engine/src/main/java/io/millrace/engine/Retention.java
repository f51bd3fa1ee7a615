package io.millrace.engine;

import io.millrace.api.EngineClosedException;
import io.millrace.api.Job;
import io.millrace.api.MillraceException;
import io.millrace.api.RetentionListener;
import io.millrace.internal.timer.KeptJobs;
import io.millrace.internal.transition.OfferKept;
import io.millrace.internal.transition.RemoveKept;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the user's listener the jobs that are to be removed, where futures are completed, and has
 * those removed that it has seen.
 */
final class Retention implements KeptJobs.Receiver {

  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

  private final JobEngine engine;
  private final RetentionListener listener;

  Retention(JobEngine engine, RetentionListener listener) {
    this.engine = engine;
    this.listener = listener;
  }

  @Override
  public void offer(List<OfferKept.Offer> offers, KeptJobs from) {
    engine.loop().onAnswerThread(() -> show(offers, from));
  }

  private void show(List<OfferKept.Offer> offers, KeptJobs from) {
    List<byte[]> seen = new ArrayList<>(offers.size());
    try {
      for (OfferKept.Offer offer : offers) {
        Optional<Job> job = engine.get(offer.jobId());
        job.ifPresent(listener::beforeRemoval);
        seen.add(offer.timerKey());
      }
    } catch (EngineClosedException e) {
      return;
    } catch (Throwable e) {
      LOG.warn(
          "the listener refused a job whose retention has passed; it stays and is offered again"
              + " later: job={}",
          offers.get(seen.size()).jobId(),
          e);
    }
    boolean isAll = seen.size() == offers.size();
    engine
        .calls()
        .callAsync(new RemoveKept(seen), count -> count)
        .whenComplete((count, thrown) -> settle(from, isAll && thrown == null));
  }

  private void settle(KeptJobs from, boolean isAll) {
    from.settled(isAll);
    try {
      engine.loop().run(() -> {});
    } catch (MillraceException e) {
      LOG.debug("engine was not woken: it is closed, or too busy to sleep", e);
    }
  }
}
