package io.millrace.internal.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Backoff;
import io.millrace.api.BatchId;
import io.millrace.api.CorruptDataException;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.api.SignalWait;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.EngineRate;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.WaitingKeys;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A job as a view of the store shows it. */
record JobView(
    JobId id,
    QueueName queue,
    JobState state,
    String type,
    Optional<String> uniqueKey,
    int priority,
    int weight,
    byte[] payload,
    Optional<byte[]> checkpointed,
    Map<String, String> headers,
    Optional<String> concurrencyKey,
    Optional<String> engineConcurrencyKey,
    OptionalInt engineConcurrencyMost,
    Optional<String> engineRateKey,
    Optional<RateLimit> engineRateLimit,
    int attempts,
    int maxAttempts,
    Backoff backoff,
    Instant enqueuedAt,
    Optional<Instant> visibleAt,
    Optional<String> lastError,
    Optional<Instant> diedAt,
    Optional<Job.Running> lease,
    Optional<Instant> completedAt,
    Optional<byte[]> result,
    Optional<Instant> expiresAt,
    Optional<SignalWait> signalWait,
    Optional<BatchId> waitsForBatch,
    Optional<BatchId> batch,
    List<FinishedAttempt> history)
    implements Job {

  JobView {
    history = List.copyOf(history);
  }

  /**
   * Returns the job that is stored, without its history.
   *
   * @throws CorruptDataException its payload is damaged or missing
   */
  static Job of(StoredJob stored, QueueName queue, ViewRows rows) {
    return of(stored, queue, rows, List.of());
  }

  /**
   * Returns the job that is stored, with its history.
   *
   * @throws CorruptDataException its payload or history is damaged or missing
   */
  static Job withHistory(StoredJob stored, QueueName queue, ViewRows rows) {
    return of(stored, queue, rows, stored.history(rows));
  }

  private static Job of(
      StoredJob stored, QueueName queue, ViewRows rows, List<FinishedAttempt> history) {
    JobRecord record = stored.record();
    JobState state = stored.state();
    Payload.Inline content = stored.content(record.payload(), rows);
    QueueSettings settings = rows.settingsOfJobs(queue);
    boolean isKeyOfEngine = record.engineMost() > 0;
    return new JobView(
        record.jobId(stored.queue()),
        queue,
        state,
        stored.type(queue),
        Optional.ofNullable(stored.uniqueKey()),
        record.priority(),
        record.weight(),
        content.payload(),
        Optional.ofNullable(record.checkpointed())
            .map(kept -> stored.content(kept, rows).payload()),
        content.headers(),
        isKeyOfEngine ? Optional.empty() : text(record.concurrencyKey()),
        isKeyOfEngine ? text(record.concurrencyKey()) : Optional.empty(),
        isKeyOfEngine ? OptionalInt.of(record.engineMost()) : OptionalInt.empty(),
        Optional.ofNullable(record.engineRate()).flatMap(rate -> text(rate.key())),
        Optional.ofNullable(record.engineRate()).map(EngineRate::limit),
        stored.attempts(),
        record.maxAttempts(settings),
        record.backoff(settings),
        Instant.ofEpochMilli(record.enqueuedAtMs()),
        state == JobState.DELAYED ? time(stored.visibleAtMs(rows)) : Optional.empty(),
        Optional.ofNullable(record.lastError()),
        state == JobState.DEAD ? time(DeadKeys.timeMs(stored.key())) : Optional.empty(),
        Optional.ofNullable(stored.lease()).map(JobView::running),
        state == JobState.DONE ? time(DoneKeys.timeMs(stored.key())) : Optional.empty(),
        Optional.ofNullable(record.result()),
        expiresAt(state, stored.expireAtMs(rows)),
        state == JobState.WAITING ? signalWait(stored, rows) : Optional.empty(),
        state == JobState.WAITING ? waitsForBatch(stored) : Optional.empty(),
        record.tally() == 0 ? Optional.empty() : Optional.of(new BatchId(record.tally())),
        history);
  }

  private static Optional<String> text(byte @Nullable [] key) {
    return Optional.ofNullable(key).map(bytes -> new String(bytes, UTF_8));
  }

  private static Optional<Instant> time(long ms) {
    return Optional.of(Instant.ofEpochMilli(ms));
  }

  /**
   * Returns when the job is removed, unless it is leased: the record of a leased job may still name
   * the time by which it had to be started.
   */
  private static Optional<Instant> expiresAt(JobState state, long atMs) {
    return atMs != 0 && state != JobState.LEASED ? time(atMs) : Optional.empty();
  }

  private static Job.Running running(LeaseRecord lease) {
    return new Job.Running(
        lease.token(),
        lease.worker(),
        Instant.ofEpochMilli(lease.startedAtMs()),
        lease.cancelRequested());
  }

  private static Optional<SignalWait> signalWait(StoredJob stored, ViewRows rows) {
    byte[] signal = WaitingKeys.signal(stored.key());
    if (TallyKeys.isSignal(signal)) {
      return Optional.empty();
    }
    long deadlineMs = stored.deadlineMs(rows);
    return Optional.of(
        new SignalWait(
            new String(signal, UTF_8),
            Instant.ofEpochMilli(stored.record().waitSinceMs()),
            deadlineMs == 0 ? Optional.empty() : time(deadlineMs)));
  }

  private static Optional<BatchId> waitsForBatch(StoredJob stored) {
    byte[] signal = WaitingKeys.signal(stored.key());
    return TallyKeys.isSignal(signal)
        ? Optional.of(new BatchId(TallyKeys.ofSignal(signal)))
        : Optional.empty();
  }

  @Override
  public byte[] payload() {
    return payload.clone();
  }

  @Override
  public Optional<byte[]> checkpointed() {
    return checkpointed.map(byte[]::clone);
  }

  @Override
  public Optional<byte[]> result() {
    return result.map(byte[]::clone);
  }
}
