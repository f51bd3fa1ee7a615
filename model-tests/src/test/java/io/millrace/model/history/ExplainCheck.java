package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchStats;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Ahead;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelLease;
import io.millrace.model.ModelQueue;
import io.millrace.model.ModelQueueLease;
import io.millrace.model.ModelTally;
import io.millrace.model.ReferenceModel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Asks the engine why a job is not running, and compares the answer with what the model knows of
 * all that may hold it. Nothing is flushed before: the engine knows of leases that are not stored.
 *
 * @param parked the claim that waits, if one does
 */
record ExplainCheck(World world, Optional<HistoryRunner.Parked> parked) {

  /** The job meant by a number, as steps mean it. */
  void of(int chosen) {
    world.chosenJob(chosen).ifPresent(this::check);
  }

  private void check(int number) {
    Optional<Explanation> found = world.engine().explain(world.id(number));
    ModelJob job = world.model.jobs.get(number);
    assertThat(found.map(Explanation::state))
        .as("state of job " + number + " as explained")
        .isEqualTo(Optional.ofNullable(job).map(known -> known.state));
    if (job != null) {
      Explanation told = found.orElseThrow();
      assertThat(told.jobId()).isEqualTo(world.id(number));
      assertThat(told.queue()).isEqualTo(job.queue);
      List<Reason> reasons = new ArrayList<>(told.reasons());
      boolean isOfEngine = reasons.removeIf(Explanation.EngineRateLimited.class::isInstance);
      boolean isLimited = reasons.removeIf(Explanation.RateLimited.class::isInstance) || isOfEngine;
      assertThat(isOfEngine && model().rates.hasTokenOfEngine(job)).as("told in vain").isFalse();
      assertThat(texts(reasons)).as("reasons of " + job).isEqualTo(expected(job));
      assertThat(isLimited)
          .as("whether " + job + " has no token")
          .isEqualTo(job.state == JobState.READY && !model().rates.mayStart(job));
      if (!world.wasWallSet) {
        assertThat(told.earliest().isPresent())
            .as("whether a time holds " + job)
            .isEqualTo(isLimited || (job.state == JobState.DELAYED && !isRemovedFirst(job)));
      }
      assertThat(told.reasons())
          .as("sentences of one line")
          .allMatch(reason -> reason.sentence().lines().count() == 1);
    }
  }

  private ReferenceModel model() {
    return world.model;
  }

  private Set<String> expected(ModelJob job) {
    Set<String> reasons = new TreeSet<>();
    switch (job.state) {
      case LEASED -> reasons.add(running(job));
      case DEAD -> reasons.add("dead since " + job.diedAtMs + " after " + job.attempts);
      case DONE -> reasons.add("done since " + job.completedAtMs);
      case WAITING ->
          reasons.add(
              job.awaited
                  .map(awaited -> batch(awaited.tally()))
                  .orElse("waits for " + job.signal + " since " + job.waitSinceMs));
      default -> reasons.addAll(waiting(job));
    }
    return reasons;
  }

  private String batch(ModelTally tally) {
    BatchStats stats = tally.stats(model());
    Set<String> dead = new TreeSet<>();
    model().tallies.jobs(tally).stream()
        .filter(job -> job.state == JobState.DEAD)
        .forEach(job -> dead.add(world.id(job.number).toString()));
    return batch(
        List.of(stats.id(), stats.name(), stats.left(), stats.dead(), dead, stats.isSealed()));
  }

  private static String batch(List<?> facts) {
    return "waits for batch " + facts;
  }

  private String running(ModelJob job) {
    ModelLease lease = job.lease.orElseThrow();
    long untilMs = model().time.nowMs() + lease.remainingMs(model().time);
    return "run by "
        + lease.worker
        + " since "
        + lease.startedAtMs
        + (job.isCancelRequested ? ", to be cancelled" : "")
        + time(untilMs);
  }

  /** Instants are exact unless somebody set the wall clock. */
  private String time(long ms) {
    return world.wasWallSet ? "" : " until " + ms;
  }

  private List<String> waiting(ModelJob job) {
    ModelQueue queue = model().queue(job.queue);
    List<String> reasons = new ArrayList<>();
    if (queue.isPaused) {
      reasons.add("paused");
    }
    Optional<ModelQueueLease> leased =
        model().queueLeases.all().stream().filter(one -> one.queue.equals(job.queue)).findFirst();
    leased.ifPresent(lease -> reasons.add("queue leased by " + lease.worker));
    if (job.state == JobState.DELAYED) {
      reasons.add("delayed" + time(job.visibleAtMs(model().time)));
    }
    if (job.state == JobState.BLOCKED) {
      reasons.add(blocked(job, queue));
    }
    if (job.state == JobState.READY) {
      reasons.addAll(inLine(job, leased.isPresent()));
    }
    if (job.expireAtMs != 0) {
      reasons.add(removed(isRemovedFirst(job)) + time(job.expiresAtMs(model().time)));
    }
    return reasons;
  }

