package io.millrace.model;

import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings.Expiry;
import io.millrace.api.QueueStats.Total;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;

/** What happens in the model by itself: time passes, the engine stops and starts. */
public final class ModelEvents {

  private final ReferenceModel model;
  private long newestTimeStep = 1;

  ModelEvents(ReferenceModel model) {
    this.model = model;
  }

  /**
   * When, on the monotonic clock, something happens by itself to jobs of these states: an end of a
   * delay or of a lease.
   */
  public LongStream eventsMonotonicMs(Set<JobState> states) {
    return model.jobs.values().stream()
        .filter(job -> states.contains(job.state))
        .filter(job -> job.state != JobState.WAITING || job.hasDeadline())
        .mapToLong(this::eventMonotonicMs)
        .sorted();
  }

  long eventMonotonicMs(ModelJob job) {
    if (job.state == JobState.WAITING) {
      return job.steadyDeadlineMs.isPresent()
          ? steadyMonotonicMs(job.steadyDeadlineMs.getAsLong())
          : model.time.monotonicWhen(job.deadlineMs.getAsLong());
    }
    return job.lease
        .map(lease -> lease.deadlineMonotonicMs)
        .orElseGet(
            () ->
                job.isWaitOfLength
                    ? steadyMonotonicMs(job.waitEndMs)
                    : model.time.monotonicWhen(job.waitEndMs));
  }

  private long steadyMonotonicMs(long steadyMs) {
    return model.time.monotonicMs() + steadyMs - model.time.steadyMs();
  }

  /**
   * Whether jobs with concurrency keys are due of which the specification does not say who comes
   * first: delays of several queues or on several clocks, or delays and leases.
   */
  public boolean isSlotOrderOpen() {
    return model.jobs.values().stream()
            .filter(job -> job.state == JobState.DELAYED || job.state == JobState.LEASED)
            .filter(ModelSlots::isKeyed)
            .filter(job -> eventMonotonicMs(job) <= model.time.monotonicMs())
            .map(job -> job.lease.isPresent() ? List.of() : List.of(job.queue, job.isWaitOfLength))
            .distinct()
            .count()
        > 1;
  }

  /** Lets time pass and then does what is due; answers the jobs whose leases ran out. */
  public List<ModelJob> advance(long ms) {
    model.time.advance(ms);
    return fire();
  }

  /** Sets the wall clock; answers the jobs whose leases ran out, of which there are none. */
  public List<ModelJob> stepWall(long ms) {
    model.time.stepWall(ms);
    return fire();
  }

  /** Does what is due by now; answers the jobs whose leases ran out. */
  public List<ModelJob> fire() {
    newestTimeStep = ++model.readyStep;
    model.queueLeases.expire();
    model.keys.sweep();
    model.slots.call(this::sweep);
    List<ModelJob> due =
        model.jobs.values().stream()
            .filter(
                job ->
                    job.state == JobState.DELAYED
                        && eventMonotonicMs(job) <= model.time.monotonicMs())
            .sorted(
                Comparator.<ModelJob>comparingLong(job -> job.visibleAtMs(model.time))
                    .thenComparing(model.storedOrder))
            .toList();
    for (ModelJob job : due) {
      model.coverage.reach("DELAYED", "due");
      model.enterReadyInStep(job);
      job.readySinceMs = job.visibleAtMs(model.time);
      model.slots.handOn();
    }
    List<ModelJob> expired =
        model.jobs.values().stream()
            .filter(
                job ->
                    job.state == JobState.LEASED
                        && eventMonotonicMs(job) <= model.time.monotonicMs())
            .sorted(
                Comparator.comparingLong(this::eventMonotonicMs)
                    .thenComparingLong(job -> job.lease.orElseThrow().order))
            .toList();
    model.slots.call(() -> expired.forEach(job -> expire(job, "expiry")));
    model.tallies.sweep();
    model.readyStep++;
    return expired;
  }

  /** When a job whose time is up went, or waited no longer. */
  private long timerMs(ModelJob job) {
    return job.state == JobState.WAITING
        ? job.signalDeadlineMs(model.time).orElseThrow()
        : job.expiresAtMs(model.time);
  }

  /**
   * What nobody started in time goes, and what was kept for long enough; what waited for a signal
   * for long enough goes on.
   */
  private void sweep() {
    List<ModelJob> due =
        model.jobs.values().stream()
            .filter(job -> job.isTimeUp(model.time))
            .sorted(
                Comparator.<ModelJob>comparingLong(this::timerMs)
                    .thenComparingLong(job -> job.birth))
            .toList();
    for (ModelJob job : due) {
      if (job.state == JobState.WAITING) {
        model.signals.end(job);
        continue;
      }
      boolean hasEnded = job.state == JobState.DEAD || job.state == JobState.DONE;
      model.coverage.reach(
          job.state.name(), hasEnded ? "retention passed" : "time to live passed, never started");
      model.remove(job, hasEnded ? Total.SWEPT : Total.DROPPED);
    }
  }

