package io.millrace.model;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.CancelResult;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.WaitResult;
import io.millrace.model.ModelTally.Part;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Batches of jobs in the model. Whatever ends a job of one says so here; when the call is over, it
 * is looked whether the batch is, and what comes after it goes on.
 */
public final class ModelTallies {

  private final ReferenceModel model;
  private final Map<BatchId, ModelTally> tallies = new LinkedHashMap<>();

  /** Those that have yet to be looked at. */
  private final Set<ModelTally> touched = new LinkedHashSet<>();

  /** Jobs that went on since somebody asked. */
  private final List<ModelJob> woken = new ArrayList<>();

  ModelTallies(ReferenceModel model) {
    this.model = model;
  }

  /** All that there are or were, in the order of their beginnings. */
  public List<ModelTally> all() {
    return List.copyOf(tallies.values());
  }

  public ModelTally get(BatchId id) {
    return tallies.get(id);
  }

  Optional<ModelTally> find(Optional<BatchId> id) {
    return id.map(tallies::get);
  }

  /** Tells whether the job names a batch that it may not join. */
  boolean isRefused(Optional<BatchId> id) {
    return id.isPresent() && find(id).filter(ModelTally::isJoinable).isEmpty();
  }

  /**
   * A batch begins with all of its jobs, of which nothing keeps it.
   *
   * @return those that joined, and those that come after it
   */
  public List<ModelJob> begin(Batch batch, BatchId id, boolean isSealed) {
    ModelTally tally = new ModelTally(batch, id, find(batch.outer()), model.time.nowMs());
    List<ModelJob> born = new ArrayList<>();
    model.slots.call(
        () -> {
          tallies.put(id, tally);
          tally.outer.ifPresent(touched::add);
          byQueue(batch.jobs())
              .forEach(
                  (queue, jobs) ->
                      jobs.forEach(
                          placed ->
                              model
                                  .enqueue(
                                      queue,
                                      placed.job().payload(),
                                      placed.job().options().batch(id))
                                  .ifPresent(born::add)));
          batch
              .following()
              .forEach(
                  (after, placed) ->
                      born.add(
                          model.follow(
                              placed.queue(),
                              placed.job().payload(),
                              placed.job().options(),
                              new ModelJob.Awaited(tally, after))));
          tally.isSealed = isSealed;
          touched.add(tally);
        });
    return born;
  }

  /** Jobs of one queue join together. */
  public static Map<QueueName, List<Batch.Placed>> byQueue(List<Batch.Placed> jobs) {
    Map<QueueName, List<Batch.Placed>> byQueue = new LinkedHashMap<>();
    jobs.forEach(
        placed -> byQueue.computeIfAbsent(placed.queue(), q -> new ArrayList<>()).add(placed));
    return byQueue;
  }

  public void seal(ModelTally tally) {
    model.slots.call(
        () -> {
          tally.isSealed = true;
          touched.add(tally);
        });
  }

  /** Answers how often each result occurred. */
  public Map<CancelResult, Long> cancel(ModelTally tally) {
    tally.isCancelled = true;
    seal(tally);
    Map<CancelResult, Long> counts = new EnumMap<>(CancelResult.class);
    jobs(tally).stream()
        .filter(job -> job.state != JobState.DEAD && job.state != JobState.DONE)
        .forEach(job -> counts.merge(model.changes.requestCancel(job.number), 1L, Long::sum));
    all().stream()
        .filter(inner -> inner.outer.filter(it -> it == tally).isPresent())
        .filter(inner -> inner.isThere() && !inner.isOver())
        .forEach(inner -> cancel(inner).forEach((it, count) -> counts.merge(it, count, Long::sum)));
    return counts;
  }

  /** The batch meant by a number: small ones are recent. */
  public Optional<ModelTally> chosen(int number) {
    List<ModelTally> all = all();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(all.get(all.size() - 1 - number % all.size()));
  }

  /** Tells whether dead letters of it, or of batches within it, may be brought back. */
  public boolean hasDead(ModelTally tally) {
    return tally.count(model, Part.DEAD) > 0;
  }

  /** The jobs of the batch that are there. */
  public List<ModelJob> jobs(ModelTally tally) {
    return model.jobs.values().stream()
        .filter(job -> job.tally.filter(it -> it == tally).isPresent())
        .toList();
  }

  /** The job has begun, has died, or lives again. */
  void changed(ModelJob job) {
    job.tally.ifPresent(touched::add);
  }

  /** The job is removed from the state that it is in. */
  void ended(ModelJob job, Total total) {
    if (job.state == JobState.DEAD) {
      ended(job, Part.FAILED);
    } else if (job.state != JobState.DONE) {
      ended(
          job,
          switch (total) {
            case COMPLETED -> Part.SUCCEEDED;
            case CANCELLED -> Part.CANCELLED;
            case DROPPED -> Part.EXPIRED;
            case PURGED -> Part.PURGED;
            default -> throw new IllegalArgumentException("no end of a job: " + total);
          });
    }
  }

  /** The job is completed, and is kept. */
  void kept(ModelJob job) {
    ended(job, Part.SUCCEEDED);
  }

