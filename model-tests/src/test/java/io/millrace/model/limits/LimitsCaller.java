package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.CompleteResult;
import io.millrace.api.Completion;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.ReleaseResult;
import io.millrace.api.UniqueKey;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.api.Wake;
import io.millrace.engine.JobEngine;
import io.millrace.model.limits.KnownBatch.End;
import io.millrace.model.limits.KnownJob.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Someone who asks for as much as may be asked for, in queues that are nobody else's, and knows
 * what must have become of each job. For one thread at a time.
 */
final class LimitsCaller {

  static final Duration DELAY = Duration.ofSeconds(30);
  static final Duration TIME_TO_LIVE = Duration.ofSeconds(20);

  private static final int QUEUE_COUNT = 12;
  private static final int[] PAYLOAD_BYTES = {0, 1, 100, 1_500, 5_000, 40_000};
  private static final int[] JOB_COUNTS = {1, 7, 100, 400, 1_500};

  /** The most that a job adds to a batch beside its content, in rows and bytes. */
  private static final int JOB_OPERATIONS = 4;

  static final int JOB_BYTES = 1_200;

  /** The same of its unique key. */
  static final int KEY_OPERATIONS = 3;

  static final int KEY_BYTES = 1_200;

  private final Random random;
  private final List<QueueName> queues = new ArrayList<>();
  private final LimitsBatches batches;
  private final Map<JobId, KnownJob> jobs = new LinkedHashMap<>();
  private final int operationsMax;
  private final long bytesMax;
  private int refusedCount;
  private int keyCount;

  /** Of queues that begin with the name; knows what the store takes in a batch. */
  LimitsCaller(String name, long seed, int operationsMax, long bytesMax) {
    this.random = new Random(seed);
    this.operationsMax = operationsMax;
    this.bytesMax = bytesMax;
    for (int i = 0; i < QUEUE_COUNT; i++) {
      queues.add(QueueName.of(name + " " + i));
    }
    this.batches = new LimitsBatches(this, name, random);
  }

  /** How many calls were too large. */
  int refusedCount() {
    return refusedCount;
  }

  int jobCount() {
    return jobs.size();
  }

  LimitsBatches batches() {
    return batches;
  }

  long bytesMax() {
    return bytesMax;
  }

