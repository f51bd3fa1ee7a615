package io.millrace.internal.format;

import io.millrace.api.Backoff;
import io.millrace.api.JobId;
import io.millrace.api.QueueSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job: the value of a row in READY, DELAYED, BLOCKED, WAITING, DEAD or DONE. The keyspace says
 * the job's state. Immutable; arrays are shared and nobody may change them. {@link JobCodec} and
 * {@link JobField} have the layout.
 *
 * <p>Times are epoch milliseconds. The queue's number is in every key and not in the record.
 */
public final class JobRecord {

  /** The codes of {@link #wakeReason}, of which this is the first. On disk, never change. */
  public static final int WAKE_FIRST = 0;

  public static final int WAKE_RETRY = 1;
  public static final int WAKE_SLEPT = 2;
  public static final int WAKE_SIGNALLED = 3;
  public static final int WAKE_TIMED_OUT = 4;
  public static final int WAKE_TALLIED = 5;

  /** The value of maxAttempts that stands for the queue's setting. */
  public static final int OF_QUEUE = 0;

  private static final int OVERHEAD_BYTES = 400;

  private final JobFields fields;

  JobRecord(JobFields fields) {
    this.fields = fields;
  }

  /**
   * Returns a builder with every field at its default. If birthPriority and readyAtMs are not set,
   * they become priority and enqueuedAtMs when the record is built.
   */
  public static JobRecordBuilder builder() {
    return new JobRecordBuilder(new JobFields());
  }

  /**
   * Returns a builder with this record's fields. A change of priority leaves birthPriority, and so
   * the id, alone.
   */
  public JobRecordBuilder toBuilder() {
    return new JobRecordBuilder(fields.copy());
  }

  /**
   * Returns the record as it is stored at the key.
   *
   * @throws IllegalArgumentException the key is not of this job: it says another priority or
   *     another birth sequence
   */
  public byte[] encode(byte[] key) {
    return JobCodec.encode(fields, key);
  }

  /** Returns the record at the key, which must be in a keyspace of job records. */
  public static JobRecord decode(byte[] key, byte[] value) {
    return JobCodec.decode(key, value);
  }

  /**
   * Returns what a damaged record seems to say of {@link #timerMs}; 0 for nothing. Not to be
   * trusted.
   */
  public static long salvageTimerMs(byte[] key, byte[] value) {
    return JobCodec.salvageTimerMs(key, value);
  }

  /** Returns the id of the job, which is in the queue of this number. */
  public JobId jobId(int queue) {
    return address(queue).toJobId();
  }

  /** Returns the place where the job was born, in the queue of this number. */
  public JobAddress address(int queue) {
    return new JobAddress(queue, birthKind(), birthPriority(), birth());
  }

  /** Returns about how many bytes of heap the record takes. */
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

  /** Returns the sequence that was given at enqueue. */
  public long birth() {
    return fields.birth;
  }

  /** Returns the keyspace where the record was born: READY, DELAYED or BLOCKED. */
  public Keyspace birthKind() {
    return fields.birthKind;
  }

  /** Returns the priority at birth. */
  public int birthPriority() {
    return fields.birthPriority;
  }

  /** Returns the priority now: -128 to 127, higher is served first. */
  public int priority() {
    return fields.priority;
  }

  /** Returns the weight: how much of a worker's capacity the job takes. */
  public int weight() {
    return fields.weight;
  }

  /** Returns the number of counted starts since enqueue or the last redrive; 0 for a fresh job. */
  public int attempts() {
    return fields.count(JobField.ATTEMPTS);
  }

  /** Returns the most counted starts until the job is dead, in a queue with these settings. */
  public int maxAttempts(QueueSettings queue) {
    return fields.maxAttempts == OF_QUEUE ? queue.maxAttempts() : fields.maxAttempts;
  }

  /** Returns the job's own limit of counted starts; 0 if the queue's setting holds. */
  public int ownMaxAttempts() {
    return fields.maxAttempts;
  }

  /** Returns the backoff after a failure, in a queue with these settings. */
  public Backoff backoff(QueueSettings queue) {
    return fields.backoff == null ? queue.backoff() : fields.backoff;
  }

  /** Returns the type of the job; null if it is named like its queue. */
  public @Nullable String type() {
    return fields.get(JobField.TYPE);
  }

  /** Returns how long a lease lasts when the claim does not say; 0 for the queue's setting. */
  public long leaseMs() {
    return fields.number(JobField.LEASE_MS);
  }

  /** Returns the time at which the job was enqueued. */
  public long enqueuedAtMs() {
    return fields.enqueuedAtMs;
  }

  /** Returns the time at which the job last entered READY; enqueuedAtMs if it was never set. */
  public long readyAtMs() {
    return fields.readyAtMs;
  }

