package io.millrace.internal.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Ahead;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.explain.JobFacts;
import io.millrace.internal.explain.JobFacts.Before;
import io.millrace.internal.explain.JobFacts.Held;
import io.millrace.internal.explain.JobFacts.Key;
import io.millrace.internal.explain.JobFacts.Line;
import io.millrace.internal.explain.JobFacts.Wait;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.EngineRate;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TurnKeys;
import io.millrace.internal.format.WaitingKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A look into the store at one job and at what holds it.
 *
 * <p>The number of rows read is bounded: of the job's own line and of the blocked jobs of its key
 * {@value Explanation#PLACE_MAX} rows, a few times as many to find {@link SlotHolders the holders
 * of its key}; of a batch for which it waits as many dead letters of each queue. Jobs of higher
 * priorities are counted by the queue's counters. Rows that are damaged and are not the job's own
 * are passed over, and told to whoever sets them aside.
 */
final class JobHolds {

  private final ViewRows rows;
  private final QueueName name;
  private final StoredJob job;
  private final Neighbours neighbours;

  JobHolds(ViewRows rows, QueueName name, StoredJob job) {
    this.rows = rows;
    this.name = name;
    this.job = job;
    this.neighbours = new Neighbours(rows);
  }

  JobFacts facts() {
    JobRecord record = job.record();
    JobState state = job.state();
    return new JobFacts(
        record.jobId(job.queue()),
        name,
        state,
        rows.commit(),
        record.birth(),
        record.weight(),
        attempts(),
        Optional.ofNullable(job.lease()).map(JobHolds::held).orElse(null),
        sinceMs(state),
        state == JobState.LEASED ? 0 : job.expireAtMs(rows),
        state == JobState.DELAYED ? waiting() : null,
        state == JobState.BLOCKED ? key() : null,
        state == JobState.READY ? line() : null,
        isPaused(),
        state == JobState.WAITING ? signal() : null,
        state == JobState.WAITING ? batch() : null);
  }

  private JobFacts.@Nullable Signal signal() {
    byte[] signal = WaitingKeys.signal(job.key());
    if (TallyKeys.isSignal(signal)) {
      return null;
    }
    JobRecord record = job.record();
    return new JobFacts.Signal(
        new String(signal, UTF_8), record.waitSinceMs(), job.deadlineMs(rows));
  }

  private JobFacts.@Nullable AwaitedBatch batch() {
    byte[] signal = WaitingKeys.signal(job.key());
    return TallyKeys.isSignal(signal)
        ? new AwaitedTally(rows, TallyKeys.ofSignal(signal)).facts()
        : null;
  }

  private JobFacts.Attempts attempts() {
    JobRecord record = job.record();
    return new JobFacts.Attempts(
        job.attempts(), record.maxAttempts(rows.settingsOfJobs(name)), record.lastError());
  }

  private static Held held(LeaseRecord lease) {
    return new Held(
        lease.token(),
        lease.worker(),
        lease.attempt(),
        lease.startedAtMs(),
        0,
        lease.cancelRequested());
  }

  private long sinceMs(JobState state) {
    if (!StateTraits.of(state).isEnd()) {
      return 0;
    }
    return switch (state) {
      case DEAD -> DeadKeys.timeMs(job.key());
      case DONE -> DoneKeys.timeMs(job.key());
      default -> throw new IllegalStateException("end has no time: state=" + state);
    };
  }

  private Wait waiting() {
    JobRecord record = job.record();
    Before before =
        switch (record.wakeReason()) {
          case JobRecord.WAKE_RETRY -> Before.FAILED;
          case JobRecord.WAKE_SLEPT -> Before.SNOOZED;
          default -> Before.ENQUEUED;
        };
    return new Wait(job.visibleAtMs(rows), record.delayBaseMs() != 0, before);
  }

  private boolean isPaused() {
    byte[] key = QueueKeys.key(name);
    try {
      QueueRecord queue = rows.get(key, QueueRecord::decode);
      return queue != null && queue.paused();
    } catch (CorruptDataException e) {
      rows.passOver(key);
      return false;
    }
  }

  private Key key() {
    byte[] slotKey = SlotKeys.ofBlocked(job.key());
    boolean isOfEngine = SlotKeys.isOfEngine(slotKey);
    int count = rows.count(blockedBefore(slotKey, isOfEngine), Explanation.PLACE_MAX + 1);
    boolean isExact = count <= Explanation.PLACE_MAX;
    SlotHolders holders = new SlotHolders(rows, job.queue(), slotKey);
    List<JobFacts.KeyHolder> found = holders.find(counters());
    return new Key(
        new String(SlotKeys.concurrencyKey(slotKey), UTF_8),
        isOfEngine,
        isOfEngine ? job.record().engineMost() : rows.settingsOfJobs(name).perKey(),
        holders.count(),
        found,
        new Ahead(Math.min(count, Explanation.PLACE_MAX), isExact));
  }

  /**
   * Returns the range of the blocked jobs of the key that go before this one; of a key of the
   * engine, the range of their turns.
   */
  private KeyRange blockedBefore(byte[] slotKey, boolean isOfEngine) {
    return isOfEngine
        ? new KeyRange(TurnKeys.start(slotKey), TurnKeys.ofBlocked(job.key()))
        : new KeyRange(BlockedKeys.start(job.queue(), SlotKeys.concurrencyKey(slotKey)), job.key());
  }

  /** Returns the job's place among those of its priority, after all of higher ones. */
  private Line line() {
    int priority = ReadyKeys.priority(job.key());
    long higher = 0;
    long head = 0;
    for (CountersRecord.ReadyRow used : counters().ready()) {
      higher += used.priority() > priority ? used.readyCount() : 0;
      head = used.priority() == priority ? used.headSequence() : head;
    }
    KeyRange rest = new KeyRange(ReadyKeys.key(job.queue(), priority, head), job.key());
    List<Long> births = new ArrayList<>();
    int seen = 0;
    List<Row> chunk = rows.chunk(rest, Explanation.PLACE_MAX);
    while (!chunk.isEmpty() && seen < Explanation.PLACE_MAX && !rows.isOverTime()) {
      for (StoredJob ready : neighbours.unleased(chunk)) {
        births.add(ready.record().birth());
      }
      seen += chunk.size();
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = rows.chunk(rest, Math.max(1, Explanation.PLACE_MAX - seen));
    }
    return new Line(
        priority,
        ReadyKeys.sequence(job.key()),
        higher,
        births,
        chunk.isEmpty(),
        SlotKeys.ofJob(job.queue(), job.record()),
        engineLimit(),
        rows.settingsOfJobs(name));
  }

  private JobFacts.@Nullable EngineLimit engineLimit() {
    EngineRate rate = job.record().engineRate();
    return rate == null
        ? null
        : new JobFacts.EngineLimit(new String(rate.key(), UTF_8), rate.limit());
  }

  /**
   * Returns the queue's counters; empty ones if they are damaged. Without counters nobody knows
   * where lines begin, and these are read from their start.
   */
  private CountersRecord counters() {
    try {
      return rows.counters(job.queue());
    } catch (CorruptDataException e) {
      rows.passOver(CounterKeys.key(job.queue()));
      return CountersRecord.empty();
    }
  }
}