  /** Which of two clocks comes first is known as long as nobody sets the wall clock. */
  private String removed(boolean isFirst) {
    return isFirst && !world.wasWallSet ? "never" : "expires";
  }

  private boolean isRemovedFirst(ModelJob job) {
    return job.state == JobState.DELAYED
        && job.expireAtMs != 0
        && job.expiresAtMs(model().time) <= job.visibleAtMs(model().time);
  }

  private String blocked(ModelJob job, ModelQueue queue) {
    Set<String> holders = new TreeSet<>();
    model()
        .slots
        .holders(job)
        .forEach(holder -> holders.add(world.id(holder.number) + " " + holder.state));
    int ahead = ofKey(job, JobState.BLOCKED).indexOf(job);
    return "key of " + queue.settings.perKey() + " held by " + holders + ", ahead " + ahead;
  }

  private List<ModelJob> ofKey(ModelJob job, JobState state) {
    return model().jobs(job.queue, state).stream()
        .filter(other -> other.options.concurrencyKey().equals(job.options.concurrencyKey()))
        .toList();
  }

  private List<String> inLine(ModelJob job, boolean isQueueLeased) {
    List<String> reasons = new ArrayList<>();
    int ahead = model().jobs(job.queue, JobState.READY).indexOf(job);
    if (ahead > 0) {
      reasons.add("behind " + ahead);
    }
    Optional<ClaimOptions> claim = waiting(job.queue);
    if (claim.isEmpty() && !isQueueLeased) {
      reasons.add("no claims");
    }
    claim
        .filter(options -> Math.min(options.capacity(), options.maxWeight()) < job.options.weight())
        .ifPresent(options -> reasons.add("too heavy for " + options.capacity()));
    return reasons;
  }

  /** The claim that waits for the queue, unless somebody else has that. */
  private Optional<ClaimOptions> waiting(QueueName queue) {
    return parked
        .filter(claim -> claim.queues().contains(queue))
        .filter(
            claim ->
                model().queueLeases.all().stream()
                    .filter(lease -> lease.queue.equals(queue))
                    .allMatch(lease -> claim.through().filter(own -> own == lease).isPresent()))
        .map(HistoryRunner.Parked::options);
  }

  private Set<String> texts(List<Reason> reasons) {
    Set<String> texts = new TreeSet<>();
    reasons.forEach(reason -> texts.add(text(reason)));
    assertThat(texts).as("each reason once").hasSameSizeAs(reasons);
    return texts;
  }

  private String text(Reason reason) {
    if (reason instanceof Explanation.Running running) {
      return "run by "
          + running.worker()
          + " since "
          + ms(running.since())
          + (running.cancelRequested() ? ", to be cancelled" : "")
          + time(ms(running.until().orElseThrow()));
    }
    if (reason instanceof Explanation.Dead dead) {
      return "dead since " + ms(dead.since()) + " after " + dead.attempts();
    }
    if (reason instanceof Explanation.Done done) {
      return "done since " + ms(done.since());
    }
    if (reason instanceof Explanation.KeyTaken key) {
      assertThat(key.holderCount()).isEqualTo(key.holders().size());
      Set<String> holders = new TreeSet<>();
      key.holders().forEach(holder -> holders.add(holder.jobId() + " " + holder.state()));
      return "key of " + key.limit() + " held by " + holders + ", ahead " + exact(key.ahead());
    }
    if (reason instanceof Explanation.WaitsForSignal signal) {
      return "waits for " + signal.name() + " since " + ms(signal.since());
    }
    if (reason instanceof Explanation.WaitsForBatch batch) {
      Set<String> dead = new TreeSet<>();
      batch.deadJobs().forEach(id -> dead.add(id.toString()));
      return batch(
          List.of(batch.id(), batch.name(), batch.left(), batch.dead(), dead, batch.isSealed()));
    }
    return textOfQueue(reason);
  }

  private String textOfQueue(Reason reason) {
    if (reason instanceof Explanation.Delayed delayed) {
      return "delayed" + time(ms(delayed.until()));
    }
    if (reason instanceof Explanation.QueueLeased leased) {
      return "queue leased by " + leased.worker();
    }
    if (reason instanceof Explanation.Behind behind) {
      return "behind " + exact(behind.ahead());
    }
    if (reason instanceof Explanation.TooHeavy heavy) {
      return "too heavy for " + heavy.capacity();
    }
    if (reason instanceof Explanation.Expires expires) {
      return removed(false) + time(ms(expires.at()));
    }
    if (reason instanceof Explanation.NeverStarts never) {
      return removed(true) + time(ms(never.at()));
    }
    if (reason instanceof Explanation.NoClaims) {
      return "no claims";
    }
    return reason instanceof Explanation.Paused ? "paused" : reason.toString();
  }

  private static long exact(Ahead ahead) {
    assertThat(ahead.isExact()).isTrue();
    return ahead.count();
  }

  private static long ms(Instant instant) {
    return instant.toEpochMilli();
  }
}