  /**
   * Returns the steady time from which a delay of a length counts; 0 if the job waits until an
   * instant, or does not wait.
   */
  public long delayBaseMs() {
    return fields.number(JobField.DELAY_BASE_MS);
  }

  /** Returns payload and headers, or a reference to the row that holds them. */
  public Payload payload() {
    return fields.payload;
  }

  /**
   * Returns what the last checkpoint kept, without headers, or a reference to the row that holds
   * it; null for none.
   */
  public @Nullable Payload checkpointed() {
    Payload blob = fields.get(JobField.CHECKPOINTED_BLOB);
    return blob == null ? fields.get(JobField.CHECKPOINTED) : blob;
  }

  /** Returns the length of payload, headers and checkpoint, in bytes of UTF-8. */
  public long contentBytes() {
    Payload checkpointed = checkpointed();
    return payload().contentBytes() + (checkpointed == null ? 0 : checkpointed.contentBytes());
  }

  /** Returns the version of the BLOB row that the checkpoint is in; 0 if there is none. */
  public int checkpointedVersion() {
    Payload checkpointed = checkpointed();
    return checkpointed == null ? 0 : checkpointed.blobVersion();
  }

  /**
   * Returns the references to the job's BLOB rows: of its payload, of its checkpoint, of both or
   * none.
   */
  public List<Payload.InBlob> blobs() {
    Payload.InBlob ofPayload = payload() instanceof Payload.InBlob blob ? blob : null;
    Payload.InBlob ofCheckpoint = checkpointed() instanceof Payload.InBlob blob ? blob : null;
    if (ofPayload == null) {
      return ofCheckpoint == null ? List.of() : List.of(ofCheckpoint);
    }
    return ofCheckpoint == null ? List.of(ofPayload) : List.of(ofPayload, ofCheckpoint);
  }

  /** Returns a version that no BLOB row of the job has. */
  public int nextBlobVersion() {
    return Math.max(payload().blobVersion(), checkpointedVersion()) + 1;
  }

  /** Tells whether the record refers to this BLOB row, which has the given version and content. */
  public boolean names(int version, BlobRecord row) {
    return blobs().stream().anyMatch(blob -> blob.isMet(version, row));
  }

  /** Returns the error of the last counted attempt; null for none. */
  public @Nullable String lastError() {
    return fields.get(JobField.LAST_ERROR);
  }

  /** Returns the start of the first lease; 0 for never. */
  public long firstStartedAtMs() {
    return fields.number(JobField.FIRST_STARTED_AT_MS);
  }

  /** Returns the end of the last lease; 0 for never. */
  public long lastEndedAtMs() {
    return fields.number(JobField.LAST_ENDED_AT_MS);
  }

  /**
   * Returns the number of counted starts before the last redrive. Together with attempts() it gives
   * the attempts over the job's life.
   */
  public int earlierAttempts() {
    return fields.count(JobField.EARLIER_ATTEMPTS);
  }

  /**
   * Returns the steady time at which the job's TIMER row is due; 0 for none. For a job that nobody
   * has started it is the end of the time to live, for one that is dead or done the end of its
   * retention. A leased job has no such row, and a job that was leased is not rewritten until it
   * moves: there this value means nothing.
   */
  public long expireAtMs() {
    return fields.number(JobField.EXPIRE_AT_MS);
  }

  /** Returns how long the job is to be kept once it is completed; 0 for the queue's setting. */
  public long resultRetentionMs() {
    return fields.number(JobField.RESULT_RETENTION_MS);
  }

  /** Returns the unique key that the job was enqueued with; null for none. */
  public byte @Nullable [] uniqueKey() {
    return fields.get(JobField.UNIQUE_KEY);
  }

  /**
   * Tells whether the job, whose record is in the given keyspace, holds its unique key until its
   * start or its end. Under the scope FOR a key is held by the clock alone, so this is false.
   */
  public boolean holdsUniqueKey(Keyspace place) {
    int scope = uniqueScope();
    return (scope == UniqueRecord.UNTIL_STARTED || scope == UniqueRecord.UNTIL_FINISHED)
        && !StateTraits.in(place).isEnd();
  }

  /** Returns the scope of the unique key, one of those in UniqueRecord; 0 for none. */
  public int uniqueScope() {
    return fields.count(JobField.UNIQUE_SCOPE);
  }

  /** Returns the steady time at which the unique key is free again under scope FOR. */
  public long uniqueUntilMs() {
    return fields.number(JobField.UNIQUE_UNTIL_MS);
  }

  /** Returns the concurrency key; null for none. */
  public byte @Nullable [] concurrencyKey() {
    return fields.get(JobField.CONCURRENCY_KEY);
  }

