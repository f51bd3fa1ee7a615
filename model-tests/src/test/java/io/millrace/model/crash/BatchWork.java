package io.millrace.model.crash;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Batches of a few jobs in two queues, which end in all ways, with a job of each kind that comes
 * after them. That job notes its run with its completion, in one transaction. So whatever happens,
 * the counts agree with the jobs, and what comes after a batch has come once or is still to come.
 */
public final class BatchWork {

  private static final List<QueueName> PARTS = List.of(QueueName.of("parts"), QueueName.of("more"));
  private static final Set<JobState> PURGED = EnumSet.of(JobState.READY, JobState.DEAD);
  private static final EnqueueOptions ONE_TRY = EnqueueOptions.DEFAULT.maxAttempts(1);

  private final JobEngine engine;
  private final BatchFollowers followers;

  /** Creates the work on the engine's store. */
  public BatchWork(JobEngine engine) {
    this.engine = engine;
    this.followers = new BatchFollowers(engine);
  }

  /** Starts a batch of this name, or leaves it open; some are within another one. */
  public void begin(RandomGenerator random, String name) {
    Batch batch = Batch.of(name);
    for (int i = random.nextInt(4); i > 0; i--) {
      batch.add(part(random), NewJob.of(new byte[1]));
    }
    batch.add(part(random), new NewJob(new byte[1], ONE_TRY));
    BatchFollowers.follow(batch);
    if (random.nextInt(4) == 0) {
      any(random, stats -> !stats.isOver() && !stats.isCancelled() && stats.outer().isEmpty())
          .ifPresent(batch::within);
    }
    if (random.nextInt(3) == 0) {
      batch.open(engine);
    } else {
      batch.start(engine);
    }
  }

  private static QueueName part(RandomGenerator random) {
    return PARTS.get(random.nextInt(PARTS.size()));
  }

  private Optional<BatchId> any(RandomGenerator random, Predicate<BatchStats> which) {
    List<BatchId> ids = batches().filter(which).map(BatchStats::id).toList();
    return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(random.nextInt(ids.size())));
  }

  private Stream<BatchStats> batches() {
    return Page.stream(page -> engine.batches().list(page));
  }

  /** Claims a job of a batch, if there is one, and ends it in one way or another, or not at all. */
  public void work(RandomGenerator random) {
    Optional<Lease> claimed = claim(PARTS);
    if (claimed.isEmpty()) {
      return;
    }
    Lease lease = claimed.get();
    switch (random.nextInt(8)) {
      case 0 -> Dropped.result(lease.fail("for good", FailOptions.PERMANENT));
      case 1 -> Dropped.result(lease.fail("try again"));
      case 2 -> Dropped.result(lease.release());
      case 3 -> {} // until its lease is over
      case 4 -> more(random, lease);
      default -> Dropped.result(lease.complete());
    }
  }

  private Optional<Lease> claim(List<QueueName> queues) {
    return engine.claim(queues, ClaimOptions.by("worker")).stream().findFirst();
  }

  /** Completes the job with another one of its batch in its place. */
  private void more(RandomGenerator random, Lease lease) {
    BatchId batch = lease.batch().orElseThrow();
    engine
        .inTransaction(
            tx -> {
              tx.enqueue(part(random), new byte[1], EnqueueOptions.DEFAULT.batch(batch));
              tx.complete(lease);
            })
        .isDone();
  }

  /** Does what operators do: seals, cancels, brings back, deletes, purges. */
  public void tend(RandomGenerator random) {
    switch (random.nextInt(8)) {
      case 0 ->
          any(random, stats -> true).ifPresent(id -> Dropped.result(engine.batches().cancel(id)));
      case 1 -> engine.queue(part(random)).deadLetters().deleteAll(DeadFilter.ALL);
      case 2 -> engine.queue(part(random)).purge(PURGED);
      case 3, 4 -> engine.queue(part(random)).deadLetters().redriveAll(DeadFilter.ALL);
      default -> any(random, stats -> !stats.isSealed()).ifPresent(engine.batches()::seal);
    }
  }

  /** Runs a job that comes after a batch, if there is one. Tells whether there was. */
  public boolean goOn() {
    return followers.goOn();
  }

  /** Completes all jobs that are left, dead ones too, and what comes after them. */
  public void finish() {
    batches().filter(stats -> !stats.isSealed()).forEach(it -> engine.batches().seal(it.id()));
    PARTS.forEach(queue -> engine.queue(queue).deadLetters().redriveAll(DeadFilter.ALL));
    for (Optional<Lease> next = claim(PARTS); next.isPresent(); next = claim(PARTS)) {
      next.get().complete().orThrow();
    }
    while (goOn()) {
      // Until none is left.
    }
  }

  /**
   * Returns what does not agree. Nothing may be due.
   *
   * @param acknowledged the names of batches that were said to have begun
   */
  public List<String> flaws(Set<String> acknowledged) {
    BatchFollowers.Found found = followers.find();
    List<String> flaws = found.flaws();
    expect(flaws, "the store is sound: " + engine.verify(), engine.verify().isClean());
    Set<String> names = new HashSet<>();
    batches()
        .forEach(
            stats -> {
              expect(flaws, "there is one of a name: " + stats, names.add(stats.name()));
              checkCounts(flaws, stats);
              found.check(flaws, stats);
            });
    expect(flaws, "all are there that have begun", names.containsAll(acknowledged));
    return flaws;
  }

  /** Returns the batches that are not over, and jobs that wait for one: none once all is done. */
  public List<String> left() {
    List<String> left = new ArrayList<>();
    batches().filter(stats -> !stats.isOver()).forEach(stats -> left.add(stats.toString()));
    followers.find().jobs().forEach((key, job) -> left.add(key + ": " + job));
    return left;
  }

  private void checkCounts(List<String> flaws, BatchStats stats) {
    Map<JobState, Long> counts =
        Page.stream(page -> engine.list(JobFilter.ALL.batch(stats.id()), page))
            .collect(
                Collectors.groupingBy(
                    Job::state, () -> new EnumMap<>(JobState.class), Collectors.counting()));
    long dead = counts.getOrDefault(JobState.DEAD, 0L);
    long left = counts.values().stream().mapToLong(count -> count).sum() - dead;
    boolean hasInner = batches().anyMatch(it -> it.outer().equals(Optional.of(stats.id())));
    boolean agrees = left == stats.left() && dead == stats.dead();
    expect(flaws, "it counts its jobs: " + counts + " of " + stats, agrees || hasInner);
    boolean isOver = stats.isSealed() && stats.left() == 0;
    expect(flaws, "it is over if none is left: " + stats, stats.isOver() == isOver);
  }

  private static void expect(List<String> flaws, String what, boolean isSo) {
    if (!isSo) {
      flaws.add(what);
    }
  }
}
