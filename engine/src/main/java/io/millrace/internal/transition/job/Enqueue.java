package io.millrace.internal.transition.job;

import io.millrace.api.BatchId;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.EnqueueResult.BatchOver;
import io.millrace.api.EnqueueResult.Draining;
import io.millrace.api.EnqueueResult.QueueFull;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotRef;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.move.TallyRef;
import io.millrace.internal.transition.move.TallyTie;
import io.millrace.internal.transition.move.UniqueHolds;
import io.millrace.internal.transition.queue.Queues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The joining of new jobs to a queue: at the end of their lines, or aside until they are due. */
public final class Enqueue implements Operation<List<EnqueueResult>> {

  /** The cost of a concurrency key: the row of its slot, and the key itself in that of the job. */
  private static final Cost KEYED = Cost.SLOT.plusBytes(2L * RowBytes.MOVED + RowBytes.KEY);

  /** The cost of the tally that counts the jobs, and of the one for which they wait. */
  private static final Cost TIED = Cost.TALLY.times(2);

  private final QueueName queueName;
  private final List<PreparedJob> jobs;
  private final @Nullable KeyedJobs keys;
  private final long contentBytes;
  private final Cost cost;
  private final boolean isKeyed;
  private final boolean isKeyedInEngine;

  /** The id that was told for the single job; null if jobs get their ids when they join. */
  private final @Nullable JobAddress reserved;

  private final TallyTie tie;

  /**
   * Creates an enqueue. Copies the payloads: the caller may change them while the answer is on its
   * way, or lost.
   */
  public Enqueue(QueueName queueName, List<NewJob> newJobs) {
    this(queueName, newJobs, null, tieOf(newJobs));
  }

  /**
   * Creates an enqueue of jobs that have all the same to do with tallies, whatever batch their
   * options name.
   */
  public Enqueue(QueueName queueName, List<NewJob> newJobs, TallyTie tie) {
    this(queueName, newJobs, null, tie);
  }

  /**
   * Creates an enqueue of one job whose id was told before.
   *
   * @param reserved the id that {@link ReserveIds} told; of the job's priority
   */
  public Enqueue(QueueName queueName, NewJob newJob, JobAddress reserved, TallyTie tie) {
    this(queueName, List.of(newJob), reserved, tie);
  }

  private static TallyTie tieOf(List<NewJob> newJobs) {
    return newJobs.isEmpty() ? TallyTie.NONE : TallyTie.of(newJobs.get(0).options());
  }

  private Enqueue(
      QueueName queueName, List<NewJob> newJobs, @Nullable JobAddress reserved, TallyTie tie) {
    this.queueName = queueName;
    this.reserved = reserved;
    this.tie = tie;
    this.jobs = new ArrayList<>(newJobs.size());
    long sum = 0;
    long rowBytes = RowBytes.QUEUE + (reserved == null ? 0 : RowBytes.MOVED);
    int keyedCount = 0;
    int engineKeyedCount = 0;
    for (NewJob job : newJobs) {
      BlobRecord content = new BlobRecord(job.payload().clone(), job.options().headers());
      jobs.add(PreparedJob.of(job.options(), content, reserved, tie));
      sum += content.contentBytes();
      rowBytes += rowBytes(job.options(), content);
      keyedCount += job.options().concurrencyKey().isPresent() ? 1 : 0;
      engineKeyedCount += job.options().engineConcurrencyKey().isPresent() ? 1 : 0;
    }
    this.contentBytes = sum;
    this.keys = KeyedJobs.of(newJobs);
    this.isKeyed = keyedCount + engineKeyedCount > 0;
    this.isKeyedInEngine = engineKeyedCount > 0;
    Cost ofJobs = new Cost(4 * jobs.size() + 4, rowBytes).plus(KEYED.times(keyedCount));
    if (isKeyedInEngine) {
      ofJobs = ofJobs.plus(KEYED.plus(Cost.TURN).times(engineKeyedCount));
    }
    if (tie != TallyTie.NONE) {
      ofJobs = ofJobs.plus(TIED).plus(new Cost(1, RowBytes.MOVED).times(jobs.size()));
    }
    this.cost = keys == null ? ofJobs : ofJobs.plus(keys.cost());
  }

