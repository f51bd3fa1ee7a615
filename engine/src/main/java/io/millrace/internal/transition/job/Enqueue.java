package io.millrace.internal.transition.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.EnqueueResult.Draining;
import io.millrace.api.EnqueueResult.QueueFull;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.To;
import io.millrace.internal.transition.move.UniqueHolds;
import io.millrace.internal.transition.queue.Queues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** New jobs join a queue: at the end of their lines, or aside until they are due. */
public final class Enqueue implements Operation<List<EnqueueResult>> {

  /** The version of a job's first BLOB row. */
  static final int FIRST_BLOB_VERSION = 1;

  /** What a concurrency key adds: the row of its slot, and itself in that of the job. */
  private static final Cost KEYED = Cost.SLOT.plusBytes(2L * RowBytes.MOVED + RowBytes.KEY);

  private final QueueName queueName;
  private final List<Prepared> jobs;
  private final @Nullable KeyedJobs keys;
  private final long contentBytes;
  private final Cost cost;
  private final boolean isKeyed;
  private final boolean isKeyedInEngine;

  /** What can be made ready on the caller's thread. */
  private record Prepared(
      EnqueueOptions options,
      Payload payload,
      @Nullable BlobRecord blob,
      byte @Nullable [] concurrencyKey) {

    /** Fewer holders of the key than this let the job go on; 0 if its queue says that. */
    int engineMost() {
      return options.engineConcurrencyMost().orElse(0);
    }

    /**
     * Key of the SLOT row of its concurrency key.
     *
     * @param queue its number; {@link WorkingSet#NO_QUEUE} if nobody knows it, or there is none:
     *     then a key of the queue has none either
     */
    byte @Nullable [] slotKey(int queue) {
      byte[] key = concurrencyKey;
      if (key == null || engineMost() > 0) {
        return key == null ? null : SlotKeys.keyOfEngine(key);
      }
      return queue == WorkingSet.NO_QUEUE ? null : SlotKeys.key(queue, key);
    }
  }

