package io.millrace.model.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchOverException;
import io.millrace.api.BatchStats;
import io.millrace.api.CancelResult;
import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.Transaction;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.engine.JobEngine;
import io.millrace.model.limits.KnownBatch.End;
import io.millrace.model.limits.KnownBatch.Follower;
import io.millrace.model.limits.KnownJob.Fate;
import io.millrace.model.rig.Await;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The batches of a caller: of as many jobs as may be, within each other as deep as may be, with as
 * many that wait for one as may. What comes after them is in a queue that nothing else is in.
 */
final class LimitsBatches {

  static final Duration KEPT = Batch.RETENTION_DEFAULT;

  private static final List<Duration> RETENTIONS = List.of(Duration.ZERO, LimitsCaller.DELAY, KEPT);
  private static final int[] JOB_COUNTS = {0, 1, 1, 3, 30, 400, 1_500};

  /** Rows of a job that joins with the beginning of its batch, or in a transaction. */
  private static final int JOB_OPERATIONS = 7;

  /** Jobs of one batch that are told from each other by the first bytes of their payloads. */
  private static final int PAYLOAD_BYTES_LEAST = Integer.BYTES;

  private final LimitsCaller caller;
  private final Random random;
  private final QueueName after;
  private final List<KnownBatch> inOrder = new ArrayList<>();

  LimitsBatches(LimitsCaller caller, String name, Random random) {
    this.caller = caller;
    this.random = random;
    this.after = QueueName.of(name + " after");
  }

  int count() {
    return inOrder.size();
  }

  long overCount() {
    return inOrder.stream().filter(KnownBatch::isOver).count();
  }

  long cameCount() {
    return inOrder.stream()
        .flatMap(batch -> batch.followers.values().stream())
        .filter(Follower.CAME::equals)
        .count();
  }

  /** Any of them; new ones rather than old ones. */
  Optional<KnownBatch> any() {
    int count = inOrder.size();
    int back = random.nextInt(1 + random.nextInt(Math.max(1, count)));
    return count == 0 ? Optional.empty() : Optional.of(inOrder.get(count - 1 - back));
  }

