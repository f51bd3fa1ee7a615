package io.millrace.internal.format;

import io.millrace.api.Backoff;
import io.millrace.api.JobId;
import io.millrace.api.QueueSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job: its value in READY, DELAYED, BLOCKED, WAITING, DEAD and DONE; which of them says its
 * state. Immutable; arrays are shared and nobody may change them. {@link JobCodec} and {@link
 * JobField} have the layout.
 *
 * <p>Times are epoch milliseconds. The queue's number is in every key and not in here.
 */
public final class JobRecord {

  /** Codes of {@link #wakeReason}. On disk, never change. */
  public static final int WAKE_FIRST = 0;

  public static final int WAKE_RETRY = 1;
  public static final int WAKE_SLEPT = 2;
  public static final int WAKE_SIGNALLED = 3;
  public static final int WAKE_TIMED_OUT = 4;

  /** For maxAttempts: what the queue says. */
  public static final int OF_QUEUE = 0;

  private static final int OVERHEAD_BYTES = 400;

  private final JobFields fields;

  JobRecord(JobFields fields) {
    this.fields = fields;
  }

  /**
   * A builder with every field at its default; birthPriority and readyAtMs, when not set, become
   * what priority and enqueuedAtMs are when the record is built.
   */
  public static JobRecordBuilder builder() {
    return new JobRecordBuilder(new JobFields());
  }

  /**
   * A builder with this record's fields: a change of priority leaves birthPriority, and so the id,
   * alone.
   */
  public JobRecordBuilder toBuilder() {
    return new JobRecordBuilder(fields.copy());
  }

  /**
   * The record as it is stored at the key.
   *
   * @throws IllegalArgumentException the key is not of this job: it says another priority or
   *     another birth sequence
   */
  public byte[] encode(byte[] key) {
    return JobCodec.encode(fields, key);
  }

  /** The record at the key, which must be in a keyspace of job records. */
  public static JobRecord decode(byte[] key, byte[] value) {
    return JobCodec.decode(key, value);
  }

  /** What a damaged record seems to say of {@link #timerMs}; 0 if nothing. Not to be trusted. */
  public static long salvageTimerMs(byte[] key, byte[] value) {
    return JobCodec.salvageTimerMs(key, value);
  }

  /** The id of the job, which is in the queue of this number. */
  public JobId jobId(int queue) {
    return address(queue).toJobId();
  }

  /** Where the job was born, in the queue of this number. */
  public JobAddress address(int queue) {
    return new JobAddress(queue, birthKind(), birthPriority(), birth());
  }

  /** About how much heap the record takes. */
  public int memoryBytes() {
    long bytes = OVERHEAD_BYTES;
    if (fields.payload instanceof Payload.Inline inline) {
      bytes += inline.payload().length;
      for (Map.Entry<String, String> header : inline.headers().entrySet()) {
        bytes += 160 + 2L * (header.getKey().length() + header.getValue().length());
      }
    }
    return (int) Math.min(bytes + fields.valuesBytes(), Integer.MAX_VALUE);
  }

  /** The sequence given at enqueue. */
  public long birth() {
    return fields.birth;
  }

  /** Where the record was born: READY, DELAYED, BLOCKED or WAITING. */
  public Keyspace birthKind() {
    return fields.birthKind;
  }

  /** The priority at birth. */
  public int birthPriority() {
    return fields.birthPriority;
  }

  /** The priority now: -128 to 127, higher is served first. */
  public int priority() {
    return fields.priority;
  }

  /** How much of a worker's capacity the job takes. */
  public int weight() {
    return fields.weight;
  }

  /** Counted starts since enqueue or the last redrive; 0 for a fresh job. */
  public int attempts() {
    return fields.count(JobField.ATTEMPTS);
  }

  /** How many starts count until the job is dead, in a queue of these settings. */
  public int maxAttempts(QueueSettings queue) {
    return fields.maxAttempts == OF_QUEUE ? queue.maxAttempts() : fields.maxAttempts;
  }

  /** How many starts count until the job is dead; 0 if the queue says. */
  public int ownMaxAttempts() {
    return fields.maxAttempts;
  }

  /** How long the job waits after a failure, in a queue of these settings. */
  public Backoff backoff(QueueSettings queue) {
    return fields.backoff == null ? queue.backoff() : fields.backoff;
  }

  /** How long the job waits after a failure; null if the queue says. */
  public @Nullable Backoff ownBackoff() {
    return fields.backoff;
  }

  /** What kind of work it is; null if it is named as its queue. */
  public @Nullable String type() {
    return fields.get(JobField.TYPE);
  }