  /**
   * Returns the number of holders of the concurrency key, in all queues together, below which the
   * job may go on. 0 if the key belongs to the job's queue, whose setting says that.
   */
  public int engineMost() {
    return fields.count(JobField.ENGINE_MOST);
  }

  /**
   * Tells whether the job, which is delayed or waits for a signal, keeps the slot of its
   * concurrency key meanwhile. A job that is ready or leased has a slot in any case, and this value
   * means nothing.
   */
  public boolean holdsSlot() {
    return fields.flag(JobField.HOLDS_SLOT);
  }

  /** Tells whether the job, which is in the given state, has a slot of its concurrency key. */
  public boolean isSlotHolder(StateTraits state) {
    return state.slot() == StateTraits.Slot.HELD || holdsSlot();
  }

  /** Returns the rate limit over all queues by which the job is started; null for none. */
  public @Nullable EngineRate engineRate() {
    return fields.get(JobField.ENGINE_RATE);
  }

  /** Returns the signal that the job waits for, or waited for last; null for none. */
  public byte @Nullable [] signal() {
    return fields.get(JobField.SIGNAL);
  }

  /**
   * Tells whether there may be a row of {@link InboxKeys} with signals that are kept for the job.
   */
  public boolean hasInbox() {
    return inboxCount() > 0;
  }

  /**
   * Returns the number of signals that are kept for the job. Fewer are there if some are lost; 1
   * may stand for more.
   */
  public int inboxCount() {
    return fields.count(JobField.INBOX_COUNT);
  }

  /** Returns a bound for the slots of the kept signals' long payloads: each slot is below this. */
  public int inboxSlots() {
    return fields.count(JobField.INBOX_SLOTS);
  }

  /** Returns the time since which a waiting job has waited. */
  public long waitSinceMs() {
    return fields.number(JobField.WAIT_SINCE_MS);
  }

  /**
   * Returns the least sequence of a broadcast that reaches the waiting job; 0 if it does not wait.
   */
  public long waitSequence() {
    return fields.number(JobField.WAIT_SEQUENCE);
  }

  /**
   * Returns the steady time at which a wait for a signal ends that lasts for a length of time. 0 if
   * it lasts until an instant, or for as long as it takes, or if the job does not wait.
   */
  public long waitSteadyEndMs() {
    return fields.number(JobField.WAIT_STEADY_END_MS);
  }

  /**
   * Returns the time in the key of the job's TIMER row, given the keyspace of its record; 0 for
   * none. A leased job has no such row.
   */
  public long timerMs(Keyspace place) {
    TimerKeys.Kind timer = StateTraits.in(place).timer();
    JobField<Long> time = timer == null ? null : timer.timeOfJob();
    return time == null ? 0 : fields.number(time);
  }

  /**
   * Returns {@link #timerMs} of a waiting job. In records of older versions it is engine time, also
   * for a wait of a length.
   */
  public long waitTimerMs() {
    return fields.number(JobField.WAIT_TIMER_MS);
  }

  /** Returns the engine time at which a wait ends that lasts until an instant; 0 for all others. */
  public long waitInstantMs() {
    if (waitSteadyEndMs() != 0) {
      return 0;
    }
    return waitTimerMs() < TimerKeys.INSTANT ? waitTimerMs() : waitTimerMs() - TimerKeys.INSTANT;
  }

  /** Returns the number of the tally that counts the job; 0 for none. */
  public long tally() {
    return fields.number(JobField.TALLY);
  }

  /**
   * Returns the code of the condition for which the job waits for a tally, which is named by its
   * signal; 0 if it does not.
   */
  public int tallyCondition() {
    return fields.count(JobField.TALLY_CONDITION);
  }

  /** Returns the payload of the signal that woke the job; null for none. */
  public byte @Nullable [] signalPayload() {
    return fields.get(JobField.SIGNAL_PAYLOAD);
  }

  /** Returns the reason for which the next lease begins: one of the WAKE codes. */
  public int wakeReason() {
    return fields.count(JobField.WAKE_REASON);
  }

  /** Returns the result that the job was completed with; null for none. */
  public byte @Nullable [] result() {
    return fields.get(JobField.RESULT);
  }

  /** Tells whether a cancel was requested while the job was leased. */
  public boolean cancelRequested() {
    return fields.flag(JobField.CANCEL_REQUESTED);
  }

  /** Tells whether both records would be stored as the same bytes. */
  @Override
  public boolean equals(Object other) {
    return other instanceof JobRecord that
        && Arrays.equals(JobCodec.canonical(fields), JobCodec.canonical(that.fields));
  }

  @Override
  public int hashCode() {
    return Long.hashCode(fields.birth);
  }

  /** Returns a text for messages, without payload, keys and errors. */
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