  /** Makes one call of any kind that batches have, and notes what it was answered. */
  void call(JobEngine engine) {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> begin(engine);
      case 3, 4 -> beginInTransaction(engine);
      case 5 -> any().ifPresent(batch -> seal(engine, batch));
      case 6 -> any().ifPresent(batch -> cancel(engine, batch));
      case 7, 8 -> any().ifPresent(batch -> waitFor(engine, batch));
      default -> comeAfter(engine);
    }
  }

  private BatchPlan plan() {
    Batch batch = Batch.of(after.name() + " batch " + inOrder.size());
    batch.retention(RETENTIONS.get(random.nextInt(RETENTIONS.size())));
    if (random.nextBoolean()) {
      batch.keepResults();
    }
    Optional<KnownBatch> outer = random.nextInt(3) == 0 ? any() : Optional.empty();
    outer.ifPresent(it -> batch.within(it.id));
    int count = JOB_COUNTS[random.nextInt(JOB_COUNTS.length)];
    int operations = JOB_OPERATIONS;
    long bytes = LimitsCaller.JOB_BYTES;
    for (int i = 0; i < count && bytes <= 2 * caller.bytesMax(); i++) {
      NewJob job = new NewJob(payload(i), caller.anyOptions());
      batch.add(caller.anyQueue(), job);
      boolean isKeyed = job.options().unique().isPresent();
      operations += JOB_OPERATIONS + (isKeyed ? LimitsCaller.KEY_OPERATIONS : 0);
      bytes += LimitsCaller.bytesOf(job);
    }
    follow(batch);
    operations += batch.following().size() * JOB_OPERATIONS;
    bytes += batch.following().size() * (long) LimitsCaller.JOB_BYTES;
    return new BatchPlan(batch, outer, random.nextInt(3) > 0, operations, bytes);
  }

  private byte[] payload(int number) {
    byte[] payload = new byte[Math.max(PAYLOAD_BYTES_LEAST, caller.anyPayloadBytes())];
    ByteBuffer.wrap(payload).putInt(number);
    return payload;
  }

  private void follow(Batch batch) {
    if (random.nextInt(4) > 0) {
      batch.whenDone(after, follower(batch, Batch.After.DONE));
      batch.whenAllSucceeded(after, follower(batch, Batch.After.ALL_SUCCEEDED));
      batch.whenAnyDied(after, follower(batch, Batch.After.ANY_DIED));
    }
  }

  private static NewJob follower(Batch batch, Batch.After kind) {
    return NewJob.of(key(batch.name(), kind).getBytes(UTF_8));
  }

  private static String key(String name, Batch.After kind) {
    return name + "/" + kind;
  }

  private void begin(JobEngine engine) {
    BatchPlan plan = plan();
    Supplier<BatchId> call =
        () -> plan.isSealed() ? plan.batch().start(engine) : plan.batch().open(engine);
    beginning(plan, plan.operations(), plan.bytes(), call)
        .ifPresent(id -> noteBegun(engine, id, plan, plan.batch().jobs()));
  }

  /** Together with one more job of it, and with the completion of another: one becomes many. */
  private void beginInTransaction(JobEngine engine) {
    BatchPlan plan = plan();
    List<Batch.Placed> jobs = new ArrayList<>(plan.batch().jobs());
    NewJob added = new NewJob(payload(jobs.size()), caller.anyOptions());
    QueueName queue = caller.anyQueue();
    jobs.add(new Batch.Placed(queue, added));
    Optional<Lease> lease = caller.someLeases(1).stream().findFirst();
    int operations = plan.operations() + 2 * JOB_OPERATIONS + LimitsCaller.KEY_OPERATIONS + 10;
    long bytes = plan.bytes() + LimitsCaller.bytesOf(added) + LimitsCaller.ending(0);
    Function<Transaction, BatchId> work =
        tx -> {
          BatchId id = tx.open(plan.batch());
          tx.enqueue(queue, added.payload(), added.options().batch(id));
          if (plan.isSealed()) {
            tx.seal(id);
          }
          lease.ifPresent(tx::complete);
          return id;
        };
    beginning(plan, operations, bytes, () -> engine.transact(work).orThrow())
        .ifPresent(
            id -> {
              lease.ifPresent(it -> caller.known(it).completed());
              noteBegun(engine, id, plan, jobs);
            });
  }

  /** Answers nothing if it was refused as too large, or for its outer batch, as it may be. */
  private Optional<BatchId> beginning(
      BatchPlan plan, int operations, long bytes, Supplier<BatchId> call) {
    boolean isTooDeep = plan.outer().filter(it -> it.depth() >= Limits.BATCH_DEPTH_MAX).isPresent();
    try {
      Optional<BatchId> begun = caller.ask(operations, bytes, call);
      assertThat(begun.isPresent() && (isTooDeep || !plan.fits())).isFalse();
      return begun;
    } catch (BatchOverException | NoSuchBatchException e) {
      assertThat(plan.fits()).as("outer batch is over: %s", e).isFalse();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("batches are within each other too deep");
      assertThat(isTooDeep).as("%s", e).isTrue();
      return Optional.empty();
    }
  }

  /** All of its jobs are there, each once. */
  private void noteBegun(JobEngine engine, BatchId id, BatchPlan plan, List<Batch.Placed> placed) {
    KnownBatch batch = new KnownBatch(id, plan);
    inOrder.add(batch);
    List<Job> joined = jobs(engine, JobFilter.ALL.batch(id));
    assertThat(joined.stream().map(job -> ByteBuffer.wrap(job.payload()).getInt()))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, placed.size()).boxed().toList());
    for (Job job : joined) {
      Batch.Placed one = placed.get(ByteBuffer.wrap(job.payload()).getInt());
      assertThat(job.queue()).isEqualTo(one.queue());
      caller.noteJoined(
          job.id(), new KnownJob(one.queue(), one.job().options(), Optional.of(batch)));
    }
  }

  private static List<Job> jobs(JobEngine engine, JobFilter filter) {
    return Page.stream(page -> engine.list(filter, page)).toList();
  }

  private void seal(JobEngine engine, KnownBatch batch) {
    try {
      engine.batches().seal(batch.id);
      batch.seal();
    } catch (NoSuchBatchException e) {
      assertThat(batch.mayBeGone()).as("is there: %s", e).isTrue();
    }
  }

  private void cancel(JobEngine engine, KnownBatch batch) {
    boolean mayBeGone = batch.mayBeGone();
    try {
      Map<CancelResult, Long> results = engine.batches().cancel(batch.id);
      Map<CancelResult, Long> expected = new TreeMap<>();
      noteCancelled(batch, expected);
      assertThat(results).isEqualTo(expected);
    } catch (NoSuchBatchException e) {
      assertThat(mayBeGone).as("is there: %s", e).isTrue();
    }
  }

  private void noteCancelled(KnownBatch batch, Map<CancelResult, Long> results) {
    List<KnownBatch> going = batch.inner().stream().filter(it -> !it.isOver()).toList();
    batch.cancel();
    for (KnownJob job : caller.jobsOf(batch)) {
      if (job.fate() != Fate.LIVES) {
        continue;
      }
      if (job.lease.isPresent()) {
        job.isAskedToStop = true;
        results.merge(CancelResult.REQUESTED, 1L, Long::sum);
      } else {
        job.removed(End.CANCELLED);
        results.merge(CancelResult.CANCELLED, 1L, Long::sum);
      }
    }
    going.forEach(inner -> noteCancelled(inner, results));
  }

  /** Has as many jobs wait as may, and a few more. */
  private void waitFor(JobEngine engine, KnownBatch batch) {
    int most = random.nextInt(4) == 0 ? Limits.BATCH_WAITER_COUNT_MAX + 3 : 3;
    for (Lease lease : caller.someLeases(most)) {
      KnownJob job = caller.known(lease);
      boolean isOwn = job.batch.filter(it -> it.isWithin(batch)).isPresent();
      if (!isOwn) {
        waitFor(lease, job, batch);
      }
    }
  }

  private static void waitFor(Lease lease, KnownJob job, KnownBatch batch) {
    boolean isFull = !batch.isOver() && !batch.hasRoomToWait();
    try {
      WaitResult right = batch.isOver() ? WaitResult.BATCH_OVER : WaitResult.WAITING;
      WaitResult result = lease.waitFor(batch.id);
      assertThat(result).isEqualTo(job.isAskedToStop ? WaitResult.CANCELLED : right);
      assertThat(isFull && !job.isAskedToStop).as("more wait than may").isFalse();
      if (job.isAskedToStop) {
        job.handedBack();
      } else {
        job.waitFor(batch);
      }
    } catch (NoSuchBatchException e) {
      assertThat(batch.mayBeGone()).as("is there: %s", e).isTrue();
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("as many jobs wait for the batch as may");
      assertThat(isFull).as("%s", e).isTrue();
    }
  }

  /** Works all that comes after batches by now: each once, and none too early. */
  private void comeAfter(JobEngine engine) {
    for (Lease lease : engine.claim(List.of(after), LimitedEngine.longClaim().max(100))) {
      String key = new String(lease.payload(), UTF_8);
      KnownBatch batch = batchOf(key);
      assertThat(batch.followers.put(kindOf(key), Follower.CAME))
          .as("comes once, and when it may: %s", key)
          .isEqualTo(Follower.GOES_ON);
      assertThat(lease.wake()).isEqualTo(new Wake.AfterBatch(batch.id));
      lease.complete().orThrow();
    }
  }

  private KnownBatch batchOf(String key) {
    String name = key.substring(0, key.indexOf('/'));
    return inOrder.get(Integer.parseInt(name.substring(name.lastIndexOf(' ') + 1)));
  }

  private static Batch.After kindOf(String key) {
    return Batch.After.valueOf(key.substring(key.indexOf('/') + 1));
  }

  /**
   * Seals all, has the jobs of every other one completed or cancelled, and works what comes after
   * those that are over then: the others are explained by what is left of them.
   */
  void finish(JobEngine engine) {
    for (KnownBatch batch : inOrder) {
      seal(engine, batch);
      if (random.nextBoolean()) {
        cancel(engine, batch);
      }
    }
    caller.completeSlowly();
    caller.settle();
    comeAfter(engine);
  }

  /** Waits until jobs of a deleted queue are counted, which takes as many commits as it takes. */
  void awaitCounted(JobEngine engine, Set<KnownBatch> changed) {
    for (KnownBatch batch : changed) {
      Await.until(
          "jobs of a deleted queue are counted: " + batch.name,
          () -> engine.batches().get(batch.id).map(batch::isCountedIn).orElse(batch.mayBeGone()));
    }
  }

  /** What waited for batches that are over by now goes on. */
  void settle() {
    inOrder.forEach(KnownBatch::settle);
  }

  /** So much time passes now that what is not kept for longer is removed. */
  void passTime(Duration time) {
    inOrder.forEach(batch -> batch.passTime(time));
  }

  /** Counts, results, and what comes after each are as they must be, and nothing else is there. */
  void check(JobEngine engine) {
    Map<KnownBatch, Long> running = caller.runningByBatch();
    for (KnownBatch batch : inOrder) {
      Optional<BatchStats> found = engine.batches().get(batch.id);
      batch.check(found, running.getOrDefault(batch, 0L));
      if (found.isPresent() && batch.keepsResults) {
        Map<JobId, Integer> results = new HashMap<>();
        Page.stream(page -> engine.batches().results(batch.id, page))
            .forEach(output -> results.put(output.jobId(), output.result().length));
        assertThat(results.isEmpty() && batch.mayBeGone() ? batch.results : results)
            .isEqualTo(batch.results);
      }
    }
    checkFollowers(engine);
  }

  private void checkFollowers(JobEngine engine) {
    Map<String, JobState> right = new TreeMap<>();
    for (KnownBatch batch : inOrder) {
      batch.followers.forEach(
          (kind, follower) -> {
            if (follower == Follower.WAITS || follower == Follower.GOES_ON) {
              boolean waits = follower == Follower.WAITS;
              right.put(key(batch.name, kind), waits ? JobState.WAITING : JobState.READY);
            }
          });
    }
    Map<String, JobState> found = new TreeMap<>();
    for (Job job : jobs(engine, JobFilter.ALL.queue(after))) {
      String key = new String(job.payload(), UTF_8);
      assertThat(found.put(key, job.state())).as("there is one: %s", key).isNull();
      if (job.state() == JobState.WAITING) {
        explain(engine, job.id(), batchOf(key));
      }
    }
    assertThat(found).isEqualTo(right);
  }

  /** A batch that is not over, or has dead letters, is explained by what is left of it. */
  private static void explain(JobEngine engine, JobId follower, KnownBatch batch) {
    Explanation.WaitsForBatch why =
        engine.explain(follower).orElseThrow().reasons().stream()
            .filter(Explanation.WaitsForBatch.class::isInstance)
            .map(Explanation.WaitsForBatch.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(why.id()).isEqualTo(batch.id);
    assertThat(why.left()).isEqualTo(batch.left());
    assertThat(why.dead()).isEqualTo(batch.count(End.DEAD));
    assertThat(why.isSealed()).isEqualTo(batch.isSealed());
    assertThat(batch.left() > 0 || batch.count(End.DEAD) > 0 || !batch.isSealed()).isTrue();
  }
}
