package io.millrace.model;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats.Total;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the engine does, in plain lines: no store, no threads, no cleverness. Every job is one
 * object in one map, every question a walk over all of them.
 *
 * <p>Here are the jobs and how they come to be, wait and go; each of the parts adds what one kind
 * of caller can do with them.
 *
 * <p>Time moves by {@link ModelEvents#advance} alone, which the caller stops at whatever instant it
 * wants to look at; order that the specification leaves open among jobs that become ready in one
 * such step is taken over from the engine by {@link ModelEvents#adoptReadyOrder}.
 */
public final class ReferenceModel {

  public final ModelTime time;
  public final Map<QueueName, ModelQueue> queues = new LinkedHashMap<>();
  public final Map<Integer, ModelJob> jobs = new LinkedHashMap<>();
  public final ModelClaims claims = new ModelClaims(this);
  public final ModelQueueLeases queueLeases = new ModelQueueLeases(this);
  public final ModelHolder holder = new ModelHolder(this);
  public final ModelOperator operator = new ModelOperator(this);
  public final ModelChanges changes = new ModelChanges(this);
  public final ModelEvents events = new ModelEvents(this);
  public final ModelKeys keys = new ModelKeys(this);
  public final ModelSlots slots = new ModelSlots(this);

  /**
   * In which order leases are taken back, and jobs move that become visible at one instant: it
   * matters where queues share keys.
   */
  public Comparator<ModelJob> storedOrder = Comparator.comparingLong(job -> job.birth);

  public final ModelSignals signals = new ModelSignals(this);
  public final ModelTallies tallies = new ModelTallies(this);
  public final ModelRates rates = new ModelRates(this);
  public final Coverage coverage;

  /** Jobs of different queues that become ready in the same step do so in no specified order. */
  long readyStep = 1;

  private int nextNumber = 1;
  private long nextReadyOrder = 1;

  public ReferenceModel(long wallMs, Coverage coverage) {
    this.time = new ModelTime(wallMs);
    this.coverage = coverage;
  }

  public ModelQueue queue(QueueName name) {
    return queues.computeIfAbsent(name, ModelQueue::new);
  }

  public void configure(QueueName name, QueueSettings settings) {
    QueueSettings before = queue(name).settings;
    queue(name).settings = settings;
    boolean isSameLimit =
        before.rateLimit().equals(settings.rateLimit())
            && before.rateLimitPerKey().equals(settings.rateLimitPerKey());
    if (!isSameLimit) {
      // What is owed by a queue that was deleted is owed until a limit is taken from the new one.
      rates.changed(name);
    }
    readyStep++;
    slots.fillAll(name);
  }

  public void setPaused(QueueName name, boolean isPaused) {
    queue(name).isPaused = isPaused;
  }

  public void setDraining(QueueName name, boolean isDraining) {
    queue(name).isDraining = isDraining;
  }

  /** Whether something is left to be worked on. */
  public boolean hasWork(QueueName queue) {
    return jobs.values().stream()
        .anyMatch(
            job ->
                job.queue.equals(queue)
                    && job.state != JobState.DEAD
                    && job.state != JobState.DONE);
  }

  public List<ModelJob> jobs(QueueName queue, JobState state) {
    return jobs.values().stream()
        .filter(job -> job.state == state && job.queue.equals(queue))
        .sorted(ModelRules.order(state))
        .toList();
  }

  /** Answers the new job, or nothing if there is none. */
  public Optional<ModelJob> enqueue(QueueName name, byte[] payload, EnqueueOptions options) {
    return offer(name, payload, options).job();
  }

  /** A job joins the queue, unless that is full or draining, or another holds its unique key. */
  public ModelEnqueued offer(QueueName name, byte[] payload, EnqueueOptions options) {
    if (tallies.isRefused(options.batch())) {
      coverage.reach("none", "enqueue, batch takes no more");
      return ModelEnqueued.REFUSED;
    }
    ModelQueue queue = queue(name);
    if (queue.isDraining) {
      coverage.reach("none", "enqueue, queue draining");
      return ModelEnqueued.REFUSED;
    }
    Optional<Integer> holder = options.unique().flatMap(key -> keys.holder(name, key.key()));
    Optional<ModelJob> replaced =
        holder.flatMap(number -> keys.replaced(number, options.unique().orElseThrow()));
    if (holder.isPresent() && replaced.isEmpty()) {
      coverage.reach("none", "enqueue, unique key held");
      return ModelEnqueued.duplicateOf(holder.get());
    }
    long waiting =
        jobs(name, JobState.READY).size()
            + jobs(name, JobState.DELAYED).size()
            + jobs(name, JobState.BLOCKED).size()
            + jobs(name, JobState.WAITING).size();
    OptionalLong depthMax = queue.settings.depthMax();
    if (replaced.isEmpty() && depthMax.isPresent() && waiting >= depthMax.getAsLong()) {
      coverage.reach("none", "enqueue, queue full");
      return ModelEnqueued.REFUSED;
    }
    replaced.ifPresent(
        job -> {
          coverage.reach(job.state.name(), "replaced");
          remove(job, Total.CANCELLED);
        });
    ModelJob job = born(queue, payload, options);
    slots.handOn();
    return ModelEnqueued.of(job, replaced);
  }

  private ModelJob born(ModelQueue queue, byte[] payload, EnqueueOptions options) {
    QueueName name = queue.name;
    ModelJob job = new ModelJob(nextNumber++, name, payload, options, time.nowMs());
    job.expireAtMs = options.timeToLive().map(live -> time.steadyMs() + live.toMillis()).orElse(0L);
    join(job);
    keys.take(job);
    if (options.visibleAt().isPresent()) {
      waitUntil(job, options.visibleAt().get().toEpochMilli());
    } else {
      waitFor(job, options.delay().toMillis());
    }
    coverage.reach(
        "none",
        switch (job.state) {
          case READY -> "enqueue, visible now";
          case BLOCKED -> "enqueue, key has no slot";
          default -> "enqueue, visible later";
        });
    return job;
  }

  private void join(ModelJob job) {
    jobs.put(job.number, job);
    job.tally = tallies.find(job.options.batch());
    tallies.changed(job);
    queue(job.queue).count(Total.ENQUEUED);
  }

  /** A job comes to be that waits for a batch. */
  ModelJob follow(
      QueueName name, byte[] payload, EnqueueOptions options, ModelJob.Awaited awaited) {
    ModelJob job = new ModelJob(nextNumber++, name, payload, options, time.nowMs());
    job.state = JobState.WAITING;
    job.awaited = Optional.of(awaited);
    job.waitSinceMs = time.nowMs();
    join(job);
    coverage.reach("none", "enqueue, after a batch");
    return job;
  }

  void waitFor(ModelJob job, long delayMs) {
    job.isWaitOfLength = true;
    job.waitEndMs = time.steadyMs() + delayMs;
    enterReadyOrWait(job);
  }

  void waitUntil(ModelJob job, long visibleAtMs) {
    job.isWaitOfLength = false;
    job.waitEndMs = visibleAtMs;
    enterReadyOrWait(job);
  }

  private void enterReadyOrWait(ModelJob job) {
    if (job.visibleAtMs(time) <= time.nowMs()) {
      enterReady(job);
    } else {
      slots.putAside(job, JobState.DELAYED);
    }
  }

  void enterReady(ModelJob job) {
    readyStep++;
    enterReadyInStep(job);
  }

  void enterReadyInStep(ModelJob job) {
    if (slots.keepsInLine(job)) {
      job.holdsSlot = false;
      enterLine(job);
      return;
    }
    slots.leave(job);
    if (slots.mustWait(job)) {
      job.state = JobState.BLOCKED;
      job.readyOrder = nextReadyOrder++;
      slots.join(job);
    } else {
      enterLine(job);
    }
  }

  /** The job has a slot, or needs none. */
  void enterLine(ModelJob job) {
    job.state = JobState.READY;
    job.readyOrder = nextReadyOrder++;
    job.readyStep = readyStep;
    job.readySinceMs = time.nowMs();
  }

  /** The job joins the back of its new priority, whether it is ready or blocked. */
  void goToTheBack(ModelJob job) {
    readyStep++;
    if (job.state == JobState.READY) {
      enterLine(job);
    } else {
      job.readyOrder = nextReadyOrder++;
      slots.join(job);
    }
  }

  void die(ModelJob job) {
    tallies.changed(job);
    keys.end(job);
    slots.leave(job);
    job.state = JobState.DEAD;
    job.diedAtMs = time.nowMs();
    job.expireAtMs =
        queue(job.queue)
            .settings
            .deadRetention()
            .map(kept -> time.steadyMs() + kept.toMillis())
            .orElse(0L);
    queue(job.queue).count(Total.DIED);
  }

  public void remove(ModelJob job, Total total) {
    tallies.ended(job, total);
    slots.leave(job);
    jobs.remove(job.number);
    keys.end(job);
    job.lease = Optional.empty();
    queue(job.queue).count(total);
  }
}