  /** How long a lease lasts when the claim does not say; 0 for the queue's. */
  public long leaseMs() {
    return fields.number(JobField.LEASE_MS);
  }

  /** When the job was enqueued. */
  public long enqueuedAtMs() {
    return fields.enqueuedAtMs;
  }

  /** When the job last entered READY; as enqueuedAtMs if it was never set. */
  public long readyAtMs() {
    return fields.readyAtMs;
  }

  /**
   * The steady time from which a delay of a length counts; 0 if the job waits until an instant, or
   * does not wait.
   */
  public long delayBaseMs() {
    return fields.number(JobField.DELAY_BASE_MS);
  }

  /** Payload and headers, or where they are. */
  public Payload payload() {
    return fields.payload;
  }

  /** What the last checkpoint kept, without headers, or where it is; null for none. */
  public @Nullable Payload state() {
    Payload blob = fields.get(JobField.STATE_BLOB);
    return blob == null ? fields.get(JobField.STATE) : blob;
  }

  /** Length of payload, headers and state, in bytes of UTF-8. */
  public long contentBytes() {
    Payload state = state();
    return payload().contentBytes() + (state == null ? 0 : state.contentBytes());
  }

  /** Version of the BLOB row that the state is in; 0 if there is none. */
  public int stateVersion() {
    Payload state = state();
    return state == null ? 0 : state.blobVersion();
  }

  /** What the job has in BLOB rows: its payload, its state, both or nothing. */
  public List<Payload.InBlob> blobs() {
    Payload.InBlob ofPayload = payload() instanceof Payload.InBlob blob ? blob : null;
    Payload.InBlob ofState = state() instanceof Payload.InBlob blob ? blob : null;
    if (ofPayload == null) {
      return ofState == null ? List.of() : List.of(ofState);
    }
    return ofState == null ? List.of(ofPayload) : List.of(ofPayload, ofState);
  }

  /** A version that no BLOB row of the job has. */
  public int nextBlobVersion() {
    return Math.max(payload().blobVersion(), stateVersion()) + 1;
  }

  /** Whether the job has in the BLOB row of this version what is there. */
  public boolean names(int version, BlobRecord row) {
    return blobs().stream().anyMatch(blob -> blob.isMet(version, row));
  }

  /** What the last counted attempt failed of. */
  public @Nullable String lastError() {
    return fields.get(JobField.LAST_ERROR);
  }

  /** When the first lease began; 0 for never. */
  public long firstStartedAtMs() {
    return fields.number(JobField.FIRST_STARTED_AT_MS);
  }

  /** When the last lease began; 0 for never. */
  public long lastStartedAtMs() {
    return fields.number(JobField.LAST_STARTED_AT_MS);
  }

  /** When the last lease ended; 0 for never. */
  public long lastEndedAtMs() {
    return fields.number(JobField.LAST_ENDED_AT_MS);
  }

  /** Who had the last lease. */
  public @Nullable String lastWorker() {
    return fields.get(JobField.LAST_WORKER);
  }

  /** When the job died; 0 for never. */
  public long diedAtMs() {
    return fields.number(JobField.DIED_AT_MS);
  }

  /**
   * Counted starts before the last redrive: attempts over the job's life are these and attempts().
   */
  public int earlierAttempts() {
    return fields.count(JobField.EARLIER_ATTEMPTS);
  }

  /**
   * The steady time at which the job's TIMER row is due; 0 for none. Of a job that nobody has
   * started it is the end of the time to live, of one that is dead or done the end of its
   * retention. A leased job has no such row, and one that was leased is not rewritten until it
   * moves: there this means nothing.
   */
  public long expireAtMs() {
    return fields.number(JobField.EXPIRE_AT_MS);
  }

  /** How long the job is to be kept once it is completed; 0 for what the queue says. */
  public long resultRetentionMs() {
    return fields.number(JobField.RESULT_RETENTION_MS);
  }

  /** The unique key that the job was enqueued with. */
  public byte @Nullable [] uniqueKey() {
    return fields.get(JobField.UNIQUE_KEY);
  }

  /**
   * Whether the job, which is in this state, holds its unique key until something happens to it:
   * its end, or its start. Under the scope FOR a key is held by the clock alone.
   */
  public boolean holdsUniqueKey(Keyspace place) {
    int scope = uniqueScope();
    return (scope == UniqueRecord.UNTIL_STARTED || scope == UniqueRecord.UNTIL_FINISHED)
        && place != Keyspace.DEAD
        && place != Keyspace.DONE;
  }