  private void expire(ModelJob job, String event) {
    ModelQueue queue = model.queue(job.queue);
    queue.count(Total.EXPIRED);
    if (model.changes.isCancelledBy(job, event)) {
      return;
    }
    job.addAttempt(model.time.nowMs(), Optional.empty(), true);
    job.lease = Optional.empty();
    job.isErrorByEngine = true;
    job.wake = ModelSignals.retry(job.wake);
    if (job.attempts >= queue.maxAttempts(job)) {
      model.coverage.reach("LEASED", event + ", attempts used up");
      model.die(job);
    } else if (queue.settings.expiry() == Expiry.BACKOFF) {
      model.coverage.reach("LEASED", event + ", attempts left, with backoff");
      model.waitFor(job, ModelBackoff.waitMs(queue.backoff(job), job.attempts));
    } else {
      model.coverage.reach("LEASED", event + ", attempts left");
      model.enterReadyInStep(job);
    }
    // Nor is it specified whether it is before the delayed jobs of other queues that are due now.
    job.readyStep = newestTimeStep;
  }

  /**
   * A clean stop hands all leases back uncounted, unless they are honoured; an unclean one is dealt
   * with as the setting says. Answers the holders' jobs.
   */
  public List<ModelJob> restart(boolean isClean, LeasesAtOpen leasesAtOpen) {
    model.claims.forgetPasses();
    model.queueLeases.clear();
    model.rates.clear();
    model.time.reopen(isClean);
    List<ModelJob> leased = leased();
    newestTimeStep = ++model.readyStep;
    model.slots.call(
        () -> {
          if (isClean && leasesAtOpen == LeasesAtOpen.RECLAIM) {
            close(leased);
          } else {
            leased.forEach(job -> recover(job, leasesAtOpen));
          }
        });
    long leasesStep = newestTimeStep;
    fire();
    newestTimeStep = leasesStep;
    return leased;
  }

  private List<ModelJob> leased() {
    return model.jobs.values().stream()
        .filter(job -> job.state == JobState.LEASED)
        .sorted(model.storedOrder)
        .toList();
  }

  /** The last of the line first. */
  private void close(List<ModelJob> leased) {
    leased.stream()
        .sorted(Comparator.<ModelJob>comparingLong(job -> job.readyOrder).reversed())
        .forEach(
            job -> {
              if (!model.changes.isCancelledBy(job, "close")) {
                model.coverage.reach("LEASED", "close");
                model.holder.handBack(job);
              }
            });
  }

  /** An opening deals with all leases that an unclean stop left. */
  public void recoverLeases(LeasesAtOpen leasesAtOpen) {
    newestTimeStep = ++model.readyStep;
    List<ModelJob> leased = leased();
    model.slots.call(() -> leased.forEach(job -> recover(job, leasesAtOpen)));
    model.readyStep++;
  }

  private void recover(ModelJob job, LeasesAtOpen leasesAtOpen) {
    if (leasesAtOpen == LeasesAtOpen.RECLAIM) {
      expire(job, "unclean stop");
    } else {
      model.coverage.reach("LEASED", "stop, leases honoured");
      ModelLease lease = job.lease.orElseThrow();
      lease.deadlineMonotonicMs = model.time.monotonicMs() + lease.grantedMs;
    }
  }

  /**
   * Takes over the engine's order among the jobs of the queue that became ready in the newest step
   * of time.
   */
  public void adoptReadyOrder(QueueName queue, ToIntFunction<ModelJob> placeInEngine) {
    adoptReadyOrder(entered(queue, step -> step >= newestTimeStep), placeInEngine);
  }

  /** The queue's jobs that became ready in these steps, and still are. */
  public List<ModelJob> entered(QueueName queue, LongPredicate steps) {
    return model.jobs(queue, JobState.READY).stream()
        .filter(job -> steps.test(job.readyStep))
        .toList();
  }

  /** The newest step in which jobs became ready. */
  public long newestStep() {
    return model.readyStep;
  }

  /** The step in which time passed last, or leases were recovered. */
  public long newestTimeStep() {
    return newestTimeStep;
  }

  /** Takes over the engine's order among these jobs. */
  public void adoptReadyOrder(List<ModelJob> entered, ToIntFunction<ModelJob> placeInEngine) {
    List<Long> orders = entered.stream().map(job -> job.readyOrder).sorted().toList();
    List<ModelJob> inEngineOrder =
        entered.stream().sorted(Comparator.comparingInt(placeInEngine)).toList();
    for (int i = 0; i < orders.size(); i++) {
      inEngineOrder.get(i).readyOrder = orders.get(i);
    }
  }
}