  private static long rowBytes(EnqueueOptions options, BlobRecord content) {
    long bytes =
        RowBytes.newJob(
            content.contentBytes(), options.headers().size(), options.backoff().orElse(null));
    boolean isDelayed = options.visibleAt().isPresent() || !options.delay().isZero();
    return bytes
        + (isDelayed ? RowBytes.MOVED : 0)
        + (options.engineRateKey().isPresent() ? RowBytes.ENGINE_RATE : 0)
        + (options.timeToLive().isPresent() ? RowBytes.TIMER : 0);
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  public Cost cost() {
    return cost;
  }

  @Override
  public long bytes() {
    return contentBytes;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    Queues.declare(state, reads, queueName);
    Tallies.declare(state, reads, tie);
    if (keys != null) {
      keys.declare(state, reads, queueName);
    }
    if (isKeyedInEngine) {
      declareSlots(state, reads, WorkingSet.NO_QUEUE);
    }
    if (isKeyed) {
      Queues.declare(state, reads, queueName, number -> declareSlots(state, reads, number));
    }
  }

  private void declareSlots(WorkingSet state, RowReads reads, int queue) {
    for (PreparedJob job : jobs) {
      Slots.declare(state, reads, job.slotRef(queue));
    }
  }

  /** Reads the counts of the jobs' concurrency keys that the plan needs, so that it cannot fail. */
  private void knowSlots(OpenBatch batch, QueueState queue) {
    if (!isKeyedInEngine && !(isKeyed && queue.exists())) {
      return;
    }
    int number = queue.exists() ? queue.number() : WorkingSet.NO_QUEUE;
    if (!areSlotsKnown(batch, number)) {
      declareSlots(batch.state(), batch.reads(), number);
      batch.reads().fetch();
      jobs.forEach(job -> Slots.know(batch, queue, job.slotRef(number)));
    }
  }

  private boolean areSlotsKnown(OpenBatch batch, int queue) {
    for (PreparedJob job : jobs) {
      SlotRef ref = job.slotRef(queue);
      if (ref != null && batch.state().slots().find(ref) == null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Tells whether the id that was told for the single job can be its own; true if none was told.
   */
  public boolean isIdValid(OpenBatch batch) {
    if (reserved == null) {
      return true;
    }
    QueueState queue = Queues.named(batch, queueName);
    Integer number =
        queue.exists()
            ? Integer.valueOf(queue.number())
            : batch.state().queueNumbers().reserved(queueName);
    return number != null
        && number == reserved.queue()
        && batch.state().isNewBirth(reserved.birth());
  }

  /**
   * Tells whether {@link #check} puts the rows of leases that were granted before: then that must
   * come before any operation of the same call has looked at the job of such a lease.
   */
  public boolean putsLeaseRows(OpenBatch batch) {
    return keys != null || Queues.named(batch, queueName).settings().depthMax().isPresent();
  }

  /** The plan that jobs join a queue. */
  public sealed interface Joining extends Plan<List<EnqueueResult>> {

    /** Returns the answer for the first job if it does not join; null if it does. */
    @Nullable EnqueueResult notJoining();

    /** Returns the answer for jobs that are refused; null if none is. */
    EnqueueResult.@Nullable Refused refused();
  }

  @Override
  public Joining check(OpenBatch batch) {
    QueueState queue = Queues.named(batch, queueName);
    knowSlots(batch, queue);
    Tallies.know(batch, tie);
    long tally = tie.countedNumber();
    if (tally != 0 && !Tallies.isJoinable(batch, tally)) {
      return new PlainJoining(queue, jobs, 0, new BatchOver(queueName, new BatchId(tally)));
    }
    if (queue.exists() && queue.record().draining()) {
      return new PlainJoining(queue, jobs, 0, new Draining(queueName));
    }
    OptionalLong depthMax = queue.settings().depthMax();
    QueueFull refusal = null;
    long room = jobs.size();
    if (depthMax.isPresent()) {
      // Leased jobs make room. Nobody who looks is to see more jobs waiting than there may be.
      LeaseRows.putAll(batch);
      room = Math.max(0, depthMax.getAsLong() - batch.planned().depth(queue));
      refusal = new QueueFull(queueName, depthMax.getAsLong());
    }
    if (keys != null) {
      return new KeyedJoining(queue, jobs, keys, keys.judge(batch, numberOf(queue), room), refusal);
    }
    return new PlainJoining(queue, jobs, (int) Math.min(room, jobs.size()), refusal);
  }

  private int numberOf(QueueState queue) {
    return queue.exists() ? queue.number() : reserved == null ? -1 : reserved.queue();
  }

  /**
   * The plan that jobs without unique keys join the queue.
   *
   * @param count how many jobs join, which are the first ones
   * @param refusal the answer for the others; null if there are none
   */
  private record PlainJoining(
      QueueState queue, List<PreparedJob> jobs, int count, EnqueueResult.@Nullable Refused refusal)
      implements Joining {

    @Override
    public EnqueueResult.@Nullable Refused refused() {
      return count < jobs.size() ? refusal : null;
    }

    @Override
    public @Nullable EnqueueResult notJoining() {
      return count == 0 ? refusal : null;
    }

    @Override
    public List<EnqueueResult> carryOut(OpenBatch batch) {
      if (notJoining() == null) {
        Queues.createIfAbsent(batch, queue);
      }
      if (jobs.size() == 1) {
        return List.of(one(batch, 0));
      }
      List<EnqueueResult> results = new ArrayList<>(jobs.size());
      for (int i = 0; i < jobs.size(); i++) {
        results.add(one(batch, i));
      }
      return results;
    }

    private EnqueueResult one(OpenBatch batch, int index) {
      return index < count || refusal == null
          ? new Enqueued(join(batch, queue, jobs.get(index), null).jobId(queue.number()))
          : refusal;
    }

    @Override
    public void foretell(OpenBatch batch) {
      TallyRef awaited = jobs.isEmpty() ? null : jobs.get(0).tie().awaited();
      if (awaited != null) {
        batch.planned().waitFor(awaited.number());
      }
      if (count == 1 && jobs.get(0).reserved() != null) {
        foretellNew(batch, queue, jobs.get(0), null);
      } else {
        batch.planned().join(queue, count);
      }
    }
  }

  /**
   * The plan that jobs join the queue some of which have unique keys.
   *
   * @param verdicts what becomes of each
   * @param refusal the answer for jobs for which there is no room; null if there are none
   */
  private record KeyedJoining(
      QueueState queue,
      List<PreparedJob> jobs,
      KeyedJobs keys,
      List<KeyedJobs.Verdict> verdicts,
      @Nullable QueueFull refusal)
      implements Joining {

    @Override
    public EnqueueResult.@Nullable Refused refused() {
      return verdicts.stream().anyMatch(KeyedJobs.Verdict.Refused.class::isInstance)
          ? refusal
          : null;
    }

    @Override
    public @Nullable EnqueueResult notJoining() {
      KeyedJobs.Verdict first = verdicts.get(0);
      if (first instanceof KeyedJobs.Verdict.Duplicate duplicate) {
        return Enqueued.duplicateOf(duplicate.held().jobId());
      }
      return KeyedJobs.joins(first) ? null : refusal;
    }

    @Override
    public List<EnqueueResult> carryOut(OpenBatch batch) {
      List<EnqueueResult> results = new ArrayList<>(jobs.size());
      for (int i = 0; i < jobs.size(); i++) {
        results.add(one(batch, i, results));
      }
      return results;
    }

    private EnqueueResult one(OpenBatch batch, int index, List<EnqueueResult> earlier) {
      KeyedJobs.Verdict verdict = verdicts.get(index);
      if (verdict instanceof KeyedJobs.Verdict.Refused) {
        return Objects.requireNonNull(refusal, "who is refused is told why");
      }
      if (verdict instanceof KeyedJobs.Verdict.Duplicate duplicate) {
        return duplicateOf(batch, duplicate.held().jobId());
      }
      if (verdict instanceof KeyedJobs.Verdict.DuplicateOfEarlier duplicate) {
        return duplicateOf(batch, earlier.get(duplicate.index()).orThrow().jobId());
      }
      Queues.createIfAbsent(batch, queue);
      JobId replaced = null;
      if (verdict instanceof KeyedJobs.Verdict.InPlaceOf other) {
        replaced = other.held().jobId();
        replace(batch, other.found().key(batch), other.job());
      } else if (verdict instanceof KeyedJobs.Verdict.InPlaceOfEarlier other) {
        replaced = earlier.get(other.index()).orThrow().jobId();
        JobPlace place = Objects.requireNonNull(JobPlace.of(replaced), "a job of this call");
        byte[] key = Objects.requireNonNull(place.find(batch), "a job of this call");
        JobRecord job = Records.decode(batch, key, batch.get(key));
        replace(batch, key, job);
      }
      JobRecord job = join(batch, queue, jobs.get(index), keys.get(index));
      UniqueHolds.take(batch, queue.number(), job);
      JobId id = job.jobId(queue.number());
      return replaced == null ? new Enqueued(id) : Enqueued.inPlaceOf(replaced, id);
    }

    private static Enqueued duplicateOf(OpenBatch batch, JobId holder) {
      batch.state().totals().countDuplicate();
      return Enqueued.duplicateOf(holder);
    }

    private void replace(OpenBatch batch, byte[] key, JobRecord job) {
      Moves.end(batch, queue, key, job, Total.CANCELLED);
    }

    @Override
    public void foretell(OpenBatch batch) {
      int joining = 0;
      for (KeyedJobs.Verdict verdict : verdicts) {
        joining += verdict instanceof KeyedJobs.Verdict.New ? 1 : 0;
        if (verdict instanceof KeyedJobs.Verdict.InPlaceOf other) {
          other.found().foretell(batch, Planned.After.GONE);
          joining++;
        }
      }
      if (joining == 1 && jobs.get(0).reserved() != null) {
        foretellNew(batch, queue, jobs.get(0), keys.get(0));
      } else {
        batch.planned().join(queue, joining);
      }
    }
  }

  /**
   * Foretells the job, and that its unique key is taken, to the operations of the call that come
   * after.
   */
  private static void foretellNew(
      OpenBatch batch, QueueState queue, PreparedJob prepared, KeyedJobs.@Nullable Wanted unique) {
    JobAddress address = Objects.requireNonNull(prepared.reserved(), "an id that was told");
    JobRecord job = newRecord(batch, prepared, address.birth(), Keyspace.READY, unique);
    Planned.After after = whenVisible(batch, prepared, Destination.LINE).after(batch, queue, job);
    batch
        .planned()
        .begin(
            queue,
            address.birth(),
            new Planned.After(after.state(), after.job(), prepared.blob(), false));
    if (unique != null) {
      byte[] rowKey = UniqueKeys.key(address.queue(), unique.bytes());
      batch.planned().take(rowKey, UniqueRecord.of(address.queue(), job));
    }
  }

  private static long visibleAtMs(OpenBatch batch, EnqueueOptions options) {
    return options.visibleAt().isPresent()
        ? options.visibleAt().get().toEpochMilli()
        : batch.nowMs() + options.delay().toMillis();
  }

  /** Returns where a job goes that need not wait for a slot: to a line, or aside until its time. */
  private static Destination whenVisible(OpenBatch batch, PreparedJob prepared, Destination line) {
    EnqueueOptions options = prepared.options();
    long visibleAtMs = visibleAtMs(batch, options);
    long baseMs = options.visibleAt().isPresent() ? 0 : batch.nowMs();
    return visibleAtMs <= batch.nowMs() ? line : Destination.visibleAt(batch, visibleAtMs, baseMs);
  }

  private static JobRecord join(
      OpenBatch batch, QueueState queue, PreparedJob prepared, KeyedJobs.@Nullable Wanted unique) {
    if (Tallies.mustWait(batch, prepared.tie())) {
      return joinWaiting(batch, queue, prepared, unique);
    }
    boolean isReady = visibleAtMs(batch, prepared.options()) <= batch.nowMs();
    PreparedJob.WantedSlot slot = isReady ? prepared.slot() : null;
    SlotRef ref = slot == null ? null : slot.ref(queue.number());
    Destination blocked =
        slot != null && ref != null && Slots.mustWait(batch, queue, ref, slot.engineMost())
            ? Destination.blocked(slot.concurrencyKey())
            : null;
    Keyspace kind =
        blocked != null ? Keyspace.BLOCKED : isReady ? Keyspace.READY : Keyspace.DELAYED;
    JobAddress reserved = prepared.reserved();
    // A line is in the order of the commits, and others may have joined it since the id was told.
    Destination line = reserved == null ? Destination.LINE_AT_BIRTH : Destination.LINE;
    JobRecord job =
        reserved == null
            ? newRecord(batch, prepared, batch.state().takeSequence(), kind, unique)
            : newRecord(batch, prepared, reserved.birth(), Keyspace.READY, unique);
    putContent(batch, queue, prepared, job);
    Moves.begin(batch, queue, job, blocked != null ? blocked : whenVisible(batch, prepared, line));
    queue.countEnqueued(job);
    return job;
  }

  /**
   * Puts a job among those that wait for a tally. Its id says that it was born in READY, as those
   * do that were told before the birth.
   */
  private static JobRecord joinWaiting(
      OpenBatch batch, QueueState queue, PreparedJob prepared, KeyedJobs.@Nullable Wanted unique) {
    JobAddress reserved = prepared.reserved();
    long birth = reserved == null ? batch.state().takeSequence() : reserved.birth();
    JobRecord job = newRecord(batch, prepared, birth, Keyspace.READY, unique);
    putContent(batch, queue, prepared, job);
    Moves.begin(batch, queue, job, Tallies.await(batch, queue, job, prepared.tie()));
    queue.countEnqueued(job);
    return job;
  }

  private static void putContent(
      OpenBatch batch, QueueState queue, PreparedJob prepared, JobRecord job) {
    if (prepared.blob() != null) {
      byte[] key = BlobKeys.key(queue.number(), job.birth(), PreparedJob.FIRST_BLOB_VERSION);
      batch.putNew(key, prepared.blob().encode(key));
    }
  }

  private static JobRecord newRecord(
      OpenBatch batch,
      PreparedJob prepared,
      long birth,
      Keyspace birthKind,
      KeyedJobs.@Nullable Wanted unique) {
    EnqueueOptions options = prepared.options();
    JobRecordBuilder builder =
        JobRecord.builder()
            .birth(birth)
            .birthKind(birthKind)
            .priority(options.priority())
            .weight(options.weight())
            .maxAttempts(options.maxAttempts().orElse(JobRecord.OF_QUEUE))
            .backoff(options.backoff().orElse(null))
            .set(JobField.TYPE, options.type().orElse(null))
            .set(JobField.LEASE_MS, options.leaseDuration().map(Duration::toMillis).orElse(0L))
            .enqueuedAtMs(batch.nowMs())
            .readyAtMs(batch.nowMs())
            .payload(prepared.payload())
            .set(JobField.EXPIRE_AT_MS, timeToLiveEndMs(options, batch.steadyMs()))
            .set(
                JobField.RESULT_RETENTION_MS,
                options.resultRetention().map(Duration::toMillis).orElse(0L))
            .set(JobField.CONCURRENCY_KEY, prepared.concurrencyKey())
            .set(JobField.ENGINE_MOST, prepared.engineMost())
            .set(JobField.ENGINE_RATE, prepared.engineRate())
            .set(JobField.TALLY, prepared.tallyNumber());
    if (unique != null) {
      unique.addTo(builder, batch.steadyMs());
    }
    return builder.build();
  }

  private static long timeToLiveEndMs(EnqueueOptions options, long steadyMs) {
    return options.timeToLive().isPresent() ? steadyMs + options.timeToLive().get().toMillis() : 0;
  }
}
