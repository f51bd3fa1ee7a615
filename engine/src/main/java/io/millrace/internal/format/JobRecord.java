package io.millrace.internal.format;

import io.millrace.api.Backoff;
import io.millrace.api.JobId;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job: its value in READY, DELAYED, BLOCKED, WAITING, DEAD and DONE; which of them says its
 * state. Immutable; arrays are shared and nobody may change them. {@link JobCodec} has the layout.
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

  private static final int OVERHEAD_BYTES = 400;

  private final JobFields fields;

  private JobRecord(JobFields fields) {
    this.fields = fields;
  }

  /**
   * A builder with every field at its default; birthPriority and readyAtMs, when not set, become
   * what priority and enqueuedAtMs are when the record is built.
   */
  public static Builder builder() {
    return new Builder(new JobFields());
  }

  /**
   * A builder with this record's fields: a change of priority leaves birthPriority, and so the id,
   * alone.
   */
  public Builder toBuilder() {
    return new Builder(fields.copy());
  }

  /**
   * The record as it is stored at the key.
   *
   * @throws IllegalArgumentException the key is not of this job: it says another priority or
   *     another birth sequence
   */
  public byte[] encode(byte[] key) {
    return JobCodec.encode(this, key);
  }

  /** The record at the key, which must be in a keyspace of job records. */
  public static JobRecord decode(byte[] key, byte[] value) {
    return JobCodec.decode(key, value);
  }

  /** What a damaged record seems to say of {@link #expireAtMs}; 0 if nothing. Not to be trusted. */
  public static long salvageExpireAtMs(byte[] key, byte[] value) {
    return JobCodec.salvageExpireAtMs(key, value);
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
    bytes += lengthBytes(fields.extras().lastError) + lengthBytes(fields.extras().lastWorker);
    bytes += lengthBytes(fields.extras().uniqueKey) + lengthBytes(fields.extras().concurrencyKey);
    bytes += lengthBytes(fields.extras().signal) + lengthBytes(fields.extras().signalPayload);
    bytes += lengthBytes(fields.extras().result);
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  private static long lengthBytes(byte @Nullable [] bytes) {
    return bytes == null ? 0 : 16L + bytes.length;
  }

  private static long lengthBytes(@Nullable String text) {
    return text == null ? 0 : 40L + 2L * text.length();
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
    return fields.attempts;
  }

  /** How many starts count until the job is dead. */
  public int maxAttempts() {
    return fields.maxAttempts;
  }

  /** How long the job waits after a failure. */
  public Backoff backoff() {
    return fields.backoff;
  }

  /** How long a lease lasts when the claim does not say; 0 for the queue's. */
  public long leaseMs() {
    return fields.leaseMs;
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
    return fields.delayBaseMs;
  }

  /** Payload and headers, or where they are. */
  public Payload payload() {
    return fields.payload;
  }

  /** What the last counted attempt failed of. */
  public @Nullable String lastError() {
    return fields.extras().lastError;
  }

  /** When the first lease began; 0 for never. */
  public long firstStartedAtMs() {
    return fields.extras().firstStartedAtMs;
  }

  /** When the last lease began; 0 for never. */
  public long lastStartedAtMs() {
    return fields.extras().lastStartedAtMs;
  }

  /** When the last lease ended; 0 for never. */
  public long lastEndedAtMs() {
    return fields.extras().lastEndedAtMs;
  }

  /** Who had the last lease. */
  public @Nullable String lastWorker() {
    return fields.extras().lastWorker;
  }

  /** When the job died; 0 for never. */
  public long diedAtMs() {
    return fields.extras().diedAtMs;
  }

  /**
   * Counted starts before the last redrive: attempts over the job's life are these and attempts().
   */
  public int earlierAttempts() {
    return fields.extras().earlierAttempts;
  }

  /**
   * When the job's TIMER row is due; 0 for none. Of a job that nobody has started it is the end of
   * the time to live, of one that is dead or done the end of its retention. A leased job has no
   * such row, and one that was leased is not rewritten until it moves: there this means nothing.
   */
  public long expireAtMs() {
    return fields.expireAtMs;
  }

  /** How long the job is to be kept once it is completed; 0 for what the queue says. */
  public long resultRetentionMs() {
    return fields.resultRetentionMs;
  }

  /** The unique key that the job was enqueued with. */
  public byte @Nullable [] uniqueKey() {
    return fields.extras().uniqueKey;
  }

  /** 0 for none, else a scope of UniqueRecord. */
  public int uniqueScope() {
    return fields.extras().uniqueScope;
  }

  /** When the unique key is free again under scope FOR. */
  public long uniqueUntilMs() {
    return fields.extras().uniqueUntilMs;
  }

  /** The concurrency key. */
  public byte @Nullable [] concurrencyKey() {
    return fields.extras().concurrencyKey;
  }

  /** The signal that the job waits for, or waited for last. */
  public byte @Nullable [] signal() {
    return fields.extras().signal;
  }

  /** When a waiting job wakes timed out; 0 for never. */
  public long signalDeadlineMs() {
    return fields.extras().signalDeadlineMs;
  }

  /** The payload of the signal that woke the job. */
  public byte @Nullable [] signalPayload() {
    return fields.extras().signalPayload;
  }

  /** Why the next lease begins: one of the WAKE codes. */
  public int wakeReason() {
    return fields.extras().wakeReason;
  }

  /** What the job was completed with. */
  public byte @Nullable [] result() {
    return fields.extras().result;
  }

  /** Whether a cancel was requested while the job was leased. */
  public boolean cancelRequested() {
    return fields.extras().cancelRequested;
  }

  /** Two records are equal if they would be stored as the same bytes. */
  @Override
  public boolean equals(Object other) {
    return other instanceof JobRecord that
        && Arrays.equals(JobCodec.canonical(this), JobCodec.canonical(that));
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
        + maxAttempts()
        + "]";
  }

  /** Makes one record, whose fields it fills: not to be used after {@link #build}. */
  public static final class Builder {

    private @Nullable JobFields unbuilt;

    private Builder(JobFields fields) {
      this.unbuilt = fields;
    }

    private JobFields fields() {
      return Objects.requireNonNull(unbuilt, "builder has built its record");
    }

    public Builder birth(long value) {
      fields().birth = value;
      return this;
    }

    public Builder birthKind(Keyspace value) {
      fields().birthKind = Objects.requireNonNull(value, "birthKind");
      return this;
    }

    public Builder birthPriority(int value) {
      fields().birthPriority = value;
      return this;
    }

    public Builder priority(int value) {
      fields().priority = value;
      return this;
    }

    public Builder weight(int value) {
      fields().weight = value;
      return this;
    }

    public Builder attempts(int value) {
      fields().attempts = value;
      return this;
    }

    public Builder maxAttempts(int value) {
      fields().maxAttempts = value;
      return this;
    }

    public Builder backoff(Backoff value) {
      fields().backoff = Objects.requireNonNull(value, "backoff");
      return this;
    }

    public Builder leaseMs(long value) {
      fields().leaseMs = value;
      return this;
    }

    public Builder enqueuedAtMs(long value) {
      fields().enqueuedAtMs = value;
      return this;
    }

    public Builder readyAtMs(long value) {
      fields().readyAtMs = value;
      return this;
    }

    public Builder delayBaseMs(long value) {
      fields().delayBaseMs = value;
      return this;
    }

    public Builder payload(Payload value) {
      fields().payload = Objects.requireNonNull(value, "payload");
      return this;
    }

    public Builder lastError(@Nullable String value) {
      fields().ownExtras().lastError = value;
      return this;
    }

    public Builder firstStartedAtMs(long value) {
      fields().ownExtras().firstStartedAtMs = value;
      return this;
    }

    public Builder lastStartedAtMs(long value) {
      fields().ownExtras().lastStartedAtMs = value;
      return this;
    }

    public Builder lastEndedAtMs(long value) {
      fields().ownExtras().lastEndedAtMs = value;
      return this;
    }

    public Builder lastWorker(@Nullable String value) {
      fields().ownExtras().lastWorker = value;
      return this;
    }

    public Builder diedAtMs(long value) {
      fields().ownExtras().diedAtMs = value;
      return this;
    }

    public Builder earlierAttempts(int value) {
      fields().ownExtras().earlierAttempts = value;
      return this;
    }

    public Builder expireAtMs(long value) {
      fields().expireAtMs = value;
      return this;
    }

    public Builder resultRetentionMs(long value) {
      fields().resultRetentionMs = value;
      return this;
    }

    public Builder uniqueKey(byte @Nullable [] value) {
      fields().ownExtras().uniqueKey = value;
      return this;
    }

    public Builder uniqueScope(int value) {
      fields().ownExtras().uniqueScope = value;
      return this;
    }

    public Builder uniqueUntilMs(long value) {
      fields().ownExtras().uniqueUntilMs = value;
      return this;
    }

    public Builder concurrencyKey(byte @Nullable [] value) {
      fields().ownExtras().concurrencyKey = value;
      return this;
    }

    public Builder signal(byte @Nullable [] value) {
      fields().ownExtras().signal = value;
      return this;
    }

    public Builder signalDeadlineMs(long value) {
      fields().ownExtras().signalDeadlineMs = value;
      return this;
    }

    public Builder signalPayload(byte @Nullable [] value) {
      fields().ownExtras().signalPayload = value;
      return this;
    }

    public Builder wakeReason(int value) {
      fields().ownExtras().wakeReason = value;
      return this;
    }

    public Builder result(byte @Nullable [] value) {
      fields().ownExtras().result = value;
      return this;
    }

    public Builder cancelRequested(boolean value) {
      fields().ownExtras().cancelRequested = value;
      return this;
    }

    /**
     * The record.
     *
     * @throws IllegalArgumentException identity or priority are out of range
     */
    public JobRecord build() {
      JobFields built = fields();
      unbuilt = null;
      built.resolve();
      JobRecord record = new JobRecord(built);
      KeyLayout.checkSequence(record.birth());
      KeyLayout.checkPriority(record.priority());
      KeyLayout.checkPriority(record.birthPriority());
      if (!JobAddress.isBirthKind(record.birthKind())) {
        throw new IllegalArgumentException("no job is born there: keyspace=" + record.birthKind());
      }
      return record;
    }
  }
}