  /** Copies the payloads: the caller may change them while the answer is on its way, or lost. */
  public Enqueue(QueueName queueName, List<NewJob> newJobs) {
    this.queueName = queueName;
    this.jobs = new ArrayList<>(newJobs.size());
    long sum = 0;
    long rowBytes = RowBytes.QUEUE;
    int keyedCount = 0;
    int engineKeyedCount = 0;
    for (NewJob job : newJobs) {
      BlobRecord content = new BlobRecord(job.payload().clone(), job.options().headers());
      jobs.add(prepare(job.options(), content));
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
    this.cost = keys == null ? ofJobs : ofJobs.plus(keys.cost());
  }

  private static Prepared prepare(EnqueueOptions options, BlobRecord content) {
    byte[] concurrencyKey =
        options
            .concurrencyKey()
            .or(options::engineConcurrencyKey)
            .map(key -> key.getBytes(UTF_8))
            .orElse(null);
    if (content.contentBytes() > Payload.INLINE_BYTES_MAX) {
      Payload payload = content.asVersion(FIRST_BLOB_VERSION);
      return new Prepared(options, payload, content, concurrencyKey);
    }
    Payload payload = new Payload.Inline(content.payload(), options.headers());
    return new Prepared(options, payload, null, concurrencyKey);
  }

  private static long rowBytes(EnqueueOptions options, BlobRecord content) {
    long bytes =
        RowBytes.newJob(
            content.contentBytes(), options.headers().size(), options.backoff().orElse(null));
    boolean isDelayed = options.visibleAt().isPresent() || !options.delay().isZero();
    return bytes
        + (isDelayed ? RowBytes.MOVED : 0)
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
    for (Prepared job : jobs) {
      Slots.declare(state, reads, job.slotKey(queue));
    }
  }

  /** Reads what the plan needs of the jobs' concurrency keys, so that it cannot fail. */
  private void knowSlots(OpenBatch batch, QueueState queue) {
    if (!isKeyedInEngine && !(isKeyed && queue.exists())) {
      return;
    }
    int number = queue.exists() ? queue.number() : WorkingSet.NO_QUEUE;
    if (!areSlotsKnown(batch, number)) {
      declareSlots(batch.state(), batch.reads(), number);
      batch.reads().fetch();
      jobs.forEach(job -> Slots.know(batch, queue, job.slotKey(number)));
    }
  }

  private boolean areSlotsKnown(OpenBatch batch, int queue) {
    for (Prepared job : jobs) {
      byte[] slotKey = job.slotKey(queue);
      if (slotKey != null && batch.state().slots().find(slotKey) == null) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Plan<List<EnqueueResult>> check(OpenBatch batch) {
    QueueState queue = Queues.named(batch, queueName);
    knowSlots(batch, queue);
    if (queue.exists() && queue.record().draining()) {
      return new Joining(queue, jobs, 0, new Draining(queueName));
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
      return new KeyedJoining(queue, jobs, keys, keys.judge(batch, queue, room), refusal);
    }
    return new Joining(queue, jobs, (int) Math.min(room, jobs.size()), refusal);
  }

  /**
   * The plan that jobs join the queue.
   *
   * @param count how many of the first do
   * @param refusal what the others are told; null if there are none
   */
  private record Joining(
      QueueState queue, List<Prepared> jobs, int count, @Nullable EnqueueResult refusal)
      implements Plan<List<EnqueueResult>> {

    @Override
    public List<EnqueueResult> carryOut(OpenBatch batch) {
      Queues.createIfAbsent(batch, queue);
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
      batch.planned().join(queue, count);
    }
  }

  /**
   * The plan that jobs join the queue some of which have unique keys.
   *
   * @param verdicts what becomes of each
   * @param refusal what those are told that there is no room for; null if there are none
   */
  private record KeyedJoining(
      QueueState queue,
      List<Prepared> jobs,
      KeyedJobs keys,
      List<KeyedJobs.Verdict> verdicts,
      @Nullable QueueFull refusal)
      implements Plan<List<EnqueueResult>> {

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
      Moves.end(batch, queue, key, job);
      queue.countRemoved(Total.CANCELLED, job);
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
      batch.planned().join(queue, joining);
    }
  }

  private static JobRecord join(
      OpenBatch batch, QueueState queue, Prepared prepared, KeyedJobs.@Nullable Wanted unique) {
    EnqueueOptions options = prepared.options();
    boolean isRelative = options.visibleAt().isEmpty();
    long visibleAtMs =
        isRelative
            ? batch.nowMs() + options.delay().toMillis()
            : options.visibleAt().get().toEpochMilli();
    boolean isReady = visibleAtMs <= batch.nowMs();
    byte[] concurrencyKey = prepared.concurrencyKey();
    int engineMost = prepared.engineMost();
    byte[] slotKey = isReady && concurrencyKey != null ? prepared.slotKey(queue.number()) : null;
    To blocked =
        concurrencyKey != null
                && slotKey != null
                && Slots.mustWait(batch, queue, slotKey, engineMost)
            ? To.blocked(concurrencyKey)
            : null;
    Keyspace birthKind =
        blocked != null ? Keyspace.BLOCKED : isReady ? Keyspace.READY : Keyspace.DELAYED;
    long birth = batch.state().takeSequence();
    JobRecordBuilder builder =
        JobRecord.builder()
            .birth(birth)
            .birthKind(birthKind)
            .priority(options.priority())
            .weight(options.weight())
            .maxAttempts(options.maxAttempts().orElse(JobRecord.OF_QUEUE))
            .backoff(options.backoff().orElse(null))
            .type(options.type().orElse(null))
            .leaseMs(options.leaseDuration().map(Duration::toMillis).orElse(0L))
            .enqueuedAtMs(batch.nowMs())
            .readyAtMs(batch.nowMs())
            .payload(prepared.payload())
            .expireAtMs(timeToLiveEndMs(options, batch.nowMs()))
            .resultRetentionMs(options.resultRetention().map(Duration::toMillis).orElse(0L))
            .concurrencyKey(concurrencyKey)
            .engineMost(engineMost);
    if (unique != null) {
      unique.addTo(builder, batch.nowMs());
    }
    JobRecord job = builder.build();
    if (prepared.blob() != null) {
      byte[] key = BlobKeys.key(queue.number(), birth, FIRST_BLOB_VERSION);
      batch.put(key, prepared.blob().encode(key));
    }
    long baseMs = isRelative ? batch.nowMs() : 0;
    To to = isReady ? To.LINE_AT_BIRTH : To.visibleAt(batch, visibleAtMs, baseMs);
    Moves.begin(batch, queue, job, blocked != null ? blocked : to);
    queue.countEnqueued(job);
    return job;
  }

  private static long timeToLiveEndMs(EnqueueOptions options, long nowMs) {
    return options.timeToLive().isPresent() ? nowMs + options.timeToLive().get().toMillis() : 0;
  }
}
