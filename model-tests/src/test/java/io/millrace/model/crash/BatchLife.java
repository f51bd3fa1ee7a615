package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchOverException;
import io.millrace.api.BatchStats;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.FailOptions;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Batches that are begun, worked on and looked after as their {@link BatchPlan} says. A job that
 * joins a batch later does so with a row of its own, in one transaction, and so do many of those
 * that are completed. Any thread.
 */
final class BatchLife {

  static final String SUCCEEDED = "succeeded";

  private static final String DIED = "died";
  private static final List<QueueName> WORKED_ON =
      List.of(BatchPlan.PARTS.get(0), BatchPlan.PARTS.get(1), BatchPlan.GRAVES);
  private static final Set<JobState> WAITING = EnumSet.of(JobState.READY, JobState.DEAD);
  private static final int CLAIMED_COUNT_MAX = 3;

  private final JobEngine engine;
  private final Table<String, Long> joined;
  private final Table<String, String> ends;
  private final BatchFollowers followers;

  BatchLife(JobEngine engine) {
    this.engine = engine;
    this.joined = engine.table("joined", Codec.TEXT, Codec.LONG);
    this.ends = engine.table("ends", Codec.TEXT, Codec.TEXT);
    this.followers = new BatchFollowers(engine);
  }

  JobEngine engine() {
    return engine;
  }

  BatchFollowers followers() {
    return followers;
  }

  /** The names of jobs that have joined a batch after its beginning. */
  Set<String> joined() {
    return Rows.of(joined).keySet();
  }

  /** The names of jobs of which a row says that they have succeeded. */
  Stream<String> succeeded() {
    return Rows.of(ends).entrySet().stream()
        .filter(row -> row.getValue().equals(SUCCEEDED))
        .map(row -> row.getKey());
  }

  Stream<BatchStats> batches() {
    return Page.stream(page -> engine.batches().list(page));
  }

  /**
   * Begins a batch of this name, and those within it.
   *
   * @param told is told the name of each that has begun
   */
  void begin(String name, Consumer<String> told) {
    begin(new BatchPlan(name), Optional.empty(), told);
  }

  private void begin(BatchPlan plan, Optional<BatchId> outer, Consumer<String> told) {
    Batch batch = plan.batch();
    BatchFollowers.follow(batch);
    outer.ifPresent(batch::within);
    if (!plan.isOpen()) {
      Dropped.result(batch.start(engine));
      told.accept(plan.name());
      return;
    }
    BatchId id = batch.open(engine);
    told.accept(plan.name());
    try {
      plan.added().forEach(job -> join(id, job));
      plan.inner().forEach(inner -> begin(inner, Optional.of(id), told));
      engine.batches().seal(id);
    } catch (BatchOverException | NoSuchBatchException e) {
      // Whoever tends them has sealed it before, or has cancelled it.
      return;
    }
  }

  private void join(BatchId id, String job) {
    NewJob added = BatchPlan.job(job, options -> options.batch(id));
    engine
        .inTransaction(
            tx -> {
              tx.put(joined, job, 1L);
              tx.enqueue(BatchPlan.queue(job), added.payload(), added.options());
            })
        .isDone();
  }

  /** Claims some jobs, and does with each as is its fate. Tells whether there was one. */
  boolean work(RandomGenerator random) {
    int most = 1 + random.nextInt(CLAIMED_COUNT_MAX);
    List<Lease> leases = engine.claim(WORKED_ON, ClaimOptions.by("worker").max(most));
    leases.forEach(lease -> work(random, lease));
    return !leases.isEmpty();
  }

  private void work(RandomGenerator random, Lease lease) {
    String job = new String(lease.payload(), UTF_8);
    switch (BatchPlan.fate(job)) {
      case NOTED -> complete(lease, job);
      case COMPLETED -> Dropped.result(lease.complete());
      case KEPT -> Dropped.result(lease.complete(new byte[1]));
      case TRIED_AGAIN -> {
        if (lease.attempt() == 1) {
          Dropped.result(random.nextBoolean() ? lease.fail("try again") : lease.release());
        } else {
          complete(lease, job);
        }
      }
      case LAPSED -> {
        if (lease.attempt() > 1) {
          complete(lease, job);
        }
      }
      case WIDENED -> widen(lease, job);
      case REVIVED -> {
        if (ends.get(job).isPresent()) {
          complete(lease, job);
        } else {
          die(lease, job);
        }
      }
      case DEAD -> Dropped.result(lease.fail("for good", FailOptions.PERMANENT));
      case STUCK -> {} // until its lease is over
      case CANCELLED -> cancel(random, lease);
      default -> throw new IllegalStateException("nobody works on this one: job=" + job);
    }
  }