  private void ended(ModelJob job, Part part) {
    job.tally.ifPresent(tally -> tally.ended.merge(part, 1L, Long::sum));
    changed(job);
  }

  /** A call is over: those that have changed are looked at, and the outer ones after them. */
  void settle() {
    if (touched.isEmpty()) {
      return;
    }
    // What goes on in several queues does so in no specified order.
    model.readyStep++;
    while (!touched.isEmpty()) {
      List<ModelTally> taken = List.copyOf(touched);
      touched.clear();
      taken.forEach(this::look);
    }
  }

  private void look(ModelTally tally) {
    boolean isOver = tally.isSealed && tally.count(model, Part.LEFT) == 0;
    if (!isOver) {
      tally.endedAtMs = OptionalLong.empty();
    } else if (!tally.isOver()) {
      tally.endedAtMs = OptionalLong.of(model.time.nowMs());
    }
    if (isOver) {
      boolean isFinal = tally.count(model, Part.DEAD) == 0;
      following(tally).forEach(job -> follow(job, tally, isFinal));
      if (isFinal && tally.removeAtMs.isEmpty()) {
        tally.removeAtMs = OptionalLong.of(model.time.steadyMs() + tally.retention.toMillis());
      }
    }
    Part asOne = tally.asOne(model);
    if (asOne != tally.countedAs) {
      tally.countedAs = asOne;
      tally.outer.ifPresent(touched::add);
    }
  }

  private void follow(ModelJob job, ModelTally tally, boolean isFinal) {
    if (tally.holds(model, job.awaited.orElseThrow().after())) {
      model.coverage.reach("WAITING", "batch over");
      job.awaited = Optional.empty();
      job.wake = "AfterBatch " + tally.id;
      model.queue(job.queue).count(Total.WOKEN);
      model.enterReadyInStep(job);
      woken.add(job);
    } else if (isFinal) {
      model.coverage.reach("WAITING", "batch over, for what cannot be");
      model.remove(job, Total.CANCELLED);
    }
  }

  /** A leased job waits for the batch, of which it is not itself one, nor of one within it. */
  public WaitResult waitFor(ModelLease lease, ModelTally tally) {
    ModelJob job = lease.job;
    job.lease = Optional.empty();
    job.attempts--;
    model.queue(job.queue).count(Total.WAITED);
    if (tally.isOver()) {
      model.coverage.reach("LEASED", "wait for batch, over");
      job.wake = "AfterBatch " + tally.id;
      model.enterReady(job);
      model.slots.handOn();
      return WaitResult.BATCH_OVER;
    }
    model.coverage.reach("LEASED", "wait for batch");
    model.slots.putAside(job, JobState.WAITING);
    job.awaited = Optional.of(new ModelJob.Awaited(tally, Batch.After.DONE));
    job.waitSinceMs = model.time.nowMs();
    model.slots.handOn();
    return WaitResult.WAITING;
  }

  /** Returns the answer for a leased job that cannot wait for a batch; empty if it can. */
  public Optional<WaitResult> lost(ModelLease lease) {
    if (model.holder.isRefused(lease, "wait")) {
      return Optional.of(model.holder.isGone(lease) ? WaitResult.GONE : WaitResult.STALE_LEASE);
    }
    return model.changes.isCancelledBy(lease.job, "wait for batch")
        ? Optional.of(WaitResult.CANCELLED)
        : Optional.empty();
  }

  /** Whether the job is of the batch, or of one within it. */
  public boolean isOf(ModelJob job, ModelTally tally) {
    Optional<ModelTally> at = job.tally;
    while (at.isPresent() && at.get() != tally) {
      at = at.get().outer;
    }
    return at.isPresent();
  }

  /** How many jobs wait for the batch. */
  public int waiting(ModelTally tally) {
    return following(tally).size();
  }

  private List<ModelJob> following(ModelTally tally) {
    return model.jobs.values().stream()
        .filter(job -> job.state == JobState.WAITING)
        .filter(job -> job.awaited.filter(it -> it.tally() == tally).isPresent())
        .toList();
  }

  /** Those whose retention is over are gone. */
  public void sweep() {
    tallies.values().stream()
        .filter(tally -> tally.removeAtMs.orElse(Long.MAX_VALUE) <= model.time.steadyMs())
        .forEach(tally -> tally.isGone = true);
  }

  /** Whether jobs wait for batches in one of the queues. */
  public boolean isAwaited() {
    return model.jobs.values().stream().anyMatch(job -> job.awaited.isPresent());
  }

  /** Whether what comes after a batch may be ready in the queue while jobs of it are removed. */
  public boolean mayGoOnAsOthersGo(QueueName queue) {
    return model.jobs.values().stream()
            .anyMatch(job -> job.queue.equals(queue) && job.awaited.isPresent())
        && model.jobs.values().stream()
            .anyMatch(job -> job.queue.equals(queue) && job.tally.isPresent());
  }

  /** The jobs that went on since this was last called. */
  public List<ModelJob> takeWoken() {
    List<ModelJob> taken = List.copyOf(woken);
    woken.clear();
    return taken;
  }
}