  /** Makes one call of any kind, and notes what it was answered. */
  void call(JobEngine engine) {
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3 -> enqueue(engine);
      case 4, 5, 6 -> claim(engine);
      case 7, 8 -> fail(engine);
      case 9 -> complete(engine);
      case 10 -> completeWithResults(engine);
      case 11 -> release(engine);
      case 12 -> update(engine);
      case 13 -> cancel(engine);
      case 14 -> purge(engine);
      case 15 -> delete(engine);
      case 16 -> redrive(engine);
      default -> batches.call(engine);
    }
    settle();
  }

  /** Answers nothing if the call was refused as too large, which it may only be if it is. */
  <T> Optional<T> ask(int operations, long bytes, Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (IllegalArgumentException e) {
      if (!e.getMessage().startsWith("call is too large for one commit of this store")) {
        throw e;
      }
      boolean isLarge = operations > operationsMax || bytes > bytesMax;
      assertThat(isLarge).as("%d operations, %d bytes: %s", operations, bytes, e).isTrue();
      refusedCount++;
      return Optional.empty();
    }
  }

  QueueName anyQueue() {
    return queues.get(random.nextInt(queues.size()));
  }

  private void enqueue(JobEngine engine) {
    QueueName queue = anyQueue();
    int count = JOB_COUNTS[random.nextInt(JOB_COUNTS.length)];
    Optional<KnownBatch> batch = random.nextInt(3) == 0 ? batches.any() : Optional.empty();
    List<NewJob> added = new ArrayList<>();
    long bytes = 0;
    int operations = JOB_OPERATIONS;
    while (added.size() < count && bytes <= 2 * bytesMax) {
      EnqueueOptions options = anyOptions();
      options = batch.isPresent() ? options.batch(batch.get().id) : options;
      NewJob job = new NewJob(new byte[anyPayloadBytes()], options);
      added.add(job);
      boolean isKeyed = job.options().unique().isPresent();
      bytes += bytesOf(job);
      operations += JOB_OPERATIONS + (isKeyed ? KEY_OPERATIONS : 0);
    }
    ask(operations, bytes + JOB_BYTES, () -> engine.queue(queue).offerAll(added))
        .ifPresent(results -> noteAdded(queue, added, batch, results));
  }

  int anyPayloadBytes() {
    return PAYLOAD_BYTES[random.nextInt(PAYLOAD_BYTES.length)];
  }

  /** The most that the job adds to a batch of the store. */
  static long bytesOf(NewJob job) {
    int keyBytes = job.options().unique().isPresent() ? KEY_BYTES : 0;
    return job.contentBytes() + JOB_BYTES + keyBytes;
  }

  EnqueueOptions anyOptions() {
    EnqueueOptions options = EnqueueOptions.DEFAULT.maxAttempts(Limits.MAX_ATTEMPTS_MAX);
    if (random.nextInt(8) == 0) {
      options = options.headers(anyHeaders());
    }
    if (random.nextInt(3) == 0) {
      options = options.delay(DELAY);
    }
    if (random.nextInt(4) == 0) {
      options = options.timeToLive(TIME_TO_LIVE);
    }
    if (random.nextInt(4) == 0) {
      options = options.resultRetention(Duration.ofDays(1));
    }
    if (random.nextInt(4) == 0) {
      options = options.unique(anyKey());
    }
    return options.priority(random.nextInt(3));
  }

  /** As long as it may be, and nobody else's. */
  private UniqueKey anyKey() {
    UniqueKey key = UniqueKey.of("€".repeat(80) + String.format("%015d", ++keyCount));
    return switch (random.nextInt(3)) {
      case 0 -> key.untilStarted();
      case 1 -> key.within(DELAY);
      default -> key.replace();
    };
  }

  /** As many, or as large, as they may be, of characters of three bytes. */
  private Map<String, String> anyHeaders() {
    if (random.nextBoolean()) {
      return Map.of("h1", "€".repeat(2_730));
    }
    Map<String, String> many = new HashMap<>();
    for (int i = 10; i < 10 + Limits.HEADER_COUNT_MAX; i++) {
      many.put("h" + i, "€".repeat(40));
    }
    return many;
  }

  private void noteAdded(
      QueueName queue,
      List<NewJob> added,
      Optional<KnownBatch> batch,
      List<EnqueueResult> results) {
    assertThat(results).hasSameSizeAs(added);
    if (batch.isPresent() && !batch.get().isJoinable()) {
      EnqueueResult refused = new EnqueueResult.BatchOver(queue, batch.get().id);
      assertThat(results).allMatch(refused::equals);
      return;
    }
    for (int i = 0; i < results.size(); i++) {
      JobId id = ((Enqueued) results.get(i)).jobId();
      noteJoined(id, new KnownJob(queue, added.get(i).options(), batch));
    }
  }

  void noteJoined(JobId id, KnownJob job) {
    assertThat(jobs.put(id, job)).isNull();
  }

  private void claim(JobEngine engine) {
    int count = JOB_COUNTS[random.nextInt(JOB_COUNTS.length)];
    for (Lease lease : engine.claim(queues, LimitedEngine.longClaim().max(count))) {
      KnownJob known = known(lease);
      assertThat(known).as("a job that is not ours: %s", lease).isNotNull();
      assertThat(known.fate()).as("claimed though it has ended: %s", lease).isEqualTo(Fate.LIVES);
      assertThat(known.awaited).as("claimed though it waits: %s", lease).isEmpty();
      assertThat(known.lease).as("held twice: %s", lease).isEmpty();
      known.wokenBy.ifPresent(
          batch -> assertThat(lease.wake()).isEqualTo(new Wake.AfterBatch(batch.id)));
      known.started(lease);
    }
  }

  private List<Lease> someLeases() {
    return someLeases(JOB_COUNTS[random.nextInt(JOB_COUNTS.length)]);
  }

  List<Lease> someLeases(int most) {
    return jobs.values().stream().flatMap(job -> job.lease.stream()).limit(most).toList();
  }

  KnownJob known(Lease lease) {
    return jobs.get(lease.jobId());
  }

  private void fail(JobEngine engine) {
    List<Lease> leases = someLeases();
    // Six attempts as long as this stay in the history.
    String error = "€".repeat(Limits.ERROR_BYTES_MAX / 3);
    boolean isLast = random.nextInt(4) == 0;
    FailOptions how = isLast ? FailOptions.PERMANENT : FailOptions.RETRY.delay(DELAY);
    long bytes = leases.stream().mapToLong(lease -> ending(2 * Limits.ERROR_BYTES_MAX)).sum();
    ask(10 * leases.size(), bytes, () -> engine.failAll(leases, error, how))
        .ifPresent(
            results -> {
              assertThat(results).hasSameSizeAs(leases);
              for (int i = 0; i < results.size(); i++) {
                KnownJob job = known(leases.get(i));
                Class<?> right = isLast ? FailResult.Died.class : FailResult.Retried.class;
                assertThat(results.get(i))
                    .isInstanceOf(job.isAskedToStop ? FailResult.Cancelled.class : right);
                if (isLast && !job.isAskedToStop) {
                  job.died();
                } else {
                  job.handedBack();
                }
              }
            });
  }

  /** The record of a job is put anew: payloads up to some length, headers and the last error. */
  static long ending(int moreBytes) {
    return 12L * JOB_BYTES + Limits.ERROR_BYTES_MAX + moreBytes;
  }

  private void complete(JobEngine engine) {
    List<Lease> leases = someLeases();
    long bytes = leases.stream().mapToLong(lease -> ending(0)).sum();
    ask(10 * leases.size(), bytes, () -> engine.completeAll(leases))
        .ifPresent(results -> noteCompleted(leases, results));
  }

  private void completeWithResults(JobEngine engine) {
    int resultBytes = random.nextInt(20_000);
    List<Lease> leases = someLeases();
    List<Completion> completions =
        leases.stream().map(lease -> new Completion(lease, new byte[resultBytes])).toList();
    // The result is kept with the job, with its batch, or with both.
    long bytes = leases.stream().mapToLong(lease -> ending(2 * resultBytes)).sum();
    ask(10 * leases.size(), bytes, () -> engine.completeAllWithResults(completions))
        .ifPresent(
            results -> {
              noteCompleted(leases, results);
              leases.forEach(
                  lease ->
                      known(lease)
                          .batch
                          .filter(batch -> batch.keepsResults)
                          .ifPresent(batch -> batch.results.put(lease.jobId(), resultBytes)));
            });
  }

  private void noteCompleted(List<Lease> leases, List<CompleteResult> results) {
    assertThat(results).hasSameSizeAs(leases).allMatch(CompleteResult.COMPLETED::equals);
    leases.stream().map(this::known).forEach(KnownJob::completed);
  }

  private void release(JobEngine engine) {
    List<Lease> leases = someLeases();
    List<ReleaseResult> results = engine.releaseAll(leases);
    assertThat(results).hasSameSizeAs(leases);
    for (int i = 0; i < results.size(); i++) {
      KnownJob job = known(leases.get(i));
      assertThat(results.get(i))
          .isEqualTo(job.isAskedToStop ? ReleaseResult.CANCELLED : ReleaseResult.RELEASED);
      job.handedBack();
    }
  }

  private Optional<JobId> anyJob() {
    return jobs.isEmpty()
        ? Optional.empty()
        : Optional.of(List.copyOf(jobs.keySet()).get(random.nextInt(jobs.size())));
  }

  private void update(JobEngine engine) {
    Optional<JobId> id = anyJob();
    if (id.isEmpty()) {
      return;
    }
    boolean isPayload = random.nextBoolean();
    int payloadBytes = random.nextInt(2 << 20);
    UpdateOptions change =
        isPayload
            ? UpdateOptions.NOTHING.payload(new byte[payloadBytes])
            : UpdateOptions.NOTHING.headers(anyHeaders());
    long bytes = ending(Limits.HEADER_BYTES_MAX + (isPayload ? payloadBytes : 2 << 20));
    KnownJob known = jobs.get(id.get());
    ask(10, bytes, () -> engine.update(id.get(), change))
        .ifPresent(
            result -> {
              boolean isLive = known.fate() == Fate.LIVES || known.fate() == Fate.DEAD;
              UpdateResult expected = isLive ? UpdateResult.UPDATED : UpdateResult.GONE;
              assertThat(result)
                  .isEqualTo(known.lease.isPresent() ? UpdateResult.RUNNING : expected);
            });
  }

  private void cancel(JobEngine engine) {
    Optional<JobId> id = anyJob();
    if (id.isEmpty()) {
      return;
    }
    KnownJob known = jobs.get(id.get());
    CancelResult result = engine.cancelIfWaiting(id.get());
    if (known.lease.isPresent()) {
      assertThat(result).isEqualTo(CancelResult.RUNNING);
    } else if (result == CancelResult.CANCELLED) {
      assertThat(known.fate()).isNotEqualTo(Fate.GONE);
      known.removed(End.CANCELLED);
    } else {
      assertThat(known.fate()).isIn(Fate.GONE, Fate.DONE);
    }
  }

  private void purge(JobEngine engine) {
    QueueName queue = anyQueue();
    engine
        .queue(queue)
        .purge(EnumSet.of(JobState.READY, JobState.DELAYED, JobState.DEAD, JobState.DONE));
    for (KnownJob known : jobs.values()) {
      if (known.queue.equals(queue) && known.lease.isEmpty() && known.awaited.isEmpty()) {
        known.removed(End.PURGED);
      }
    }
  }

  private void delete(JobEngine engine) {
    QueueName queue = anyQueue();
    engine.queue(queue).delete();
    Set<KnownBatch> changed = new HashSet<>();
    for (KnownJob known : jobs.values()) {
      if (known.queue.equals(queue) && known.isThere()) {
        known.batch.ifPresent(changed::add);
        known.removed(End.PURGED);
      }
    }
    batches.awaitCounted(engine, changed);
  }

  private void redrive(JobEngine engine) {
    List<KnownJob> died = jobs.values().stream().filter(job -> job.fate() == Fate.DEAD).toList();
    QueueName queue = died.isEmpty() ? anyQueue() : died.get(random.nextInt(died.size())).queue;
    List<KnownJob> dead = died.stream().filter(job -> job.queue.equals(queue)).toList();
    long count = engine.queue(queue).deadLetters().redriveAll(DeadFilter.ALL);
    assertThat(count).isEqualTo(dead.size());
    dead.forEach(KnownJob::redriven);
  }

  /** One after the other, which is too large for no store. */
  void completeSlowly() {
    for (KnownJob job : jobs.values()) {
      if (job.lease.isPresent() && job.batch.isPresent()) {
        job.lease.get().complete().orThrow();
        job.completed();
      }
    }
  }

  void settle() {
    batches.settle();
    jobs.values().forEach(KnownJob::settle);
  }

  List<KnownJob> jobsOf(KnownBatch batch) {
    return jobs.values().stream()
        .filter(job -> job.batch.filter(it -> it == batch).isPresent())
        .toList();
  }

  Map<KnownBatch, Long> runningByBatch() {
    return jobs.values().stream()
        .filter(job -> job.lease.isPresent() && job.batch.isPresent())
        .collect(Collectors.groupingBy(job -> job.batch.get(), Collectors.counting()));
  }

  /** The process died: nothing is held any more. */
  void loseLeases() {
    jobs.values().forEach(KnownJob::handedBack);
    settle();
  }

  /** So much time has passed that what was not started in time is dropped. */
  void dropLate() {
    for (KnownJob known : jobs.values()) {
      if (known.isTooLate()) {
        known.removed(End.EXPIRED);
      }
    }
    settle();
  }

  /** Everything is as it must be, and nothing else is there. */
  void check(JobEngine engine) {
    for (Map.Entry<JobId, KnownJob> one : jobs.entrySet()) {
      Optional<JobState> found = engine.get(one.getKey()).map(Job::state);
      Set<JobState> right = one.getValue().states();
      if (right.isEmpty()) {
        assertThat(found).isEmpty();
      } else {
        assertThat(found).get().isIn(right);
      }
    }
    long there = 0;
    for (QueueName queue : queues) {
      Optional<QueueStats> stats = engine.stats(queue);
      for (JobState state : JobState.values()) {
        there += stats.map(one -> one.count(state)).orElse(0L);
      }
    }
    long expected = jobs.values().stream().filter(KnownJob::isThere).count();
    assertThat(there).isEqualTo(expected);
    batches.check(engine);
  }
}