  private void complete(Lease lease, String job) {
    engine
        .inTransaction(
            tx -> {
              tx.put(ends, job, SUCCEEDED);
              tx.complete(lease);
            })
        .isDone();
  }

  private void die(Lease lease, String job) {
    engine
        .inTransaction(
            tx -> {
              tx.put(ends, job, DIED);
              Dropped.result(tx.fail(lease, "for good", FailOptions.PERMANENT));
            })
        .isDone();
  }

  /** Completes a job with two others in its place; without them if its batch takes none. */
  private void widen(Lease lease, String job) {
    BatchId id = lease.batch().orElseThrow();
    boolean isDone =
        engine
            .inTransaction(
                tx -> {
                  for (String child : BatchPlan.children(job)) {
                    NewJob added = BatchPlan.job(child, options -> options.batch(id));
                    tx.put(joined, child, 1L);
                    tx.enqueue(BatchPlan.queue(child), added.payload(), added.options());
                  }
                  tx.put(ends, job, SUCCEEDED);
                  tx.complete(lease);
                })
            .isDone();
    if (!isDone) {
      complete(lease, job);
    }
  }

  private void cancel(RandomGenerator random, Lease lease) {
    Dropped.result(engine.cancel(lease.jobId()));
    switch (random.nextInt(3)) {
      case 0 -> Dropped.result(lease.release());
      case 1 -> Dropped.result(lease.fail("cancelled"));
      default -> Dropped.result(engine.admin().release(lease.jobId()));
    }
  }

  /** Does one of the things that operators do. */
  void tend(RandomGenerator random) {
    switch (random.nextInt(8)) {
      case 0, 1 -> any(random, stats -> !stats.isSealed()).ifPresent(this::seal);
      case 2 -> any(random, BatchLife::isToBeCancelled).ifPresent(this::cancel);
      case 3, 4 -> redrive();
      case 5 -> engine.queue(BatchPlan.GRAVES).deadLetters().deleteAll(DeadFilter.ALL);
      case 6 -> engine.queue(BatchPlan.PURGED).purge(WAITING);
      default -> engine.queue(BatchPlan.DROPPED).delete();
    }
  }

  private Optional<BatchId> any(RandomGenerator random, Predicate<BatchStats> which) {
    List<BatchId> ids = batches().filter(which).map(BatchStats::id).toList();
    return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(random.nextInt(ids.size())));
  }

  private static boolean isToBeCancelled(BatchStats stats) {
    return new BatchPlan(stats.name()).isCancelled() && !stats.isCancelled() && !stats.isOver();
  }

  private void seal(BatchId id) {
    try {
      engine.batches().seal(id);
    } catch (NoSuchBatchException e) {
      // It was a brief one.
      return;
    }
  }

  private void cancel(BatchId id) {
    try {
      Dropped.result(engine.batches().cancel(id));
    } catch (NoSuchBatchException e) {
      // It was a brief one.
      return;
    }
  }

  private void redrive() {
    BatchPlan.PARTS.forEach(queue -> engine.queue(queue).deadLetters().redriveAll(DeadFilter.ALL));
  }

  /** Lets all that is left come nearer to its end. Tells whether there is nothing left. */
  boolean finish(RandomGenerator random) {
    batches().filter(stats -> !stats.isSealed()).forEach(stats -> seal(stats.id()));
    batches().filter(BatchLife::isToBeCancelled).forEach(stats -> cancel(stats.id()));
    redrive();
    engine.queue(BatchPlan.GRAVES).deadLetters().deleteAll(DeadFilter.ALL);
    engine.queue(BatchPlan.PURGED).purge(WAITING);
    engine.queue(BatchPlan.DROPPED).delete();
    while (work(random) | followers.goOn()) {
      // Until nothing is to be done now.
    }
    return batches().allMatch(stats -> stats.isOver() && stats.dead() == 0)
        && followers.find().jobs().isEmpty();
  }
}