  /** 0 for none, else a scope of UniqueRecord. */
  public int uniqueScope() {
    return fields.count(JobField.UNIQUE_SCOPE);
  }

  /** When the unique key is free again under scope FOR. */
  public long uniqueUntilMs() {
    return fields.number(JobField.UNIQUE_UNTIL_MS);
  }

  /** The concurrency key. */
  public byte @Nullable [] concurrencyKey() {
    return fields.get(JobField.CONCURRENCY_KEY);
  }

  /**
   * Fewer holders of the concurrency key than this let the job go on, in all queues together; 0 if
   * the key belongs to the job's queue, whose setting says that.
   */
  public int engineMost() {
    return fields.count(JobField.ENGINE_MOST);
  }

  /**
   * Whether the job, which is delayed or waits for a signal, keeps the slot of its concurrency key
   * meanwhile. One that is ready or leased has one in any case, and this says nothing of it.
   */
  public boolean holdsSlot() {
    return fields.flag(JobField.HOLDS_SLOT);
  }

  /** The rate limit over all queues by which the job is started; null for none. */
  public @Nullable EngineRate engineRate() {
    return fields.get(JobField.ENGINE_RATE);
  }

  /** The signal that the job waits for, or waited for last. */
  public byte @Nullable [] signal() {
    return fields.get(JobField.SIGNAL);
  }

  /** Whether a row of {@link InboxKeys} may be there with signals that are kept for the job. */
  public boolean hasInbox() {
    return inboxCount() > 0;
  }

  /** Answers how many signals are kept for the job, unless some are lost; 1 may be more. */
  public int inboxCount() {
    return fields.count(JobField.INBOX_COUNT);
  }

  /** A payload of these signals that is in a row of its own has a slot below this. */
  public int inboxSlots() {
    return fields.count(JobField.INBOX_SLOTS);
  }

  /** Since when a waiting job has waited. */
  public long waitSinceMs() {
    return fields.number(JobField.WAIT_SINCE_MS);
  }

  /** The least sequence of a broadcast that a waiting job has waited for; 0 if it does not wait. */
  public long waitSequence() {
    return fields.number(JobField.WAIT_SEQUENCE);
  }

  /**
   * The steady time at which the wait for a signal is over that was to last for a length of time; 0
   * if it lasts until an instant, for as long as it takes, or if the job does not wait.
   */
  public long waitSteadyEndMs() {
    return fields.number(JobField.WAIT_STEADY_END_MS);
  }

  /**
   * The time in the key of the TIMER row of the job, whose record is there; 0 for none. A leased
   * job has none.
   */
  public long timerMs(Keyspace place) {
    return place == Keyspace.WAITING ? waitTimerMs() : expireAtMs();
  }

  /** As that, of a job that waits; of older versions it is engine time, whatever the wait is. */
  public long waitTimerMs() {
    return fields.number(JobField.WAIT_TIMER_MS);
  }

  /** The engine time at which the wait is over that lasts until an instant; 0 for all others. */
  public long waitInstantMs() {
    if (waitSteadyEndMs() != 0) {
      return 0;
    }
    return waitTimerMs() < TimerKeys.INSTANT ? waitTimerMs() : waitTimerMs() - TimerKeys.INSTANT;
  }

  /** The payload of the signal that woke the job. */
  public byte @Nullable [] signalPayload() {
    return fields.get(JobField.SIGNAL_PAYLOAD);
  }

  /** Why the next lease begins: one of the WAKE codes. */
  public int wakeReason() {
    return fields.count(JobField.WAKE_REASON);
  }

  /** What the job was completed with. */
  public byte @Nullable [] result() {
    return fields.get(JobField.RESULT);
  }

  /** Whether a cancel was requested while the job was leased. */
  public boolean cancelRequested() {
    return fields.flag(JobField.CANCEL_REQUESTED);
  }

  /** Two records are equal if they would be stored as the same bytes. */
  @Override
  public boolean equals(Object other) {
    return other instanceof JobRecord that
        && Arrays.equals(JobCodec.canonical(fields), JobCodec.canonical(that.fields));
  }

  @Override
  public int hashCode() {
    return Long.hashCode(fields.birth);
  }

  /** No payload, no keys, no errors: for messages. */
  @Override
  public String toString() {
    return "JobRecord[birth="
        + birth()
        + ", birthKind="
        + birthKind()
        + ", priority="
        + priority()
        + ", attempts="
        + attempts()
        + "/"
        + ownMaxAttempts()
        + "]";
  }
}
